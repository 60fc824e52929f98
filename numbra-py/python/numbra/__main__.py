"""``python -m numbra``: see ``numbra --help``."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Runs the command line; what starts from files is the compiler's own command and needs no Python."""
    args = sys.argv[1:] if argv is None else argv
    if args[:1] == ["run"]:
        return _run(args[1:])
    from numbra import _about, _numbra

    if args in (["-s"], ["--sysinfo"]):
        print(_about.system_information())
        return 0
    if args in (["-V"], ["--version"]):
        print(_about.version())
        return 0
    return _numbra._command(args)


def _run(args: list[str]) -> int:
    """Becomes ``python ARG...`` where ``import numba`` gives numbra: all else is Python's own."""
    import os

    from numbra._compat import reach_children

    if not sys.executable:
        print("numbra: Python does not say where it is", file=sys.stderr)
        return 2
    if sys.flags.ignore_environment or sys.flags.no_site:
        print("numbra: run works by PYTHONPATH, which Python ignores under -E, -I and -S", file=sys.stderr)
        return 2
    reach_children()
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *_options(), *args])


def _options() -> list[str]:
    """The options that this Python was started with."""
    *options, last = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv[1:])]
    # A script's name, or ``-m numbra`` as two words or one, maybe behind other letters.
    if last == "numbra" and options[-1:] and options[-1].endswith("m"):
        last = options.pop() + last
    if last.startswith("-") and last.endswith("mnumbra"):
        flags = last.removesuffix("mnumbra")
        options += [flags] * (flags != "-")
    return options


if __name__ == "__main__":
    sys.exit(main())
