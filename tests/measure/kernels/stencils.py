"""Stencils and sweeps over grids."""

import numpy as np

from . import case, njit


@case(lambda r: (40, r.random(800), r.random(800)))
@njit
def jacobi_1d(steps, a, b):
    n = a.size
    for _ in range(steps):
        for i in range(1, n - 1):
            b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1])
        for i in range(1, n - 1):
            a[i] = 0.33333 * (b[i - 1] + b[i] + b[i + 1])


@case(lambda r: (8, r.random((60, 60)), r.random((60, 60))))
@njit
def jacobi_2d(steps, a, b):
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, j + 1] + b[i + 1, j] + b[i - 1, j])


@case(lambda r: (2, r.random((48, 48))))
@njit
def seidel_2d(steps, a):
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                up = a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1]
                down = a[i + 1, j - 1] + a[i + 1, j] + a[i + 1, j + 1]
                a[i, j] = (up + a[i, j - 1] + a[i, j] + a[i, j + 1] + down) / 9.0


@case(lambda r: (3, r.random((20, 20, 20)), r.random((20, 20, 20))))
@njit
def heat_3d(steps, a, b):
    n = a.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                for k in range(1, n - 1):
                    b[i, j, k] = (
                        0.125 * (a[i + 1, j, k] - 2.0 * a[i, j, k] + a[i - 1, j, k])
                        + 0.125 * (a[i, j + 1, k] - 2.0 * a[i, j, k] + a[i, j - 1, k])
                        + 0.125 * (a[i, j, k + 1] - 2.0 * a[i, j, k] + a[i, j, k - 1])
                        + a[i, j, k]
                    )
        a, b = b, a
    return a


@case(lambda r: (4, r.random((40, 40)), np.zeros((40, 40)), np.zeros((40, 40)), np.zeros((40, 40))))
@njit
def adi(steps, u, v, p, q):
    n = u.shape[0]
    a, b, c = -0.25, 1.5, -0.25
    d, e, f = -0.35, 1.7, -0.35
    for _ in range(steps):
        for i in range(1, n - 1):
            v[0, i] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = v[0, i]
            for j in range(1, n - 1):
                p[i, j] = -c / (a * p[i, j - 1] + b)
                right = -d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - f * u[j, i + 1]
                q[i, j] = (right - a * q[i, j - 1]) / (a * p[i, j - 1] + b)
            v[n - 1, i] = 1.0
            for j in range(n - 2, 0, -1):
                v[j, i] = p[i, j] * v[j + 1, i] + q[i, j]
        for i in range(1, n - 1):
            u[i, 0] = 1.0
            p[i, 0] = 0.0
            q[i, 0] = u[i, 0]
            for j in range(1, n - 1):
                p[i, j] = -f / (d * p[i, j - 1] + e)
                right = -a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - c * v[i + 1, j]
                q[i, j] = (right - d * q[i, j - 1]) / (d * p[i, j - 1] + e)
            u[i, n - 1] = 1.0
            for j in range(n - 2, 0, -1):
                u[i, j] = p[i, j] * u[i, j + 1] + q[i, j]


@case(lambda r: (6, r.random((50, 60)), r.random((50, 60)), r.random((50, 60))))
@njit
def fdtd_2d(steps, ex, ey, hz):
    nx, ny = hz.shape
    for t in range(steps):
        for j in range(ny):
            ey[0, j] = t
        for i in range(1, nx):
            for j in range(ny):
                ey[i, j] -= 0.5 * (hz[i, j] - hz[i - 1, j])
        for i in range(nx):
            for j in range(1, ny):
                ex[i, j] -= 0.5 * (hz[i, j] - hz[i, j - 1])
        for i in range(nx - 1):
            for j in range(ny - 1):
                hz[i, j] -= 0.7 * (ex[i, j + 1] - ex[i, j] + ey[i + 1, j] - ey[i, j])


@case(lambda r: (r.random((50, 50)), 0.1, 20))
@njit
def heat_2d(u, k, steps):
    n, m = u.shape
    v = u.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = u[i, j] + k * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
        u, v = v, u
    return u


@case(lambda r: (r.random(2000), r.random(2000), np.zeros(2000), 10))
@njit
def wave_1d(a, b, c, steps):
    n = a.size
    for _ in range(steps):
        for i in range(1, n - 1):
            c[i] = 2 * b[i] - a[i] + 0.25 * (b[i + 1] - 2 * b[i] + b[i - 1])
        a, b, c = b, c, a
    return b


@case(lambda r: ((r.random((64, 64)) < 0.3).astype("u1"), 4))
@njit
def game_of_life(grid, steps):
    n, m = grid.shape
    new = np.zeros_like(grid)
    for _ in range(steps):
        for i in range(n):
            for j in range(m):
                alive = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        if di != 0 or dj != 0:
                            alive += grid[(i + di) % n, (j + dj) % m]
                new[i, j] = 1 if alive == 3 or (alive == 2 and grid[i, j] == 1) else 0
        grid, new = new, grid
    return grid


@case(lambda r: (np.arange(400) % 3 == 0, 110, 100))
@njit
def cellular_automaton(cells, rule, steps):
    n = cells.size
    new = np.zeros_like(cells)
    for _ in range(steps):
        for i in range(n):
            left = cells[i - 1]
            right = cells[i + 1] if i + 1 < n else cells[0]
            k = (left << 2) | (cells[i] << 1) | right
            new[i] = (rule >> k) & 1
        cells, new = new, cells
    return cells


@case(lambda r: (r.random((40, 40)), r.random((40, 40)), 10))
@njit
def gray_scott(u, v, steps):
    n, m = u.shape
    un = u.copy()
    vn = v.copy()
    for _ in range(steps):
        for i in range(n):
            for j in range(m):
                ip = (i + 1) % n
                im = (i - 1) % n
                jp = (j + 1) % m
                jm = (j - 1) % m
                lu = u[ip, j] + u[im, j] + u[i, jp] + u[i, jm] - 4 * u[i, j]
                lv = v[ip, j] + v[im, j] + v[i, jp] + v[i, jm] - 4 * v[i, j]
                uvv = u[i, j] * v[i, j] * v[i, j]
                un[i, j] = u[i, j] + 0.16 * lu - uvv + 0.06 * (1 - u[i, j])
                vn[i, j] = v[i, j] + 0.08 * lv + uvv - 0.122 * v[i, j]
        u, un = un, u
        v, vn = vn, v
    return u, v


@case(lambda r: (r.random((48, 48)), 0.1))
@njit
def red_black(u, w):
    n, m = u.shape
    for _ in range(6):
        for colour in range(2):
            for i in range(1, n - 1):
                for j in range(1 + (i + colour) % 2, m - 1, 2):
                    u[i, j] += w * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4 * u[i, j])
