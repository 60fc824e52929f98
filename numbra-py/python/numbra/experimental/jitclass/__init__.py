"""Classes whose objects compiled code makes and uses."""

from numbra._named import names_of
from numbra.experimental.jitclass.decorators import jitclass

__all__ = ["jitclass"]

__getattr__ = names_of(__name__)
