"""Numba's low-level extension API: what code writes with an ``IRBuilder`` is recorded as LIR.

`record_call(implementation, sig, name)`, `record_unbox(typ, function, name="unbox")` and `record_box(typ, function,
name="box")` give a recorded module. Its `text(name)` is LIR with one exported function; its `objects` are Python
objects whose addresses stand in the text. A mistake in the code that is recorded raises ``LoweringError``, and what
numbra does not have ``UnsupportedError`` with its name.
"""


def __getattr__(name):
    # Not before they are wanted: the data models need the types of this package.
    if name in ("NativeValue", "record_box", "record_call", "record_unbox"):
        from numbra.core.recorder import record

        return getattr(record, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
