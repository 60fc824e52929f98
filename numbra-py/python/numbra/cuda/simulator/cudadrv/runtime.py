"""CUDA's runtime library: the simulator needs none."""


class FakeRuntime:
    """Every version will do."""

    supported_versions = ((-1, -1),)

    def get_version(self):
        """``(-1, -1)``."""
        return (-1, -1)

    def is_supported_version(self):
        """True."""
        return True


runtime = FakeRuntime()
