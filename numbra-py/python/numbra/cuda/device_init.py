"""The names of ``numbra.cuda`` where kernels are compiled."""


def is_available() -> bool:
    """Whether kernels can run here."""
    return False


__all__ = ["is_available"]
