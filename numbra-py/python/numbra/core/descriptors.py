"""What a target is described by."""

from numbra._named import names_of


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

    @property
    def target_context(self):
        """The target context, which numbra does not have yet."""
        from numbra._named.table import named

        return named("numbra.core.registry", "cpu_target.target_context")


cpu_target = CPUTarget("cpu")

__getattr__ = names_of(__name__)
