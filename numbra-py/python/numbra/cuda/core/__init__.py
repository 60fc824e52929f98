"""Parts of ``numba.cuda.core`` that programs import."""
