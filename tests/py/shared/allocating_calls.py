"""Calls that allocate, and a program that makes them with little memory."""

# A call of each native body, of these: floats `a` (sorted), `b` (every second element of an array), integers `i`, a
# complex array `c`, a matrix `m`, a complex one `z`, a mask `k`, strings `t` and `u`.
CALLS = {
    "allclose": "np.allclose(b, a[::-1])",
    "angle": "np.angle(c)",
    "append": "np.append(a, b)",
    "argpartition": "np.argpartition(b, 5)",
    "argsort": "np.argsort(b)",
    "argwhere": "np.argwhere(m)",
    "array": "np.array([a, a])",
    "array_equal": "np.array_equal(b, a)",
    "array_like": "np.asarray((a, a))",
    "array_split": "np.array_split(a, 50000)",
    "as_series": "np.polynomial.polyutils.as_series(m)",
    "average": "np.average(b, weights=b)",
    "bartlett": "np.bartlett(a.size)",
    "bincount": "np.bincount(i)",
    "blackman": "np.blackman(a.size)",
    "broadcast_arrays": "np.broadcast_arrays(a, m[:1, :1])",
    "column_stack": "np.column_stack((a, b))",
    "cholesky": "np.linalg.cholesky(m @ m.T + 500 * np.eye(len(m)))",
    "clip": "np.clip(b, a, None)",
    "cond": "np.linalg.cond(m)",
    "convolve": "np.convolve(b, a[:3])",
    "corrcoef": "np.corrcoef(m)",
    "correlate": "np.correlate(b, a[:3])",
    "cov": "np.cov(m)",
    "cross": "np.cross(a[2:].reshape(-1, 3), a[:-2].reshape(-1, 3))",
    "delete": "np.delete(a, i)",
    "det": "np.linalg.det(m)",
    "diag": "np.diag(m[0])",
    "diagflat": "np.diagflat(m[0])",
    "diff": "np.diff(b, 2)",
    "digitize": "np.digitize(b, a)",
    "dot": "np.dot(m, m[:, ::-1])",
    "dot_into": "np.dot(m, m, np.empty_like(m))",
    "dsplit": "np.dsplit(a.reshape(1, 1, -1), 50000)",
    "dstack": "np.dstack((a, b))",
    "ediff1d": "np.ediff1d(b, b, b)",
    "eig": "np.linalg.eig(z)",
    "eigh": "np.linalg.eigh(m)",
    "eigvals": "np.linalg.eigvals(z)",
    "eigvalsh": "np.linalg.eigvalsh(z)",
    "extract": "np.extract(k, b)",
    "fill_diagonal": "np.fill_diagonal(m.copy(), a)",
    "flatnonzero": "np.flatnonzero(b)",
    "generator_permutation": "np.random.permutation(a)",
    "geomspace": "np.geomspace(1.0, 2.0, a.size)",
    "get_index": "a.reshape(400, 500)[np.arange(400)[:, None], np.arange(500)]",
    "hamming": "np.hamming(a.size)",
    "hanning": "np.hanning(a.size)",
    "histogram": "np.histogram(b, a.size)",
    "hsplit": "np.hsplit(a, 50000)",
    "hstack": "np.hstack((a, b))",
    "indices": "np.indices((300, 300))",
    "insert": "np.insert(a, i, b)",
    "interp": "np.interp(b, a, a)",
    "intersect1d": "np.intersect1d(b, a)",
    "inv": "np.linalg.inv(m)",
    "isclose": "np.isclose(b, a)",
    "isin": "np.isin(b, a)",
    "isneginf": "np.isneginf(b)",
    "isposinf": "np.isposinf(b)",
    "iscomplex": "np.iscomplex(c)",
    "isreal": "np.isreal(c)",
    "kaiser": "np.kaiser(a.size, 5.0)",
    "kron": "np.kron(m[:40, :40], m[:12, :12])",
    "linspace": "np.linspace(0.0, 1.0, a.size)",
    "logspace": "np.logspace(0.0, 1.0, a.size)",
    "lstsq": "np.linalg.lstsq(m, m)",
    "matmul_in_place": "_multiplied(m.copy(), m)",
    "matrix_power": "np.linalg.matrix_power(m, 5)",
    "matrix_rank": "np.linalg.matrix_rank(m)",
    "median": "np.median(b)",
    "meshgrid": "np.meshgrid(a[:400], a[:400])",
    "nan_to_num": "np.nan_to_num(b)",
    "nancumprod": "np.nancumprod(b)",
    "nancumsum": "np.nancumsum(b)",
    "nanmax": "np.nanmax(b)",
    "nanmean": "np.nanmean(b)",
    "nanmedian": "np.nanmedian(b)",
    "nanmin": "np.nanmin(b)",
    "nanpercentile": "np.nanpercentile(b, 30)",
    "nanprod": "np.nanprod(b)",
    "nanquantile": "np.nanquantile(b, 0.3)",
    "nanstd": "np.nanstd(b)",
    "nansum": "np.nansum(b)",
    "nanvar": "np.nanvar(c)",
    "nonzero": "np.nonzero(m)",
    "norm": "np.linalg.norm(m, 2)",
    "outer": "np.outer(a[:500], b[:500])",
    "partition": "np.partition(b, 5)",
    "percentile": "np.percentile(b, a[:1000])",
    "pinv": "np.linalg.pinv(m)",
    "polyadd": "np.polynomial.polynomial.polyadd(a, b)",
    "polydiv": "np.polynomial.polynomial.polydiv(a, a[1:4])",
    "polyint": "np.polynomial.polynomial.polyint(b, 2)",
    "polymul": "np.polynomial.polynomial.polymul(b, a[:3])",
    "polynomial": "np.polynomial.Polynomial(a).coef",
    "polysub": "np.polynomial.polynomial.polysub(a, b)",
    "polyval": "np.polynomial.polynomial.polyval(b, a[:3])",
    "ptp": "np.ptp(b)",
    "qr": "np.linalg.qr(m)",
    "quantile": "np.quantile(b, 0.3)",
    "random_choice": "np.random.choice(a, a.size, False)",
    "random_dirichlet": "np.random.dirichlet(a[1:], 1)",
    "random_multinomial": "np.random.multinomial(5, a / a.sum(), 1)",
    "random_permutation": "np.random.permutation(a.size)",
    "random_shuffle": "np.random.shuffle(m.T)",
    "repeat": "np.repeat(b, 2)",
    "resize": "np.resize(a, a.size * 2)",
    "roll": "np.roll(b, 5)",
    "roots": "np.roots(c[-100:])",
    "round": "np.round(b, 3)",
    "searchsorted": "np.searchsorted(a, b)",
    "select": "np.select([k, ~k], [a, a])",
    "set_index": "_put(m.copy())",
    "setdiff1d": "np.setdiff1d(b, a[::2])",
    "setxor1d": "np.setxor1d(b, a)",
    "sinc": "np.sinc(b)",
    "slogdet": "np.linalg.slogdet(m)",
    "solve": "np.linalg.solve(m, m)",
    "sort": "np.sort(b)",
    "sort_in_place": "b.copy()[::-1].sort()",
    "split": "np.split(a, 50000)",
    "stack": "np.stack((a, b))",
    "stencil_border": "_neighbours(b)",
    "stencil_out": "_neighbours(b, out=a.copy())",
    "stencil_sizes": "_both(b, a)",
    "str_among": "t.strip(u)",
    "str_contains": "u in t",
    "str_find": "t.find(u)",
    "str_rfind": "t.rfind(u)",
    "svd": "np.linalg.svd(m)",
    "take": "np.take(a, i)",
    "take_along_axis": "np.take_along_axis(a, i, 0)",
    "tile": "np.tile(a, 2)",
    "trapezoid": "np.trapezoid(b, a)",
    "tri": "np.tri(500)",
    "tril": "np.tril(a.reshape(400, 500))",
    "tril_indices": "np.tril_indices(500)",
    "trimseq": "np.polynomial.polyutils.trimseq(b)",
    "triu": "np.triu(a.reshape(400, 500))",
    "triu_indices": "np.triu_indices(500)",
    "union1d": "np.union1d(a, b)",
    "unique": "np.unique(b)",
    "unwrap": "np.unwrap(b)",
    "vander": "np.vander(a, 3)",
    "vdot": "np.vdot(b, a[::-1])",
    "vsplit": "np.vsplit(a.reshape(-1, 2), 50000)",
    "vstack": "np.vstack((a, b))",
    "where": "np.where(k, b, a)",
    "str_concat": "t + u",
    "str_repeat": "u * 9000",
    "str_repeat_right": "9000 * u",
    "str_joined": 'f"{t}{u}{t}"',
    "str_join": "u.join([t, t])",
    "str_slice": "t[::-1]",
    "str_upper": "t.upper()",
    "str_lower": "t.lower()",
    "str_replace": 't.replace("a", "xyz")',
    "str_split": 't.split("a")',
    "str_ljust": "u.ljust(600000)",
    "str_rjust": "u.rjust(600000)",
    "str_center": "u.center(600000)",
    "str_zfill": "u.zfill(600000)",
    "str_repr": "repr(t)",
    "str_format": 'format(t, ">500000")',
    "str_ascii": "ascii(t)",
    "str_bytes": "bytes(600000)",
    "str_capitalize": "t.capitalize()",
    "str_casefold": "t.casefold()",
    "str_decode": '(t.encode() + b"\\xc3\\xa9").decode()',
    "str_decode_strictly": 'str((t + "\\xe9").encode(), "utf-8")',
    "str_encode_strictly": 'bytes(t + "\\xe9", "utf-8")',
    "str_encode": '(t + "\\xe9").encode()',
    "str_expandtabs": "t.expandtabs()",
    "str_hex": "t.encode().hex()",
    "str_rsplit": 't.rsplit("a")',
    "str_splitlines": 't.replace("a", "\\n").splitlines()',
    "str_swapcase": "t.swapcase()",
    "str_title": "t.title()",
    "fft": "np.fft.fft(c)",
    "ifft": "np.fft.ifft(c)",
    "rfft": "np.fft.rfft(a)",
    "irfft": "np.fft.irfft(c)",
    "hfft": "np.fft.hfft(c)",
    "ihfft": "np.fft.ihfft(a)",
    "fftn": "np.fft.fftn(m)",
    "ifftn": "np.fft.ifftn(m)",
    "rfftn": "np.fft.rfftn(m)",
    "irfftn": "np.fft.irfftn(z)",
    "fftfreq": "np.fft.fftfreq(a.size)",
    "rfftfreq": "np.fft.rfftfreq(2 * a.size)",
    "fftshift": "np.fft.fftshift(a)",
    "ifftshift": "np.fft.ifftshift(a)",
}

# What no native body of NumPy's does.
MORE = {
    "var of complex": "np.var(c[::2])",
    "std of integers": "np.std(i)",
    "concatenate": "np.concatenate((a, b))",
    "copy": "b.copy()",
    "cumsum": "np.cumsum(b)",
    "argsort of complex": "np.argsort(c)",
    "sort of complex": "np.sort(c)",
    "sort of integers": "np.sort(i[::2])",
    "list": "[float(x) for x in a]",
    "list.sort": "_sorted([float(x) for x in b])",
    "list of pairs sorted": "_sorted([(x, 1) for x in b])",
    "set": "{float(x) for x in a}",
    "sets joined": "{float(x) for x in a} ^ {float(x) for x in b}",
    "set.difference": "{float(x) for x in a} - {1.0}",
    "print": "print(u)",
    "array of list": "np.array([float(x) for x in a])",
}

# Texts that are too short to find no memory under a limit; what a thread keeps of small objects serves the shortest.
SHORT = {
    "str_chr": None,
    "str_format_bool": 'format(k[5], ">30")',
    "str_of_narrow_number": "str(np.float32(a[5]))",
    "str_of_bin": "bin(i[5])",
    "str_of_hex": "hex(i[5])",
    "str_of_number": "str(i[5] + 100_000)",
    "str_of_oct": "oct(i[5])",
    "str_percent": '"%d" % i[5]',
    "str_percent_character": '"%9000c" % i[5]',
    "str_printed": "str((i[5], 1))",
    "str_array_eq": None,
    "str_array_ge": None,
    "str_array_gt": None,
    "str_array_le": None,
    "str_array_lt": None,
    "str_array_ne": None,
    "str_array_of_bytes_eq": None,
    "str_array_of_bytes_ge": None,
    "str_array_of_bytes_gt": None,
    "str_array_of_bytes_le": None,
    "str_array_of_bytes_lt": None,
    "str_array_of_bytes_ne": None,
}

# What needs no memory for its work, by reason; what makes a Python object of the result may. `test_failing_allocations`
# shows that all else is refused some.
NEVER = {
    "the result is a view": {
        "as_strided": "np.lib.stride_tricks.as_strided(a)",
        "atleast_1d": "np.atleast_1d(b)",
        "atleast_2d": "np.atleast_2d(b)",
        "atleast_3d": "np.atleast_3d(b)",
        "broadcast_to": "np.broadcast_to(b, (2, b.size))",
        "expand_dims": "np.expand_dims(b, 0)",
        "flip": "np.flip(m)",
        "fliplr": "np.fliplr(m)",
        "flipud": "np.flipud(m)",
        "frombuffer": "np.frombuffer(a)",
        "moveaxis": "np.moveaxis(m, 0, 1)",
        "rot90": "np.rot90(m)",
        "sliding_window_view": "np.lib.stride_tricks.sliding_window_view(a, 3)",
        "str_partition": "t.partition(u[:2])",
        "str_removeprefix": "t.removeprefix(u[:2])",
        "str_removesuffix": "t.removesuffix(u[:2])",
        "str_rpartition": "t.rpartition(u[:2])",
        "swapaxes": "np.swapaxes(m, 0, 1)",
        "trim_zeros": "np.trim_zeros(b)",
    },
    "the result is a number, a truth or numbers": {
        "broadcast_shapes": "len(np.broadcast_shapes(a.shape, m[:1, :1].shape))",
        "count_nonzero": "np.count_nonzero(b)",
        "generator_integers": None,
        "nanargmax": "np.nanargmax(b)",
        "nanargmin": "np.nanargmin(b)",
        "str_ascii_flag": "t._is_ascii",
        "str_count": "t.count(u)",
        "str_endswith": "t.endswith(u)",
        "str_float": 'float("1.5")',
        "str_index": "t.index(u[:2])",
        "str_int": 'int("12")',
        "str_int_base": 'int("12", 16)',
        "str_isalnum": "t.isalnum()",
        "str_isalpha": "t.isalpha()",
        "str_isascii": "t.isascii()",
        "str_isdecimal": "t.isdecimal()",
        "str_isdigit": "t.isdigit()",
        "str_isidentifier": "t.isidentifier()",
        "str_islower": "t.islower()",
        "str_isnumeric": "t.isnumeric()",
        "str_isprintable": "t.isprintable()",
        "str_isspace": "t.isspace()",
        "str_istitle": "t.istitle()",
        "str_isupper": "t.isupper()",
        "str_ord": "ord(t[5])",
        "str_rindex": "t.rindex(u[:2])",
        "str_startswith": "t.startswith(u)",
        "time_max": None,
    },
    "the result is a text of the program's": {
        "str_format_none": None,
        "str_of_bool": "str(k[5])",
        "str_of_none": None,
    },
    "what is there is changed": {
        "generator_shuffle": None,
        "python_seed": None,
        "python_shuffle": None,
        "random_seed": "np.random.seed(5)",
    },
    "where there is no room for what makes it faster, it is slower": {
        "var": "np.var(b)",
        "sum of parts": "np.sum(m[:, ::2].T)",
    },
}

PROGRAM = """
import gc, json, resource, sys
import numpy as np
from numbra import njit, stencil
from numbra.core.runtime import rtsys

@stencil
def _neighbours(x):
    return x[-1] + x[1]

@stencil
def _both(x, y):
    return x[-1] * y[1]

@njit(tier="cranelift")
def _put(x):
    x[np.arange(len(x))[:, None], np.arange(len(x))] = x.T
    return x

@njit(tier="cranelift")
def _sorted(x):
    x.sort()
    return x

@njit(tier="cranelift")
def _multiplied(x, y):
    x @= y
    return x

@njit(tier="cranelift")
def _forget():
    # Blocks that were freed lately are kept for reuse: two of the largest that are kept take the place of all others.
    x, y = np.empty((4 << 20) - 64), np.empty((4 << 20) - 64)
    return x, y

n = 200_000
random = np.random.default_rng(1)
a = np.sort(random.random(n))
b = random.random(2 * n)[::2]
i = np.arange(n)
c = b + 1j * a
m = random.random((200, 200))
z = m[:100, :100] + 1j * m[50:150, 50:150]
k = b > 0.5
t, u = "ab" * n, "ba" * 50

def under(kb, f):
    gc.collect()
    _forget()
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * 4096 + (kb << 10), resource.RLIM_INFINITY))
    try:
        try:
            f(a, b, i, c, m, z, k, t, u)
            return "done"
        except MemoryError:
            return "MemoryError"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

gc.freeze()
for name, text in json.loads(sys.argv[1]).items():
    scope = dict(np=np, _put=_put, _sorted=_sorted, _multiplied=_multiplied, _neighbours=_neighbours, _both=_both)
    exec(f"def f(a, b, i, c, m, z, k, t, u):\\n    return {text}", scope)
    f = njit(tier="cranelift")(scope["f"])
    f(a, b, i, c, m, z, k, t, u)
    print(json.dumps(["begun", name]), flush=True)
    gc.collect()
    before = rtsys.get_allocation_stats()
    outcomes = [under(kb, f) for kb in (100, 400, 1700, 3400)]
    gc.collect()
    after = rtsys.get_allocation_stats()
    left = (after.alloc - before.alloc) - (after.free - before.free)
    f(a, b, i, c, m, z, k, t, u)
    print(json.dumps(["ended", name, outcomes, left]), flush=True)
"""
