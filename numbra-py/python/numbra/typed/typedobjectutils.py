"""What typed containers have in common."""

from numbra._named import names_of


def _sentry_safe_cast(fromty, toty):
    """TypingError unless a typed container of items of type ``toty`` takes those of type ``fromty``."""
    from numbra._numbra import _is_stored_as
    from numbra.core.errors import TypingError
    from numbra.core.types import unliteral

    fromty, toty = unliteral(fromty), unliteral(toty)
    if not _is_stored_as(fromty, toty):
        raise TypingError(f"cannot safely cast {fromty} to {toty}. Please cast explicitly.")


__getattr__ = names_of(__name__)
