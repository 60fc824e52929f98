"""What the threads of a kernel print: a line is not mixed with another thread's, as on a GPU."""

import sys
import threading
from contextlib import contextmanager


class _Lines:
    """A stream that hands on whole lines, or what there is when it is flushed."""

    def __init__(self, stream):
        self._stream = stream
        self._state = threading.local()

    def write(self, text):
        """Keeps what follows the last line's end for the thread's next call."""
        lines, end, rest = (getattr(self._state, "text", "") + text).rpartition("\n")
        self._state.text = rest
        if end:
            self._stream.write(lines + end)
        return len(text)

    def flush(self):
        """Hands on what the thread has begun."""
        text, self._state.text = getattr(self._state, "text", ""), ""
        if text:
            self._stream.write(text)
        self._stream.flush()

    def __getattr__(self, name):
        return getattr(self._stream, name)


_lock = threading.Lock()
_users = 0
_outside = None


@contextmanager
def whole_lines():
    """While a kernel runs, ``sys.stdout`` takes whole lines; launches at the same time share it."""
    global _users, _outside
    with _lock:
        if _users == 0:
            _outside = sys.stdout
            sys.stdout = _Lines(_outside)
        _users += 1
        inside = sys.stdout
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            # A kernel may have put another stream there.
            if _users == 0 and sys.stdout is inside:
                sys.stdout = _outside


def end_of_thread() -> None:
    """Hands on what the calling thread has begun to print."""
    if isinstance(sys.stdout, _Lines):
        text = getattr(sys.stdout._state, "text", "")
        if text:
            sys.stdout.flush()
