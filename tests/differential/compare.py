"""Compares CPython with every way numbra has to run a program, over generated programs.

usage: compare.py [--kind layouts] [--math numbra] [--count 2000] [--first SEED] [--tiers llvm ...] [--show SEED]

Kinds are `numbers` (CPython is the oracle; bits must be equal), `arrays` and `layouts` (NumPy is), and `data`: text and
containers (CPython is).
With `--math numbra` mathematical functions are numbra's own, whose last bit may differ from CPython's: the ways are
compared with each other then. `llvm-O0` is LLVM without its optimisations, `llvm-parts` LLVM of functions that
are split into parts of some 40 instructions.

Programs run in processes of their own: one that crashes or hangs counts as a difference and the
rest goes on. A difference prints its seed; `--show SEED` prints the program.
"""

import argparse
import concurrent.futures
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from worker import KINDS

WORKER = Path(__file__).with_name("worker.py")
# Who knows the answer, and the ways of numbra that are compared with it; the interpreter has no native functions.
ORACLES = {"numbers": "CPython", "arrays": "NumPy", "layouts": "NumPy", "data": "NumPy"}
TIERS = {
    "numbers": ["cranelift", "interpreter", "llvm", "llvm-O0", "llvm-parts"],
    "arrays": ["cranelift", "llvm-parts"],
    "layouts": ["cranelift", "llvm-parts"],
    "data": ["cranelift", "llvm-parts"],
}
# How LLVM does its work is settled when it is loaded: these ways are workers of their own.
SETTINGS = {"llvm-O0": {"NUMBRA_OPT": "0"}, "llvm-parts": {"NUMBRA_LLVM_PART": "40"}}
SECONDS = 30  # for one program


def run(kind, math, ways, first, last):
    """What each program of the range gave, by seed and way; a crash and a hang are outcomes too."""
    results = {seed: {} for seed in range(first, last)}
    env = dict(os.environ, NUMBRA_MATH=math, NUMBRA_VERIFY="1")
    run_workers(kind, [way for way in ways if way not in SETTINGS], first, last, results, env)
    for way, settings in SETTINGS.items():
        if way in ways:
            found = {seed: {} for seed in results}
            run_workers(kind, ["llvm"], first, last, found, env | settings)
            for seed, outcome in found.items():
                results[seed][way] = outcome["llvm"]
    return results


def run_workers(kind, ways, first, last, results, env):
    """Fills in `results`; a worker that dies is followed by another, from the next program on."""
    while first < last:
        command = [sys.executable, "-W", "ignore", WORKER, kind, first, last, *ways]
        # Into a file: nobody reads a pipe while the worker runs, and a full one would stop it.
        with tempfile.TemporaryFile() as errors:
            worker = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=errors, env=env)
            why, seed, way = follow(worker, first, results, errors)
        if len(results[last - 1]) == len(ways):
            break
        results[seed][way] = why
        first = seed + 1


def follow(worker, first, results, errors):
    """Reads a worker to its end; says how it ended, and at which program and way."""
    buffer, alive, at = b"", True, (first, "start")
    while alive:
        if not select.select([worker.stdout], [], [], SECONDS)[0]:
            worker.kill()
            worker.wait()
            return f"no end after {SECONDS} s", *at
        data = os.read(worker.stdout.fileno(), 1 << 16)
        alive = bool(data)
        *lines, buffer = (buffer + data).split(b"\n")
        for line in lines:
            seed, way, *got = line.decode().split("\t")
            if seed == "start":
                at = (int(way), got[0])
            else:
                results[int(seed)][way] = "\t".join(got)
    worker.wait()
    errors.seek(0)
    said = errors.read().decode(errors="replace").strip().splitlines()
    return f"status {worker.returncode}: {said[-1] if said else ''}", *at


def differences(kind, first, count, tiers=None, jobs=None, report=None, math="libm"):
    """Seeds on which not all agree, each with what every way gave."""
    found = {}
    parts = [(at, min(at + 200, first + count)) for at in range(first, first + count, 200)]
    ways = [*oracle(kind, math), *(tiers or TIERS[kind])]
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        done = 0
        for results in pool.map(lambda part: run(kind, math, ways, *part), parts):
            for seed, outcomes in results.items():
                if len(set(outcomes.values())) > 1:
                    found[seed] = outcomes
            done += len(results)
            if report:
                report(done, found)
    return found


def oracle(kind, math):
    """Whoever knows the bits: nobody but numbra itself where mathematical functions are its own."""
    return [ORACLES[kind]] if math == "libm" else []


def described(outcomes):
    """A line for each way: what it gave from a little before the first difference on."""
    texts = list(outcomes.values())
    at = 0
    while all(text[at : at + 1] == texts[0][at : at + 1] != "" for text in texts):
        at += 1
    return [f"{way:12} {'...' * (at > 40)}{got[max(at - 40, 0) :][:200]}" for way, got in outcomes.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--kind", choices=KINDS, default="numbers")
    parser.add_argument("--math", choices=["libm", "numbra"], default="libm", help="whose mathematical functions")
    parser.add_argument("--tiers", nargs="+", choices=TIERS["numbers"])
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--show", type=int, help="print the program of this seed")
    options = parser.parse_args()
    if options.show is not None:
        program = KINDS[options.kind](options.show)
        print(program.source)
        for arguments in program.arguments:
            print("#", arguments)
        return 0
    began = shown = time.monotonic()

    def report(done, bad):
        nonlocal shown
        if time.monotonic() - shown > 10:
            shown = time.monotonic()
            seeds = f": {' '.join(map(str, sorted(bad)[:20]))}" if bad else ""
            print(f"  {done} of {options.count}, {len(bad)} differ{seeds}", flush=True)

    tiers, math = options.tiers, options.math
    found = differences(options.kind, options.first, options.count, tiers, options.jobs, report, math)
    for seed, outcomes in sorted(found.items())[:20]:
        print(f"seed {seed}")
        for line in described(outcomes):
            print(f"  {line}")
    seeds = f"{options.first} to {options.first + options.count - 1}"
    ways = ", ".join([*oracle(options.kind, math), *(tiers or TIERS[options.kind])])
    took = f"{time.monotonic() - began:.0f} s"
    print(f"{options.kind} {seeds}, math of {math}: {ways}: {len(found)} differ, {took}")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
