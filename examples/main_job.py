"""The main job: compile `matrix_profile.py`, run it over measured data, check it and time it.

usage: main_job.py [--short] [--dumps DIR]

1. The whole series, compiled: first call (it compiles) and steady state.
2. A part of the series in CPython (the same functions, uncompiled) and compiled: equal bits.
3. Sampled windows of the whole series against an independent computation with NumPy.
4. Every stage of one function, from bytecode to PTX, as text files.

Ends with status 1 where a check fails.
"""

import argparse
import sys
import time
from pathlib import Path

import matrix_profile as program
import numbra as nb
import numpy as np
from measured_series import SAMPLES_PER_DAY, sea_surface_temperature

WINDOW = 7 * SAMPLES_PER_DAY  # a week
COMPILED = (program.window_moments, program.scan_diagonals, program.distances)
INTERPRETED = tuple(function.py_func for function in COMPILED)


class Progress:
    """`label: 42 %` on one line of a terminal; a line every few seconds where there is none."""

    def __init__(self, label):
        self.label = label
        self.began = self.shown = time.perf_counter()
        self.live = sys.stdout.isatty()

    def __call__(self, done):
        now = time.perf_counter()
        if now - self.shown < (0.2 if self.live else 5.0):
            return
        self.shown = now
        left = (now - self.began) * (1 - done) / done if done else 0.0
        text = f"  {self.label}: {100 * done:.0f} %, {left:.0f} s left"
        print("\r" + text + "\033[K" if self.live else text, end="" if self.live else "\n")
        sys.stdout.flush()

    def clear(self):
        if self.live:
            print("\r\033[K", end="", flush=True)


def timed(label, *args):
    """Seconds, and what `matrix_profile` gave."""
    progress = Progress(label)
    began = time.perf_counter()
    result = program.matrix_profile(*args, progress=progress)
    seconds = time.perf_counter() - began
    progress.clear()
    return seconds, result


def check_sampled_windows(x, profile, where, count):
    """The nearest neighbours of `count` windows, by NumPy alone; returns the largest difference."""
    windows = np.lib.stride_tricks.sliding_window_view(x, WINDOW)
    n = len(windows)
    mean, std = windows.mean(axis=1), windows.std(axis=1)
    worst = 0.0
    progress = Progress("checking with NumPy")
    for done, i in enumerate(np.linspace(0, n - 1, count).astype(int)):
        progress(done / count)
        z = (windows[i] - mean[i]) / std[i]
        far = np.sqrt((((windows - mean[:, None]) / std[:, None] - z) ** 2).sum(axis=1))
        far[max(0, i - WINDOW + 1) : i + WINDOW] = np.inf
        worst = max(worst, abs(far.min() - profile[i]), abs(far[where[i]] - profile[i]))
    progress.clear()
    return worst


def write_dumps(function, folder):
    """One text file a stage, numbered in the order of the pipeline."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, stage in enumerate(nb.STAGES, 1):
        text = function.inspect(stage)
        path = folder / f"{function.__name__}.{number:02}-{stage}.txt"
        path.write_text(text if text.endswith("\n") else text + "\n")
        print(f"  {path}: {text.count(chr(10)) + 1} lines")


def describe(times, profile, where):
    """What the profile says about the series."""
    motif, discord = int(profile.argmin()), int(profile.argmax())
    day = "datetime64[D]"
    print(
        f"  the two weeks most alike begin on {times[motif].astype(day)} and"
        f" {times[where[motif]].astype(day)} (distance {profile[motif]:.2f});"
        f" the week least like any other on {times[discord].astype(day)} ({profile[discord]:.2f})"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="a shorter part in CPython")
    parser.add_argument("--dumps", type=Path, default=Path("dumps"), help="folder for the stages")
    options = parser.parse_args()

    times, x = sea_surface_temperature()
    part = x[: 1500 if options.short else 5000]
    print(f"{x.size} half-hourly water temperatures, {times[0]} to {times[-1]}; windows of a week")

    first, whole = timed("first call", x, WINDOW, COMPILED)
    steady, again = min((timed("steady", x, WINDOW, COMPILED) for _ in range(3)), key=lambda r: r[0])
    describe(times, *whole)
    interpreted, want = timed("CPython", part, WINDOW, INTERPRETED)
    compiled, got = min((timed("numbra", part, WINDOW, COMPILED) for _ in range(3)), key=lambda r: r[0])
    sampled = 10 if options.short else 50
    worst = check_sampled_windows(x, *whole, sampled)

    print(f"  {'':34}{'samples':>9}{'seconds':>10}")
    for label, samples, seconds in [
        ("numbra, first call (compiles)", x.size, first),
        ("numbra, steady", x.size, steady),
        ("numbra, steady", part.size, compiled),
        ("CPython " + sys.version.split()[0], part.size, interpreted),
    ]:
        print(f"  {label:34}{samples:9}{seconds:10.3f}")
    print(f"  speed-up over CPython: {interpreted / compiled:.0f} times")

    checks = [
        ("equal to CPython bit for bit", all(map(np.array_equal, got, want))),
        ("equal at every run", all(map(np.array_equal, again, whole))),
        (f"{sampled} windows equal to NumPy within 1e-6 (worst {worst:.1e})", worst < 1e-6),
    ]
    for label, holds in checks:
        print(f"  {'ok' if holds else 'WRONG'}: {label}")
    print("stages of scan_diagonals:")
    write_dumps(program.scan_diagonals, options.dumps)
    sys.exit(not all(holds for _, holds in checks))


if __name__ == "__main__":
    main()
