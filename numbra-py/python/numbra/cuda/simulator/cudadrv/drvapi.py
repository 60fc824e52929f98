"""The driver's functions and constants: the simulator has none."""
