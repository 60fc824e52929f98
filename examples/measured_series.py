"""The measured series of the main job: water temperature of the Gulf of Maine, half-hourly.

NERACOOS station B01 on the Western Maine Shelf, February 2016 to March 2017; the PyPI package
`bokeh_sampledata` ships it (see its `licenses/` folder). The file is read where the package lies,
so what its loaders import need not be installed.
"""

import csv
import gzip
import importlib.util
from pathlib import Path

import numpy as np

SAMPLES_PER_DAY = 48


def sea_surface_temperature():
    """Times (datetime64, minutes, UTC) and temperatures (Celsius, float64), in order of time."""
    spec = importlib.util.find_spec("bokeh_sampledata")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("bokeh_sampledata is missing; ./setup.sh installs it")
    path = Path(spec.submodule_search_locations[0]) / "_data" / "sea_surface_temperature.csv.gz"
    with gzip.open(path, "rt", newline="") as file:
        rows = [(row[0].rstrip("Z"), float(row[1])) for row in list(csv.reader(file))[1:]]
    rows.sort()
    times = np.array([time for time, _ in rows], dtype="datetime64[m]")
    return times, np.array([celsius for _, celsius in rows])
