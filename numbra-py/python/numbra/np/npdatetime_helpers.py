"""Units of dates and durations: which convert into which, and by what factor."""

from numbra._named import names_of

#: NumPy's units by name, with their numbers; 14 is none.
DATETIME_UNITS = {
    "Y": 0,
    "M": 1,
    "W": 2,
    "D": 4,
    "h": 5,
    "m": 6,
    "s": 7,
    "ms": 8,
    "us": 9,
    "ns": 10,
    "ps": 11,
    "fs": 12,
    "as": 13,
    "": 14,
}

# Each unit in its group, as a multiple of the next one.
_CALENDAR = {"Y": 12, "M": 1}
_CLOCK = {"W": 7, "D": 24, "h": 60, "m": 60} | dict.fromkeys(("s", "ms", "us", "ns", "ps", "fs"), 1000) | {"as": 1}
# The Gregorian calendar repeats after 400 years.
_DAYS_OF_400_YEARS = 400 * 365 + 97


def same_kind(src, dest):
    """True if a cast between two units keeps to the dates or to the times of day."""
    days = DATETIME_UNITS["D"]
    return src == dest or (DATETIME_UNITS[src] <= days) == (DATETIME_UNITS[dest] <= days)


def can_cast_timedelta_units(src, dest):
    """True if every duration in unit ``src`` is one in unit ``dest``."""
    return get_timedelta_conversion_factor(src, dest) is not None


def get_timedelta_conversion_factor(src_unit, dest_unit):
    """How many of ``dest_unit`` are one ``src_unit``; ``None`` where that is no constant integer."""
    if src_unit in (dest_unit, ""):
        return 1
    for group in (_CALENDAR, _CLOCK):
        if src_unit in group and dest_unit in group and DATETIME_UNITS[src_unit] < DATETIME_UNITS[dest_unit]:
            names = list(group)
            factor = 1
            for name in names[names.index(src_unit) : names.index(dest_unit)]:
                factor *= group[name]
            return factor
    return None


def get_datetime_timedelta_conversion(datetime_unit, timedelta_unit):
    """The unit of a date plus a duration, with what counts of either are multiplied by.

    For a date in years or months and a duration in days or finer the first factor counts 400 years, the second divides.
    """
    if "" in (datetime_unit, timedelta_unit):
        return datetime_unit, 1, 1
    if datetime_unit == timedelta_unit:
        return datetime_unit, 1, 1
    if (factor := get_timedelta_conversion_factor(datetime_unit, timedelta_unit)) is not None:
        return timedelta_unit, factor, 1
    if (factor := get_timedelta_conversion_factor(timedelta_unit, datetime_unit)) is not None:
        return datetime_unit, 1, factor
    if datetime_unit not in _CALENDAR:
        raise RuntimeError(f"cannot combine datetime64[{datetime_unit}] and timedelta64[{timedelta_unit}]")
    years = 400 if datetime_unit == "Y" else 400 * 12
    if timedelta_unit == "W":
        return "W", _DAYS_OF_400_YEARS, years * 7
    per_day = get_timedelta_conversion_factor("D", timedelta_unit)
    return timedelta_unit, _DAYS_OF_400_YEARS * per_day, years


def combine_datetime_timedelta_units(datetime_unit, timedelta_unit):
    """The unit of a date plus a duration; ``None`` where they do not add."""
    if "" in (datetime_unit, timedelta_unit):
        return datetime_unit or timedelta_unit
    if datetime_unit not in _CALENDAR and timedelta_unit in _CALENDAR:
        return None
    return max(datetime_unit, timedelta_unit, key=DATETIME_UNITS.__getitem__)


def get_best_unit(unit_a, unit_b):
    """The finer of two units of durations; ``None`` where neither converts into the other."""
    if can_cast_timedelta_units(unit_a, unit_b):
        return unit_b
    return unit_a if can_cast_timedelta_units(unit_b, unit_a) else None


__getattr__ = names_of(__name__)
