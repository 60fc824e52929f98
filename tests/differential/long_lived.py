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
import collections
import concurrent.futures
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

STEPS = 120
SECONDS = 240  # for one process, on a machine that is busy


def surroundings(seed):
    """The variables of a process, part of what its seed decides."""
    rng = random.Random(seed ^ 0x5EED)
    chosen = {"NUMBRA_TIER": rng.choice(["auto", "auto", "auto", "cranelift", "llvm"])}
    after = rng.choice(["", "1", "2", "4"])
    if after and chosen["NUMBRA_TIER"] == "auto":
        chosen["NUMBRA_PROMOTE_AFTER"] = after
    if rng.random() < 0.3:
        chosen["NUMBRA_VERIFY"] = "1"
    return chosen


class Parents:
    """Processes that have imported all there is to import, and fork for each life: a third of one was imports."""

    def __init__(self):
        self.idle, self.lock = collections.defaultdict(list), threading.Lock()

    def begin(self, chosen):
        life = os.path.join(os.path.dirname(os.path.abspath(__file__)), "life.py")
        env = dict(os.environ, MALLOC_PERTURB_="165", PYTHONFAULTHANDLER="1", OPENBLAS_NUM_THREADS="1")
        env |= chosen
        command = [sys.executable, "-W", "ignore", life]
        return subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @contextlib.contextmanager
    def parent(self, chosen):
        """One that nobody else has, with these variables."""
        key = tuple(sorted(chosen.items()))
        with self.lock:
            parent = self.idle[key].pop() if self.idle[key] else None
        parent = parent or self.begin(chosen)
        try:
            yield parent
        except BaseException:
            end(parent)
            raise
        with self.lock:
            self.idle[key].append(parent)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for parents in self.idle.values():
            for parent in parents:
                end(parent)


def end(parent):
    parent.stdin.close()
    parent.stdout.close()
    parent.wait()


def run(parents, seed, steps, without=()):
    """None, or why the process of a seed failed; and what it said."""
    with tempfile.TemporaryDirectory(prefix="long-lived-") as folder:
        with parents.parent(surroundings(seed)) as parent:
            print(json.dumps([seed, steps, folder, SECONDS, *without]), file=parent.stdin, flush=True)
            answer = parent.stdout.readline().strip()
        said, last = (
            Path(folder, name).read_text(errors="replace").strip().splitlines() for name in ("output", "errors")
        )
    if answer == "late":
        return f"no end after {SECONDS} s", said + last
    status = int(answer)
    if status == 0 and said and said[-1].startswith("ok"):
        return None, said
    if status < 0:
        where = [line.strip() for line in last if line.startswith("  File")]
        return f"signal {-status} in step {said[-1] if said else ''}: {', '.join(where[:1])}", said + last
    return f"status {status}: {last[-1] if last else ''}", said + last


def failures(first, count, steps, without=(), jobs=None, report=None):
    """Seeds whose process failed, with the reason and the last lines of what it said; and totals of what was done."""
    found, totals, done = {}, {}, 0
    with Parents() as parents, concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        seeds = range(first, first + count)
        ran = pool.map(lambda seed: run(parents, seed, steps, without), seeds)
        for seed, (why, said) in zip(seeds, ran, strict=True):
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
        with Parents() as parents:
            why, said = run(parents, options.show, options.steps, options.without)
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
