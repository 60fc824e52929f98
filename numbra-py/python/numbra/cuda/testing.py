"""Base class of tests that need a GPU."""

import unittest

from numbra import cuda


class CUDATestCase(unittest.TestCase):
    """A test that is skipped where no kernel can run."""

    def setUp(self):
        super().setUp()
        if not cuda.is_available():
            self.skipTest("no CUDA device")
