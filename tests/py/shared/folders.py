"""Where the repository's files stand, for tests that read or run them."""

from pathlib import Path

SHARED = Path(__file__).parent
TESTS = SHARED.parents[1]
ROOT = TESTS.parent
