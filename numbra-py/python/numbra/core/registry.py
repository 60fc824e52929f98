"""The dispatcher class, and the target."""

from numbra._named import names_of
from numbra.core.descriptors import CPUTarget, TargetDescriptor, cpu_target
from numbra.core.dispatcher import CPUDispatcher

dispatcher_registry = {"cpu": CPUDispatcher}

__all__ = ["CPUDispatcher", "CPUTarget", "TargetDescriptor", "cpu_target", "dispatcher_registry"]

__getattr__ = names_of(__name__)
