"""NVIDIA's assembler ``ptxas``, which ``setup.sh`` installs from the package index."""

import re
import subprocess
import sys
from pathlib import Path


def ptxas() -> Path:
    """The assembler of this environment. Raises ``FileNotFoundError`` without one."""
    pattern = "lib/python*/site-packages/nvidia/cu13/bin/ptxas"
    for found in sorted(Path(sys.prefix).glob(pattern)):
        return found
    raise FileNotFoundError(f"no {pattern} in {sys.prefix}: run ./setup.sh, which installs it")


def registers(folder: Path, ptx: str, sm: int, *options: str) -> list[int]:
    """Assembles a module for an architecture in a folder. Registers that its functions use."""
    source = folder / "kernel.ptx"
    source.write_text(ptx)
    command = [ptxas(), "-v", f"-arch=sm_{sm}", *options, source, "-o", folder / "kernel.cubin"]
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr + ptx
    return [int(n) for n in re.findall(r"Used (\d+) registers", ran.stdout + ran.stderr)]


def cubin(folder: Path, ptx: str, sm: int, *options: str) -> bytes:
    """The machine code that the assembler makes of a module, as an ELF file."""
    registers(folder, ptx, sm, *options)
    return (folder / "kernel.cubin").read_bytes()
