"""``numba.cuda.cudadrv.dummyarray``: device arrays of the simulator are NumPy's, and need no shape algebra."""

Array = None
