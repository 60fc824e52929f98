"""``parallel_diagnostics``: which loops of a function run in parallel, and why others do not."""

import inspect

_WIDTH = 80


def report(dispatcher, loops, level):
    """The text for one compiled signature. ``loops``: function, line, what it goes over, why serial, reductions,
    hazards."""
    function = dispatcher.py_func
    try:
        source, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        source, first = [], function.__code__.co_firstlineno
    where = f"Function {function.__name__}, {function.__code__.co_filename} ({first})"
    lines = [
        " ",
        "=" * _WIDTH,
        f" Parallel Accelerator Optimizing:  {where} ".center(_WIDTH, "="),
        "=" * _WIDTH,
        "",
        "",
    ]
    lines += [f"Parallel loop listing for  {where} ", *_listing(function, loops, source, first)]
    for number, (name, line, what, serial, reductions, hazards) in enumerate(loops):
        if name != function.__name__ and level < 2:
            continue
        if serial is None:
            combined = ", ".join(f"{variable} ({operator})" for variable, operator in reductions)
            state = f"parallel; reductions: {combined}" if combined else "parallel"
        else:
            state = f"serial: {serial}"
        state += "".join(f"; {hazard}" for hazard in hazards)
        inside = "" if name == function.__name__ else f" of {name}"
        lines.append(f"+--{number} ({what}{inside}, line {line}): {state}")
    if not loops:
        lines.append("No loop runs in parallel.")
    return "\n".join(lines)


def _listing(function, loops, source, first):
    """The source with the numbers of the loops beside their lines."""
    shown = [line.rstrip("\n") for line in source]
    width = max([len(line) for line in shown] + [20]) + 4
    yield "-" * width + "|loop #ID"
    for at, line in enumerate(shown, first):
        here = [f"#{n}" for n, (name, where, *_) in enumerate(loops) if name == function.__name__ and where == at]
        fill = "-" if here else " "
        yield f"{line}{fill * (width - len(line))}| {', '.join(here)}"
