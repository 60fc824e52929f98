"""What a target is described by."""


class TargetDescriptor:
    """A target, by its name."""

    def __init__(self, target_name: str):
        self._target_name = target_name


class CPUTarget(TargetDescriptor):
    """The CPU."""

    @property
    def typing_context(self):
        """The typing context."""
        from numbra.core.typing.context import Context

        return Context()


cpu_target = CPUTarget("cpu")
