"""Device functions that other code defines: what ``cuda.declare_device`` gives."""


class ExternFunction:
    """A device function by its symbol, signature and ABI. Kernels and device functions call it; the host cannot.

    ``link`` is what defines it, and is linked to every kernel that calls it.
    """

    def __init__(self, name, sig, link=(), use_cooperative=False, abi="numba"):
        self.name = name
        self.sig = sig
        self.link = tuple(link)
        self.use_cooperative = use_cooperative
        self.abi = abi

    def _numba_declared_device_(self):
        """For the compiler: ABI, symbol, result type, argument types."""
        return self.abi, self.name, self.sig.return_type, list(self.sig.args)

    def __repr__(self):
        return f"<device function {self.name}{self.sig}>"


def declared(name, sig, link, use_cooperative, abi):
    """A function with a signature in any of its forms, and code in any of its forms."""
    from numbra.core.sigutils import normalize_signature
    from numbra.core.typing.templates import Signature
    from numbra.cuda.cudadrv.linkable_code import LinkableCode

    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if not isinstance(name, str) or not name.replace("$", "_").isidentifier() or not name.isascii():
        raise ValueError(f"{name!r} is no symbol of device code: letters, digits, _ and $")
    args, return_type = normalize_signature(sig)
    if return_type is None:
        raise TypeError("Return type must be provided for device declarations")
    if link is None:
        link = ()
    elif not isinstance(link, (list, tuple, set, frozenset)):
        link = (link,)
    pieces = [LinkableCode.from_path_or_obj(piece) for piece in link]
    return ExternFunction(name, Signature(return_type, args), pieces, use_cooperative, abi)


def pieces_of(link, functions):
    """The code to link: what a kernel asks for, then what the functions do that it calls; each piece once."""
    found, seen = [], set()
    for piece in (*(link or ()), *(piece for function in functions for piece in function.link)):
        key = (type(piece), piece.data, piece.setup_callback, piece.teardown_callback)
        if key not in seen:
            seen.add(key)
            found.append(piece)
    return found
