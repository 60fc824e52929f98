"""Writes the code objects of the prelude: ``prelude/code/3.x/<file>.json``, a list with one entry a function.

    python prelude/generate.py python3.11 python3.12 python3.13 python3.14

``cargo test -p numbra-library`` then checks that all versions give one IR, and that ``prelude/<file>.nir`` is that IR;
``NUMBRA_BLESS=1`` rewrites it. The compiler reads the ``.nir`` files only.
"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EXPORTER = HERE.parent.parent / "numbra-py" / "python" / "numbra"
PROBE = """
import json, pathlib, sys
from types import CodeType
sys.path.insert(0, sys.argv[1])
from _codeobject import export
here = pathlib.Path(sys.argv[2])
out = here / "code" / "{}.{}".format(*sys.version_info)
out.mkdir(parents=True, exist_ok=True)
for source in sorted(here.glob("*.py")):
    if source.name == "generate.py":
        continue
    module = compile(source.read_text(), source.name, "exec", dont_inherit=True, optimize=2)
    codes = [export(code) for code in module.co_consts if isinstance(code, CodeType)]
    (out / (source.stem + ".json")).write_text(json.dumps(codes, separators=(",", ":")) + "\\n")
"""


def main(pythons: list[str]) -> None:
    for python in pythons:
        subprocess.run([python, "-B", "-c", PROBE, str(EXPORTER), str(HERE)], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
