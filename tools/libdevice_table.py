"""Writes ``numbra-abi/src/libdevice/table.rs``: the functions of NVIDIA's libdevice, from the library itself.

    python tools/libdevice_table.py [llvm-dis]

``llvm-dis`` shows the declarations in ``numbra-llvm/libdevice/libdevice.10.bc``. A test of numbra-llvm compares the
table with the library without this tool.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "numbra-llvm" / "libdevice" / "libdevice.10.bc"
TABLE = ROOT / "numbra-abi" / "src" / "libdevice" / "table.rs"
TYPES = {"void": "Void", "i16": "I16", "i32": "I32", "i64": "I64", "float": "F32", "double": "F64"}
#: What the pointers among the parameters are to. All are results; the library does not say their types.
RESULTS = {
    "fast_sincosf": "F32 F32",
    "frexp": "I32",
    "frexpf": "I32",
    "modf": "F64",
    "modff": "F32",
    "remquo": "I32",
    "remquof": "I32",
    "sincos": "F64 F64",
    "sincosf": "F32 F32",
    "sincospi": "F64 F64",
    "sincospif": "F32 F32",
}
#: Functions that read through a pointer.
READERS = {"nan", "nanf", "norm", "normf", "rnorm", "rnormf"}
HEAD = """//! The functions of libdevice, from the library by `tools/libdevice_table.py`; do not edit.

use super::Function;

/// All functions whose operands are numbers, sorted by name.
pub const FUNCTIONS: &[Function] = functions! {
"""


def functions(text: str):
    """Name, result, parameters and results through pointers of each function."""
    for result, name, given in re.findall(r"^define (\S+) @__nv_(\w+)\(([^)]*)\)", text, re.MULTILINE):
        params = [one.split()[0] for one in given.split(",")]
        if name in READERS:
            continue
        numbers = [TYPES[one] for one in params if one != "ptr"]
        outs = RESULTS.get(name, "").split()
        assert params == params[: len(numbers)] + ["ptr"] * len(outs), f"{name}: pointers are not the last parameters"
        yield name, TYPES[result], numbers, outs


def main() -> int:
    tool = sys.argv[1] if len(sys.argv) > 1 else "llvm-dis"
    text = subprocess.run([tool, LIBRARY, "-o", "-"], check=True, capture_output=True, text=True).stdout
    lines = [
        f"    {name} {result} ({', '.join(params)}) [{', '.join(outs)}];\n"
        for name, result, params, outs in sorted(functions(text))
    ]
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(HEAD + "".join(lines) + "};\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
