"""Simulations."""

import math

import numpy as np

from . import case, njit


@case(lambda r: (r.random((30, 3)), r.random((30, 3)), r.random(30), 5, 0.01))
@njit
def bodies(x, v, m, steps, dt):
    n = x.shape[0]
    for _ in range(steps):
        for i in range(n):
            ax = ay = az = 0.0
            for j in range(n):
                if i != j:
                    dx = x[j, 0] - x[i, 0]
                    dy = x[j, 1] - x[i, 1]
                    dz = x[j, 2] - x[i, 2]
                    d2 = dx * dx + dy * dy + dz * dz + 0.01
                    f = m[j] / (d2 * math.sqrt(d2))
                    ax += f * dx
                    ay += f * dy
                    az += f * dz
            v[i, 0] += dt * ax
            v[i, 1] += dt * ay
            v[i, 2] += dt * az
        for i in range(n):
            for k in range(3):
                x[i, k] += dt * v[i, k]


@case(lambda r: (r.random((40, 3)), np.zeros((40, 3))))
@njit
def lennard_jones(x, f):
    n, dim = x.shape
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            r2 = 0.0
            for k in range(dim):
                d = x[i, k] - x[j, k]
                r2 += d * d
            if r2 < 0.5:
                s6 = 0.001 / (r2 * r2 * r2 + 0.001)
                energy += 4 * s6 * (s6 - 1)
                w = 24 * s6 * (2 * s6 - 1) / r2
                for k in range(dim):
                    d = w * (x[i, k] - x[j, k])
                    f[i, k] += d
                    f[j, k] -= d
    return energy


@case(lambda r: (r.random((60, 3)), np.zeros((60, 60))))
@njit
def pair_distances(x, out):
    n, dim = x.shape
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(dim):
                t = x[i, k] - x[j, k]
                s += t * t
            out[i, j] = math.sqrt(s)


@njit
def lorenz(x, y, z):
    return 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z


@case(lambda r: (1.0, 1.0, 1.0, 0.01, 1500))
@njit
def lorenz_rk4(x, y, z, h, n):
    for _ in range(n):
        a1, b1, c1 = lorenz(x, y, z)
        a2, b2, c2 = lorenz(x + h / 2 * a1, y + h / 2 * b1, z + h / 2 * c1)
        a3, b3, c3 = lorenz(x + h / 2 * a2, y + h / 2 * b2, z + h / 2 * c2)
        a4, b4, c4 = lorenz(x + h * a3, y + h * b3, z + h * c3)
        x += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        y += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
        z += h / 6 * (c1 + 2 * c2 + 2 * c3 + c4)
    return x, y, z


@njit
def pendulum(t, y):
    return np.array([y[1], -0.1 * y[1] - math.sin(y[0])])


@case(lambda r: (np.array([1.0, 0.0]), 0.01, 150))
@njit
def pendulum_arrays(y, h, n):
    t = 0.0
    for _ in range(n):
        k1 = pendulum(t, y)
        k2 = pendulum(t + h / 2, y + h / 2 * k1)
        k3 = pendulum(t + h / 2, y + h / 2 * k2)
        k4 = pendulum(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


@njit
def decay(t, y):
    return -y * math.cos(t)


@njit
def euler(f, y, t, h, n):
    for _ in range(n):
        y += h * f(t, y)
        t += h
    return y


@case(lambda r: (1.0, 0.001, 4000))
@njit
def ode_function(y, h, n):
    return euler(decay, y, 0.0, h, n)


@case(lambda r: (r.choice(np.array([-1, 1]), (32, 32)), 0.4, 3))
@njit
def ising(spins, beta, sweeps):
    np.random.seed(5)
    n, m = spins.shape
    for _ in range(sweeps):
        for i in range(n):
            for j in range(m):
                near = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % m] + spins[i, j - 1]
                cost = 2 * spins[i, j] * near
                if cost < 0 or np.random.random() < math.exp(-cost * beta):
                    spins[i, j] *= -1
    return spins.sum()


@case(lambda r: (4000,))
@njit
def random_walk(n):
    np.random.seed(3)
    x = y = 0
    far = 0
    for _ in range(n):
        d = np.random.randint(0, 4)
        if d == 0:
            x += 1
        elif d == 1:
            x -= 1
        elif d == 2:
            y += 1
        else:
            y -= 1
        far = max(far, x * x + y * y)
    return far


@case(lambda r: (0.99, 0.01, 0.3, 0.1, 0.01, 20000))
@njit
def epidemic(s, i, beta, gamma, dt, n):
    r = 0.0
    top = 0.0
    for _ in range(n):
        new = beta * s * i * dt
        out = gamma * i * dt
        s -= new
        i += new - out
        r += out
        top = max(top, i)
    return s, i, r, top


@case(lambda r: (10.0, 5.0, 0.001, 8000))
@njit
def predators(x, y, dt, n):
    out = np.empty((n, 2))
    for k in range(n):
        dx = 1.1 * x - 0.4 * x * y
        dy = 0.1 * x * y - 0.4 * y
        x += dt * dx
        y += dt * dy
        out[k, 0] = x
        out[k, 1] = y
    return out


@case(lambda r: (r.random((40, 2)), r.random((40, 2)) - 0.5, 3))
@njit
def boids(x, v, steps):
    n = x.shape[0]
    for _ in range(steps):
        for i in range(n):
            cx = cy = vx = vy = sx = sy = 0.0
            count = 0
            for j in range(n):
                if i == j:
                    continue
                dx = x[j, 0] - x[i, 0]
                dy = x[j, 1] - x[i, 1]
                d = math.sqrt(dx * dx + dy * dy)
                if d < 0.3:
                    cx += x[j, 0]
                    cy += x[j, 1]
                    vx += v[j, 0]
                    vy += v[j, 1]
                    count += 1
                    if d < 0.05:
                        sx -= dx
                        sy -= dy
            if count > 0:
                v[i, 0] += 0.01 * (cx / count - x[i, 0]) + 0.1 * (vx / count - v[i, 0]) + sx
                v[i, 1] += 0.01 * (cy / count - x[i, 1]) + 0.1 * (vy / count - v[i, 1]) + sy
        for i in range(n):
            x[i, 0] = (x[i, 0] + 0.1 * v[i, 0]) % 1.0
            x[i, 1] = (x[i, 1] + 0.1 * v[i, 1]) % 1.0


@case(lambda r: (r.random((300, 2)), r.random((5, 2)), 5))
@njit
def k_means(points, centres, rounds):
    n, dim = points.shape
    k = centres.shape[0]
    label = np.zeros(n, np.int64)
    for _ in range(rounds):
        for i in range(n):
            best = np.inf
            for c in range(k):
                d = 0.0
                for j in range(dim):
                    d += (points[i, j] - centres[c, j]) ** 2
                if d < best:
                    best = d
                    label[i] = c
        sums = np.zeros((k, dim))
        counts = np.zeros(k)
        for i in range(n):
            counts[label[i]] += 1
            for j in range(dim):
                sums[label[i], j] += points[i, j]
        for c in range(k):
            if counts[c] > 0:
                for j in range(dim):
                    centres[c, j] = sums[c, j] / counts[c]
    return label


@case(lambda r: (r.random((200, 4)), r.random((50, 4))))
@njit
def nearest_neighbour(points, queries):
    out = np.empty(queries.shape[0], np.int64)
    for q in range(queries.shape[0]):
        best = np.inf
        for i in range(points.shape[0]):
            d = 0.0
            for k in range(points.shape[1]):
                t = points[i, k] - queries[q, k]
                d += t * t
            if d < best:
                best = d
                out[q] = i
    return out


@case(lambda r: (r.random(400), r.random(400), 0.5, 30))
@njit
def logistic_descent(x, y, rate, rounds):
    w = b = 0.0
    n = x.size
    for _ in range(rounds):
        gw = gb = 0.0
        for i in range(n):
            p = 1.0 / (1.0 + math.exp(-(w * x[i] + b)))
            d = p - (1.0 if y[i] > 0.5 else 0.0)
            gw += d * x[i]
            gb += d
        w -= rate * gw / n
        b -= rate * gb / n
    return w, b


@case(lambda r: (0.1, 1000, 200))
@njit
def logistic_map(low, n, skip):
    total = 0.0
    for k in range(20):
        rate = 2.5 + k * 0.075
        x = low
        for i in range(n):
            x = rate * x * (1 - x)
            if i >= skip:
                total += x
    return total


@case(lambda r: (r.random((120, 8)), r.random((8, 12)), r.random(12), r.random((12, 3)), r.random(3)))
@njit
def small_network(x, w1, b1, w2, b2):
    out = np.zeros((x.shape[0], w2.shape[1]))
    hidden = np.zeros(w1.shape[1])
    for s in range(x.shape[0]):
        for j in range(w1.shape[1]):
            t = b1[j]
            for i in range(w1.shape[0]):
                t += x[s, i] * w1[i, j]
            hidden[j] = max(0.0, t)
        for j in range(w2.shape[1]):
            t = b2[j]
            for i in range(w2.shape[0]):
                t += hidden[i] * w2[i, j]
            out[s, j] = 1.0 / (1.0 + math.exp(-t))
    return out


@case(lambda r: (r.random(200), r.random(200), r.random(200), 0.02))
@njit
def periodic_pairs(x, y, z, cutoff):
    n = x.size
    count = 0
    for i in range(n):
        for j in range(i + 1, n):
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            dz = z[i] - z[j]
            dx -= round(dx)
            dy -= round(dy)
            dz -= round(dz)
            if dx * dx + dy * dy + dz * dz < cutoff:
                count += 1
    return count
