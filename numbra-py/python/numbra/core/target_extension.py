"""The target: there is one, the CPU."""

from numbra._named import names_of
from numbra.core.errors import NonexistentTargetError


def resolve_dispatcher_from_str(target_string: str) -> type:
    """The dispatcher class of a target."""
    if target_string not in ("cpu", "CPU", "generic"):
        raise NonexistentTargetError(f"No target is registered against {target_string}")
    from numbra.core.dispatcher import CPUDispatcher

    return CPUDispatcher


__getattr__ = names_of(__name__)
