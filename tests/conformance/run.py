"""Fails when a test of Numba's suite that numbra passed before passes no more.

usage: run.py [--python PY] [--jobs N]

Runs the tests of `passing.txt`. One that fails runs once more by itself, for twice as long: a busy machine makes
time-outs. Where the harness is absent nothing is run, and the script says so.
"""

import argparse

import suite


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    suite.add_arguments(parser)
    options = parser.parse_args()
    if not suite.available():
        print("conformance: not run: there is no ../shared/conformance beside this checkout")
        return 0
    tests = suite.passing()
    if not tests:
        print("conformance: passing.txt is empty; update.py makes it")
        return 1
    how = {"python": options.python, "impl": options.impl, "timeout": options.timeout}
    results = suite.run(tests, jobs=options.jobs, **how)
    lost = [test for test in tests if not suite.holds(results.get(test, ["unknown"]))]
    if lost:
        print(f"{len(lost)} tests did not pass; running them again")
        again = suite.run(lost, jobs=1, alone=True, **{**how, "timeout": 2 * options.timeout})
        results.update(again)
        lost = [test for test in lost if not suite.holds(results.get(test, ["unknown"]))]
    for test in lost:
        outcome, *rest = results.get(test, ["unknown"])
        message = (rest[1] if len(rest) > 1 and rest[1] else "").strip().splitlines()
        print(f"LOST {outcome} {test}: {message[-1][:160] if message else ''}")
    print(f"conformance: {len(tests) - len(lost)} passed, {len(lost)} failed")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
