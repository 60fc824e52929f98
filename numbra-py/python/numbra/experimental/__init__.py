"""``numbra.experimental``: jitted classes, and structures by reference."""

from numbra._named import names_of
from numbra.experimental.jitclass import jitclass

__all__ = ["jitclass"]

__getattr__ = names_of(__name__)
