"""Code in the style of array expressions."""

import numpy as np

from . import case, njit


@case(lambda r: (r.random(20000), r.random(20000)))
@njit
def root_mean_square(a, b):
    return np.sqrt(np.mean((a - b) ** 2))


@case(lambda r: (r.random(20000) - 0.5,))
@njit
def relu_sum(a):
    return np.maximum(a, 0.0).sum()


@case(lambda r: (r.random(4000) - 0.5,))
@njit
def sigmoid(a):
    return 1.0 / (1.0 + np.exp(-a))


@case(lambda r: (r.random((400, 50)),))
@njit
def row_means(a):
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[i].mean()
    return out


@case(lambda r: (r.random((200, 50)),))
@njit
def row_norms(a):
    total = 0.0
    for i in range(a.shape[0]):
        row = a[i, :]
        total += np.sqrt(np.sum(row * row))
    return total


@case(lambda r: (r.random((60, 40)), r.random(40), r.random((60, 1))))
@njit
def broadcasts(a, b, c):
    return (a - b) * c + a / (1.0 + b)


@case(lambda r: (r.random((40, 40)), 10))
@njit
def slices_laplace(u, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return u


@case(lambda r: (r.random(6000),))
@njit
def differences(a):
    return (a[1:] - a[:-1]) / (a[1:] + a[:-1])


@case(lambda r: (r.random(20000),))
@njit
def clipped(a):
    b = np.minimum(np.maximum(a, 0.25), 0.75)
    return b * b - b


@case(lambda r: (r.random(6000), r.random(6000)))
@njit
def chosen(a, b):
    return np.where(a > b, a - b, b * 2)


@case(lambda r: (r.random(20000),))
@njit
def masked_sum(a):
    return a[a > 0.5].sum()


@case(lambda r: (r.random((200, 3)), r.random(3)))
@njit
def distances(points, q):
    out = np.empty(points.shape[0])
    for i in range(points.shape[0]):
        out[i] = np.sqrt(((points[i] - q) ** 2).sum())
    return out


@case(lambda r: (r.random(20000).astype("f4"), r.random(20000).astype("f4")))
@njit
def single_precision(a, b):
    return (a * b + np.float32(1.0)) / (a + b + np.float32(0.5))


@case(lambda r: (r.integers(0, 100, 6000), r.integers(1, 100, 6000)))
@njit
def integer_expression(a, b):
    return (a * 3 + b) % 7 - a // b


@case(lambda r: (np.linspace(0, 1, 2000), np.array([0.5, -1.0, 2.0, 0.1, 3.0])))
@njit
def horner(x, c):
    y = np.zeros_like(x)
    for k in range(c.size):
        y = y * x + c[k]
    return y


@case(lambda r: (r.random((300, 30)),))
@njit
def outer_sums(a):
    total = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        total += a[i]
        total *= 0.99
    return total


@case(lambda r: (r.random(60), r.random(60)))
@njit
def meshed(x, y):
    out = np.empty((y.size, x.size))
    for i in range(y.size):
        out[i, :] = np.sin(x) * np.cos(y[i])
    return out


@case(lambda r: (r.random((200, 8, 8)),))
@njit
def traces(a):
    total = 0.0
    for k in range(a.shape[0]):
        m = a[k]
        total += np.trace(m) + m.T[0, 1] + np.diag(m).sum()
    return total
