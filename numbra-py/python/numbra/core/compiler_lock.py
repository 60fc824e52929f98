"""Numba's compiler lock. numbra compiles in parallel; programs that take the lock exclude each other only."""

import functools
import threading

from numbra._named import names_of


class _CompilerLock:
    def __init__(self):
        self._lock = threading.RLock()
        self._depth = 0

    def acquire(self):
        """Waits for the lock."""
        self._lock.acquire()
        self._depth += 1

    def release(self):
        """Gives it back."""
        self._depth -= 1
        self._lock.release()

    def __enter__(self):
        self.acquire()

    def __exit__(self, exc_type, exc_value, traceback):
        self.release()

    def is_locked(self):
        """True while somebody holds it."""
        return self._depth > 0

    def __call__(self, func):
        @functools.wraps(func)
        def locked(*args, **kwargs):
            with self:
                return func(*args, **kwargs)

        return locked


global_compiler_lock = _CompilerLock()


def require_global_compiler_lock():
    """Fails where the lock is not held."""
    assert global_compiler_lock.is_locked()


__getattr__ = names_of(__name__)
