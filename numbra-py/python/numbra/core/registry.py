"""The dispatcher class."""

from numbra.core.dispatcher import CPUDispatcher

dispatcher_registry = {"cpu": CPUDispatcher}

__all__ = ["CPUDispatcher", "dispatcher_registry"]
