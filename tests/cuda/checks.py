"""Runs the checks of a script that needs a GPU: each `check_*` function, one line each."""

import sys
import time
import traceback


def run(names, before=None):
    """Runs the checks among ``names`` in their order and ends the process: with 1 if one failed.

    ``before`` is called before each. Arguments of the command line are parts of names to run.
    """
    checks = [(name, value) for name, value in names.items() if name.startswith("check_") and callable(value)]
    wanted = sys.argv[1:]
    failed = 0
    for name, check in checks:
        if wanted and not any(part in name for part in wanted):
            continue
        start = time.perf_counter()
        try:
            if before is not None:
                before()
            check()
            outcome = "pass"
        except Exception:
            failed += 1
            outcome = "FAIL"
            traceback.print_exc()
        print(f"{outcome} {name.removeprefix('check_').replace('_', ' ')} ({time.perf_counter() - start:.2f} s)")
    print("all passed" if not failed else f"{failed} failed")
    sys.stdout.flush()
    raise SystemExit(1 if failed else 0)
