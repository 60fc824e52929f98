"""Writes ``src/opcode/tables.rs`` from the ``opcode`` modules of real interpreters.

    python tables/generate.py python3.11 python3.12 python3.13 python3.14 python3.15

Each interpreter reports, per opcode byte: its name, the name it is a specialised or instrumented
form of, its number of inline cache units, and whether it takes an operand.
"""

import json
import pathlib
import subprocess
import sys

PROBE = """
import dis, json, opcode, sys
caches = opcode._inline_cache_entries
if isinstance(caches, list):
    caches = {opcode.opname[i]: n for i, n in enumerate(caches) if n}
base = {}
numbers = {n: i for n, i in opcode.opmap.items() if i < 256}
special = getattr(opcode, "_specialized_opmap", None)
if special is None:  # 3.11 and 3.12: specialised forms fill the free bytes in order
    special = {n: i for n, i in dis._all_opmap.items() if n not in opcode.opmap}
for general, forms in opcode._specializations.items():
    for form in forms:
        base[form] = general
numbers.update({n: i for n, i in special.items() if i < 256})
hasarg = set(getattr(dis, "hasarg", range(opcode.HAVE_ARGUMENT, 256)))
rows = []
for name, number in sorted(numbers.items(), key=lambda item: item[1]):
    plain = base.get(name, name)
    if plain.startswith("INSTRUMENTED_") and plain[13:] in opcode.opmap:
        plain = plain[13:]
    rows.append([number, name, plain, caches.get(plain, 0), opcode.opmap[plain] in hasarg])
print(json.dumps([list(sys.version_info[:3]), rows]))
"""


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def main(pythons: list[str]) -> None:
    tables = [json.loads(subprocess.check_output([python, "-c", PROBE])) for python in pythons]
    tables.sort()
    plain = sorted({row[2] for _, rows in tables for row in rows})
    out = [
        "//! Opcode tables of CPython 3.11 to 3.15.",
        "//!",
        "//! Written by `tables/generate.py` from the interpreters "
        + ", ".join(".".join(map(str, version)) for version, _ in tables)
        + "; do not edit.",
        "",
        "use super::{Entry, Opcode};",
        "",
        "const fn entry(name: &'static str, opcode: Opcode, caches: u8, has_arg: bool) -> Option<Entry> {",
        "    Some(Entry { name, opcode, caches, has_arg })",
        "}",
        "",
    ]
    for (major, minor, _), rows in tables:
        out.append(f"/// CPython {major}.{minor}, indexed by opcode byte.")
        out.append(f"pub(super) static PY{major}{minor}: [Option<Entry>; 256] = {{")
        out.append("    let mut t = [None; 256];")
        for number, name, general, caches, has_arg in rows:
            out.append(f'    t[{number}] = entry("{name}", Opcode::{camel(general)}, {caches}, {str(has_arg).lower()});')
        out += ["    t", "};", ""]
    src = pathlib.Path(__file__).resolve().parent.parent / "src" / "opcode"
    src.mkdir(exist_ok=True)
    (src / "tables.rs").write_text("\n".join(out).rstrip() + "\n")
    names = [
        "//! The opcodes of CPython 3.11 to 3.15 without their specialised and instrumented forms.",
        "//!",
        "//! Written by `tables/generate.py`; do not edit.",
        "",
        "use serde::{Deserialize, Serialize};",
        "",
        "/// An opcode of any supported version. The name is CPython's.",
        "#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]",
        "pub enum Opcode {",
        *(f"    {camel(name)}," for name in plain),
        "}",
        "",
        "impl Opcode {",
        "    /// Every opcode, in order of name.",
        "    pub const ALL: &[Opcode] = &[",
        *(f"        Opcode::{camel(name)}," for name in plain),
        "    ];",
        "",
        "    /// CPython's name.",
        "    pub fn name(self) -> &'static str {",
        "        match self {",
        *(f'            Opcode::{camel(name)} => "{name}",' for name in plain),
        "        }",
        "    }",
        "}",
    ]
    (src / "names.rs").write_text("\n".join(names) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
