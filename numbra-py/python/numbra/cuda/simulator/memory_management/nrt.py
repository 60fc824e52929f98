"""Statistics of allocations in kernels: the simulator keeps none."""


class RTSys:
    """Takes calls for statistics, and has none to give."""

    def memsys_enable_stats(self):
        """Does nothing."""

    def memsys_disable_stats(self):
        """Does nothing."""

    def get_allocation_stats(self):
        """None."""


rtsys = RTSys()
