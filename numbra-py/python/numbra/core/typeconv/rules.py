"""The conversions that the compiler has."""

from numbra._named import names_of
from numbra._numbra import _can_convert
from numbra.core.typeconv import Conversion
from numbra.core.typeconv.typeconv import TypeCastingRules, TypeManager


class _CompilersTypeManager(TypeManager):
    """Answers with the compiler's rules; a rule that is set here comes first, and holds for who asks here."""

    def check_compatible(self, fromty, toty):
        found = super().check_compatible(fromty, toty)
        if found is None:
            name = _can_convert(fromty, toty)
            found = None if name is None else Conversion[name]
        return found


default_type_manager = _CompilersTypeManager()
default_casting_rules = TypeCastingRules(default_type_manager)

__getattr__ = names_of(__name__)
