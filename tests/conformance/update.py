"""Makes `passing.txt`: the public tests of Numba's suite that pass in every one of several runs.

usage: update.py [--runs 3] [--groups language containers ...] [--drop]

The first run takes every test, the further ones those that have passed so far. Tests on the list
that pass no more stay on it, and are named, unless --drop is given: losing one is a decision.
"""

import argparse
import collections

import suite

HEADER = """\
# Tests of Numba 0.68.1's suite (public tier) that numbra passes, three times in three.
# Made by update.py; run.py fails when one of them is lost.
# Not here are
# - test_sign_m_m of test_ufuncs: NumPy 2.5 and Numba with it have no such loop, and numbra has none with any NumPy
#   (docs/deviations.md);
# - test_assert_from_exec_string_objmode of test_exceptions: from Python 3.12 on it has two more functions, which object
#   mode runs in the interpreter, than the audit's count from 3.11 lets pass;
# - test_int_npm, test_int_kws, test_float_npm, test_hex_npm and test_oct_npm of test_builtins: they want int and float
#   of text, hex and oct refused, which numbra computes as CPython does (docs/deviations.md).
"""


def share(name, ran, kept, base):
    """`language: 200 of 600 (33.3 %)`, of the tests that Numba passes."""
    expected = [test for test in ran if base[test][0] == "pass"]
    passed = sum(test in kept for test in expected)
    return f"{name:24} {passed:5} of {len(expected):5}  {100 * passed / max(1, len(expected)):5.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    suite.add_arguments(parser)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--groups", nargs="*", help="groups of the harness; all when left out")
    parser.add_argument("--drop", action="store_true", help="forget tests that pass no more")
    options = parser.parse_args()
    if not suite.available():
        raise SystemExit("there is no ../shared/conformance beside this checkout")

    lab, base = suite.harness(), suite.baseline()["tests"]

    def group(test):
        return lab.group_of(lab.module_key(test))

    asked = {test for test, result in base.items() if lab.tier_of(test) == "public" and result[0] != "skip"}
    if options.groups:
        asked = {test for test in asked if group(test) in options.groups}
    kept = asked
    for number in range(options.runs):
        print(f"run {number + 1} of {options.runs}: {len(kept)} tests", flush=True)
        results = suite.run(
            kept,
            python=options.python,
            impl=options.impl,
            jobs=options.jobs,
            timeout=options.timeout,
        )
        kept = {test for test, result in results.items() if suite.holds(result)}

    before = set(suite.passing()) if suite.PASSING.exists() else set()
    lost = (before & asked) - kept
    for test in sorted(lost):
        print(f"lost: {test}")
    stay = before if not options.drop else before - asked
    suite.PASSING.write_text(HEADER + "".join(f"{test}\n" for test in sorted(kept | stay)))

    by_group = collections.defaultdict(list)
    for test in asked:
        by_group[group(test)].append(test)
    for name in sorted(by_group):
        print(share(name, by_group[name], kept, base))
    print(share("all", asked, kept, base))
    print(f"{len(kept | stay)} tests in {suite.PASSING.name}, {len(kept - before)} of them new")
    return 1 if lost and not options.drop else 0


if __name__ == "__main__":
    raise SystemExit(main())
