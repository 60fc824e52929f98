"""``python -m numbra``: see ``numbra --help``."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Runs the command line; ``run`` is Python's own, everything else starts from files and needs no Python."""
    args = sys.argv[1:] if argv is None else argv
    if args[:1] == ["run"]:
        return _run(args[1:])
    from numbra._numbra import _command

    return _command(args)


def _run(args: list[str]) -> int:
    """Runs a script with ``import numba`` answered by numbra."""
    import runpy

    if not args:
        print("usage: python -m numbra run SCRIPT [ARG...]", file=sys.stderr)
        return 2
    from numbra._compat import install_as_numba

    install_as_numba()
    sys.argv = args
    sys.path.insert(0, __import__("os").path.dirname(__import__("os").path.abspath(args[0])))
    runpy.run_path(args[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
