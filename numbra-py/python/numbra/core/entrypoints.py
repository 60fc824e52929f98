"""Extensions that installed packages announce."""

from numbra._named import names_of

_already_initialized = False


def init_all() -> None:
    """Runs the entry points ``numba_extensions:init`` of installed packages, once."""
    global _already_initialized
    if _already_initialized:
        return
    _already_initialized = True
    import warnings
    from importlib import metadata

    for entry in metadata.entry_points(group="numba_extensions", name="init"):
        try:
            entry.load()()
        except Exception as error:
            warnings.warn(
                f"Numba extension module '{entry.value.split(':')[0]}' failed to load due to "
                f"'{type(error).__name__}({error})'.",
                stacklevel=2,
            )


__getattr__ = names_of(__name__)
