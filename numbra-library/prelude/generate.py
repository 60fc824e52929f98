"""Makes what the compiler reads of the prelude's sources.

    python prelude/generate.py python3.11 python3.12 python3.13 python3.14 python3.15
    python prelude/generate.py --check

- ``prelude/code/3.x/<file>.json``: the code objects of each version, a list with one entry a function. ``cargo test -p
  numbra-library`` checks that all versions give one IR, and that ``prelude/<file>.nir`` is that IR; ``NUMBRA_BLESS=1``
  rewrites it. The compiler reads the ``.nir`` files only.
- ``src/rows/python.rs``: the rows that the decorators of ``prelude/rows.py`` say; ``src/prelude/files.rs``: the files.

``--check`` fails where a file that this version of Python makes is not what is stored.
"""

import ast
import json
import pathlib
import subprocess
import sys
from types import CodeType

HERE = pathlib.Path(__file__).resolve().parent
EXPORTER = HERE.parent.parent / "numbra-py" / "python" / "numbra"
ROWS = HERE.parent / "src" / "rows" / "python.rs"
FILES = HERE.parent / "src" / "prelude" / "files.rs"
HEAD = "//! Rows that are written in Python, from `prelude/*.py` by `prelude/generate.py`; do not edit.\n\n"
FILES_HEAD = """//! The files of the prelude, from `prelude/*.py` by `prelude/generate.py`; do not edit.

use super::PreludeFile;

/// All files.
pub const FILES: &[PreludeFile] = files![
"""
USES_OF_UFUNCS = """use super::numpy::UFUNC;
use crate::loops::{Elementwise, LoopGroup, ScalarCode};
use crate::row_macro::{elementwise, prelude};
use crate::{Effects, Targets, TypePattern as P};
"""
USES = """use crate::row_macro::prelude;
use crate::{Effects, Targets, TypePattern as P};
"""


def sources() -> list[pathlib.Path]:
    """The files of functions."""
    return [path for path in sorted(HERE.glob("*.py")) if path.name not in ("generate.py", "rows.py")]


def code_objects() -> dict[pathlib.Path, str]:
    """The stored code objects of this version, by file."""
    sys.path.insert(0, str(EXPORTER))
    from _codeobject import export

    folder = HERE / "code" / "{}.{}".format(*sys.version_info)
    made = {}
    for source in sources():
        module = compile(source.read_text(), source.name, "exec", dont_inherit=True, optimize=2)
        codes = [export(code) for code in module.co_consts if isinstance(code, CodeType)]
        made[folder / (source.stem + ".json")] = json.dumps(codes, separators=(",", ":")) + "\n"
    return made


def files() -> str:
    """The Rust text that lists the files."""
    names = "".join(f'    "{source.stem}",\n' for source in sources())
    return FILES_HEAD + names + "];\n"


def rows() -> str:
    """The Rust text of the rows."""
    found: dict[str, list] = {}
    for source in sources():
        for node in ast.parse(source.read_text(), source.name).body:
            if not isinstance(node, ast.FunctionDef):
                continue
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and ast.unparse(call.func) in ("function", "elementwise"):
                    said = {key.arg: ast.literal_eval(key.value) for key in call.keywords}
                    name = ast.unparse(call.args[0]).replace("np.", "numpy.", 1)
                    found.setdefault(name, []).append((ast.unparse(call.func), said, node))
    statics, entries = [], []
    for name, bodies in sorted(found.items()):
        kind, said, node = bodies[0]
        entries.append(f"{documentation(node)}    fn {name}({parameters(node, said)}) {{\n        ")
        if kind == "elementwise":
            constant = name.rsplit(".", 1)[1].upper()
            statics.append(loops(constant, said["loops"], node))
            entries.append("effects: UFUNC, ")
            entries.append(f"bodies: &[elementwise(&{constant})],\n    }}\n")
            continue
        # What allocates needs the runtime of the CPU.
        where = "Cpu" if "alloc" in said.get("effects", "") else "All"
        entries.append(f"effects: {effects(said)}, targets: Targets::{where},\n")
        entries.append("        bodies: &[\n")
        for _, said, body in bodies:
            entries.append(f'            prelude(&[{patterns(said["when"])}], "{body.name}"),\n')
        entries.append("        ],\n    }\n")
    uses = USES_OF_UFUNCS if statics else USES
    return HEAD + uses + "".join(statics) + "\nlibrary! {\n" + "".join(entries) + "}\n"


def documentation(node: ast.FunctionDef) -> str:
    text = (ast.get_docstring(node) or "").replace("``", "`")
    return "".join(f"    /// {line}".rstrip() + "\n" for line in text.splitlines())


def parameters(node: ast.FunctionDef, said: dict) -> str:
    names = [argument.arg for argument in node.args.args]
    defaults = [None] * (len(names) - len(node.args.defaults)) + [default(d) for d in node.args.defaults]
    shown = [name if default is None else f"{name} = {default}" for name, default in zip(names, defaults, strict=True)]
    return ", ".join([*shown, "out = Unset"] if said.get("out") else shown)


def default(node: ast.expr) -> str:
    value = ast.literal_eval(node)
    return "None" if value is None else f"{type(value).__name__.capitalize()}({json.dumps(value)})"


def loops(constant: str, types: str, node: ast.FunctionDef) -> str:
    return f"""
static {constant}: Elementwise = Elementwise {{
    nin: {len(node.args.args)},
    nout: 1,
    loops: &[LoopGroup {{
        types: "{types}",
        code: ScalarCode::Prelude("{node.name}"),
    }}],
}};
"""


def effects(said: dict) -> str:
    names = [name.strip().upper() for name in said.get("effects", "read, raise").split(",")]
    return f"Effects::{names[0]}" + "".join(f".and(Effects::{name})" for name in names[1:])


def patterns(when: str) -> str:
    def pattern(text: str) -> str:
        parts = [f"P::{part.strip()}" for part in text.split("|")]
        return parts[0] if len(parts) == 1 else f"P::OneOf(&[{', '.join(parts)}])"

    return ", ".join(pattern(text) for text in when.split(","))


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        made = {**code_objects(), ROWS: rows(), FILES: files()}
        stale = [path for path, text in made.items() if path.read_text() != text]
        for path in stale:
            print(f"{path} is stale: run {pathlib.Path(__file__).name}")
        return 1 if stale else 0
    if arguments == ["--codes"]:
        for path, text in code_objects().items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return 0
    ROWS.write_text(rows())
    FILES.write_text(files())
    for source in sources():
        source.with_suffix(".nir").touch()  # `cargo xtask bless` fills it
    for python in arguments:
        subprocess.run([python, "-B", __file__, "--codes"], check=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
