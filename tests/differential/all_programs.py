"""Every generator: programs of each kind, split over processes, and processes that live long; one line sums up.

usage: all_programs.py [--programs 300000] [--processes 3000] [--first SEED] [--jobs N] [--ir BINARY]

`--ir` names the test binary `generated_ir` of numbra-driver (`cargo test --release -p numbra-driver --test generated_ir
--no-run` says where it is): it needs neither Python nor this checkout. Without it there are no programs in IR.
Ends with 1 if anything differs; each difference says how to see it again.
"""

import argparse
import os
import re
import subprocess
import time

import compare
import long_lived

IN_PYTHON = ["numbers", "arrays", "layouts", "data"]


def in_python(kind, first, count, jobs):
    """Programs in Python's text: how many differ, and a line for each of the first."""
    found = compare.differences(kind, first, count, jobs=jobs)
    lines = []
    for seed, outcomes in sorted(found.items())[:10]:
        lines += [f"compare.py --kind {kind} --show {seed}", *[f"  {line}" for line in compare.described(outcomes)]]
    return len(found), lines


def in_ir(binary, first, count, jobs):
    """Programs in typed IR and LIR, so many of each."""
    env = dict(os.environ, NUMBRA_FUZZ_N=str(count), NUMBRA_FUZZ_SEED=str(first), NUMBRA_FUZZ_JOBS=str(jobs))
    ran = subprocess.run([binary], env=env, capture_output=True, text=True, errors="replace")
    findings = [line for line in ran.stdout.splitlines() if re.match(r"\w+:\d+: ", line)]
    sums = [line for line in ran.stdout.splitlines() if re.match(r"\w+: \d+ programs", line)]
    if len(sums) != 2:
        findings.append(f"the binary ended with {ran.returncode}: {ran.stderr[-300:]}")
    return len(findings), sums, [f"{binary} --case {line[:600]}" for line in findings[:20]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=300_000)
    parser.add_argument("--processes", type=int, default=3_000)
    parser.add_argument("--first", type=int, default=1, help="the first seed of each kind")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--ir", metavar="BINARY")
    options = parser.parse_args()
    began = time.monotonic()
    count = options.programs // (len(IN_PYTHON) + (2 if options.ir else 0))
    differ = programs = 0
    for kind in IN_PYTHON:
        bad, lines = in_python(kind, options.first, count, options.jobs)
        print(*lines, f"{kind}: {count} programs, {bad} differ", sep="\n", flush=True)
        differ, programs = differ + bad, programs + count
    if options.ir:
        bad, sums, lines = in_ir(options.ir, options.first, count, options.jobs)
        print(*lines, *sums, sep="\n", flush=True)
        differ, programs = differ + bad, programs + 2 * count
    failed, totals = long_lived.failures(options.first, options.processes, long_lived.STEPS, jobs=options.jobs)
    for seed, lines in sorted(failed.items())[:10]:
        print(f"long_lived.py --show {seed}", *[f"  {line[:300]}" for line in lines], sep="\n")
    counts = ", ".join(f"{number} {name}" for name, number in sorted(totals.items()))
    print(
        f"{programs} programs: {differ} differ; {options.processes} processes ({counts}): {len(failed)} failed; "
        f"{time.monotonic() - began:.0f} s"
    )
    return 1 if differ or failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
