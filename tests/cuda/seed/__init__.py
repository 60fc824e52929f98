"""Rows of the checklist, by the number they have in it."""

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
from numbra.core import config

SIMULATED = bool(config.ENABLE_CUDASIM)
#: Kernels run on the processor.
ON_CPU = getattr(config, "CUDA_TARGET", "gpu") == "cpu"
ROOT = Path(__file__).resolve().parents[3]


class Skipped(Exception):
    """Something that a row needs is not installed."""


@dataclass
class Row:
    """One row: `check` raises where it does not hold.

    `device` says that the simulator cannot run it, `gpu` that the processor cannot either.
    """

    number: str
    check: Callable[[], None]
    device: bool
    gpu: bool


ROWS: list[Row] = []


def row(number, device=False, gpu=False):
    """Registers a function as the check of a row."""

    def register(check):
        ROWS.append(Row(number, check, device or gpu, gpu))
        return check

    return register


def library(name):
    """A module, or the row is skipped."""
    try:
        return import_module(name)
    except ImportError:
        raise Skipped(f"{name} is not installed") from None


def tool(name):
    """The path of a program, or the row is skipped."""
    if "--without-tools" in sys.argv:
        raise Skipped(f"{name} was left out")
    found = shutil.which(name) or shutil.which(name, path=str(Path(sys.prefix) / "bin"))
    if found is None:
        raise Skipped(f"{name} is not installed")
    return found


def same(got, want, rtol=0.0, atol=0.0):
    """The values are the same, or near by."""
    np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def raises(kind, text, call, *args):
    """The exception that a call raises; its text has `text` in it."""
    try:
        call(*args)
    except kind as error:
        assert text in str(error), f"{text!r} is not in {str(error)!r}"
        return error
    raise AssertionError(f"{kind} was not raised")
