"""Processes that live long: functions come and go, in an order that a seed gives, while CPython says what is right.

usage: long_lived.py [--processes 100] [--first SEED] [--jobs N] [--steps 120] [--show SEED]
                     [--without KIND...]

A process compiles functions, calls them, compiles them anew, promotes and drops them, keeps what they gave, runs
generators half, is interrupted by signals and the collector, calls from threads, loads from the cache, fails. Freed
memory is overwritten. A process fails where a result is not CPython's, where what it kept changes, where references or
allocations do not balance, and where it crashes, hangs or ends with anything but 0.
`--show SEED` runs that one and prints its steps.
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile
import time

STEPS = 120
SECONDS = 240  # for one process, on a machine that is busy


def surroundings(seed, folder):
    """The environment of a process, part of what its seed decides."""
    rng = random.Random(seed ^ 0x5EED)
    env = dict(os.environ, MALLOC_PERTURB_="165", NUMBA_CACHE_DIR=folder, PYTHONFAULTHANDLER="1")
    env["NUMBRA_TIER"] = rng.choice(["auto", "auto", "auto", "cranelift", "llvm"])
    after = rng.choice(["", "1", "2", "4"])
    if after and env["NUMBRA_TIER"] == "auto":
        env["NUMBRA_PROMOTE_AFTER"] = after
    if rng.random() < 0.3:
        env["NUMBRA_VERIFY"] = "1"
    return env


def run(seed, steps, without=()):
    """None, or why the process of a seed failed."""
    with tempfile.TemporaryDirectory(prefix="long-lived-") as folder:
        life = os.path.join(os.path.dirname(os.path.abspath(__file__)), "life.py")
        command = [sys.executable, "-W", "ignore", life, str(seed), str(steps), *without]
        try:
            env = surroundings(seed, folder)
            ran = subprocess.run(command, env=env, capture_output=True, text=True, timeout=SECONDS, errors="replace")
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"").decode(errors="replace").strip().splitlines()
            return f"no end after {SECONDS} s", said
    said = ran.stdout.strip().splitlines()
    if ran.returncode == 0 and said and said[-1].startswith("ok"):
        return None, said
    last = ran.stderr.strip().splitlines()
    if ran.returncode < 0:
        where = [line.strip() for line in last if line.startswith("  File")]
        return f"signal {-ran.returncode} in step {said[-1] if said else ''}: {', '.join(where[:1])}", said + last
    return f"status {ran.returncode}: {last[-1] if last else ''}", said + last


def failures(first, count, steps, without=(), jobs=None, report=None):
    """Seeds whose process failed, with the reason and the last lines of what it said; and totals of what was done."""
    found, totals, done = {}, {}, 0
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        seeds = range(first, first + count)
        for seed, (why, said) in zip(seeds, pool.map(lambda seed: run(seed, steps, without), seeds), strict=True):
            done += 1
            if why:
                found[seed] = [why, *said[-12:]]
            else:
                for word in said[-1].split()[1:]:
                    name, number = word.split("=")
                    totals[name] = totals.get(name, 0) + int(number)
            if report:
                report(done, seed, why)
    return found, totals


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--without", nargs="*", default=[], help="kinds of functions and of steps to leave out")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--show", type=int, help="run this seed alone and print its steps")
    options = parser.parse_args()
    if options.show is not None:
        why, said = run(options.show, options.steps, options.without)
        print("\n".join(said))
        print(why or "right")
        return 1 if why else 0
    began = time.monotonic()

    def report(done, seed, why):
        if why:
            print(f"  {done} of {options.processes}: seed {seed}: {why}", flush=True)

    found, totals = failures(options.first, options.processes, options.steps, options.without, options.jobs, report)
    for seed, lines in list(found.items())[:20]:
        print(f"seed {seed}")
        for line in lines:
            print(f"  {line[:400]}")
    seeds = f"{options.first} to {options.first + options.processes - 1}"
    counts = ", ".join(f"{number} {name}" for name, number in sorted(totals.items()))
    print(f"processes {seeds}: {len(found)} failed; {counts}; {time.monotonic() - began:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
