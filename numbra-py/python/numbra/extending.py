"""``numba.extending``: what extensions import."""

from numbra.core.extending import (
    BoundLiteralArgs,
    SentryLiteralArgs,
    as_numba_type,
    get_cython_function_address,
    include_path,
    is_jitted,
    overload,
    overload_attribute,
    overload_method,
    register_jitable,
    sentry_literal_args,
    typeof_impl,
)

__all__ = [
    "BoundLiteralArgs",
    "SentryLiteralArgs",
    "as_numba_type",
    "get_cython_function_address",
    "include_path",
    "is_jitted",
    "overload",
    "overload_attribute",
    "overload_method",
    "register_jitable",
    "sentry_literal_args",
    "typeof_impl",
]
