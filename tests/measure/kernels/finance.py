"""Prices of options and the like."""

import math

import numpy as np

from . import case, njit


@case(lambda r: (100.0, 95.0, 0.05, 0.2, 1.0, 200))
@njit
def binomial_tree(spot, strike, rate, vol, time, n):
    dt = time / n
    u = math.exp(vol * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(rate * dt) - d) / (u - d)
    discount = math.exp(-rate * dt)
    v = np.empty(n + 1)
    for i in range(n + 1):
        v[i] = max(0.0, strike - spot * u ** (n - i) * d**i)
    for step in range(n - 1, -1, -1):
        for i in range(step + 1):
            v[i] = discount * (p * v[i] + (1 - p) * v[i + 1])
    return v[0]


@case(lambda r: (100.0, 95.0, 0.05, 0.2, 1.0, 150))
@njit
def american_tree(spot, strike, rate, vol, time, n):
    dt = time / n
    u = math.exp(vol * math.sqrt(dt))
    p = (math.exp(rate * dt) - 1 / u) / (u - 1 / u)
    discount = math.exp(-rate * dt)
    price = np.empty(2 * n + 1)
    for i in range(2 * n + 1):
        price[i] = spot * u ** (i - n)
    v = np.maximum(strike - price[::2], 0.0)
    for step in range(n - 1, -1, -1):
        for i in range(step + 1):
            hold = discount * (p * v[i + 1] + (1 - p) * v[i])
            now = strike - price[n - step + 2 * i]
            v[i] = max(hold, now)
    return v[0]


@case(lambda r: (100.0, 95.0, 0.05, 0.2, 1.0, 2000))
@njit
def monte_carlo_call(spot, strike, rate, vol, time, n):
    np.random.seed(11)
    total = 0.0
    for _ in range(n):
        z = np.random.normal(0.0, 1.0)
        s = spot * math.exp((rate - 0.5 * vol * vol) * time + vol * math.sqrt(time) * z)
        total += max(s - strike, 0.0)
    return math.exp(-rate * time) * total / n


@case(lambda r: (100.0, 95.0, 0.05, 0.2, 1.0, 60, 30))
@njit
def asian_option(spot, strike, rate, vol, time, paths, steps):
    np.random.seed(12)
    dt = time / steps
    total = 0.0
    for _ in range(paths):
        s = spot
        mean = 0.0
        for _ in range(steps):
            s *= math.exp((rate - 0.5 * vol**2) * dt + vol * math.sqrt(dt) * np.random.standard_normal())
            mean += s
        total += max(mean / steps - strike, 0.0)
    return math.exp(-rate * time) * total / paths


@case(lambda r: (80 + 40 * r.random(1000), 100.0, 0.03, 0.25, 0.5))
@njit
def black_scholes_erf(spot, strike, rate, vol, time):
    out = np.empty_like(spot)
    for i in range(spot.size):
        d1 = (math.log(spot[i] / strike) + (rate + vol * vol / 2) * time) / (vol * math.sqrt(time))
        d2 = d1 - vol * math.sqrt(time)
        n1 = 0.5 * (1 + math.erf(d1 / math.sqrt(2.0)))
        n2 = 0.5 * (1 + math.erf(d2 / math.sqrt(2.0)))
        out[i] = spot[i] * n1 - strike * math.exp(-rate * time) * n2
    return out


@njit
def normal_cdf(x):
    k = 1.0 / (1.0 + 0.2316419 * abs(x))
    p = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = 0.3989422804014327 * math.exp(-0.5 * x * x) * p
    return 1.0 - tail if x > 0 else tail


@case(lambda r: (5 + 25 * r.random(1000), 1 + 99 * r.random(1000), 0.25 + 9.75 * r.random(1000)))
@njit
def black_scholes_polynomial(spot, strike, time):
    call = np.empty_like(spot)
    put = np.empty_like(spot)
    for i in range(spot.size):
        root = math.sqrt(time[i])
        d1 = (math.log(spot[i] / strike[i]) + (0.02 + 0.5 * 0.3 * 0.3) * time[i]) / (0.3 * root)
        d2 = d1 - 0.3 * root
        discount = math.exp(-0.02 * time[i])
        call[i] = spot[i] * normal_cdf(d1) - strike[i] * discount * normal_cdf(d2)
        put[i] = strike[i] * discount * (1.0 - normal_cdf(d2)) - spot[i] * (1.0 - normal_cdf(d1))
    return call, put


@case(lambda r: (10 + 5 * r.random(60), 100.0, 0.03, 0.5))
@njit
def implied_volatility(price, spot, rate, time):
    out = np.empty_like(price)
    for i in range(price.size):
        vol = 0.3
        for _ in range(20):
            root = vol * math.sqrt(time)
            d1 = ((rate + vol * vol / 2) * time) / root
            d2 = d1 - root
            n1 = 0.5 * (1 + math.erf(d1 / math.sqrt(2.0)))
            n2 = 0.5 * (1 + math.erf(d2 / math.sqrt(2.0)))
            value = spot * n1 - spot * math.exp(-rate * time) * n2
            vega = spot * math.sqrt(time) * math.exp(-d1 * d1 / 2) / math.sqrt(2 * math.pi)
            step = (value - price[i]) / vega
            vol -= step
            if abs(step) < 1e-10:
                break
        out[i] = vol
    return out


@case(lambda r: (100 + np.cumsum(r.normal(size=3000)), 14))
@njit
def strength_index(price, n):
    out = np.full(price.size, np.nan)
    gain = loss = 0.0
    for i in range(1, price.size):
        d = price[i] - price[i - 1]
        up = d if d > 0 else 0.0
        down = -d if d < 0 else 0.0
        gain = (gain * (n - 1) + up) / n
        loss = (loss * (n - 1) + down) / n
        if i >= n:
            out[i] = 100 - 100 / (1 + gain / loss) if loss > 0 else 100.0
    return out


@case(lambda r: (100 + np.cumsum(r.normal(size=5000)), 10, 30))
@njit
def crossing_strategy(price, short, long):
    s = price[0]
    l_ = price[0]
    a = 2.0 / (short + 1)
    b = 2.0 / (long + 1)
    position = 0
    cash = 0.0
    trades = 0
    for p in price:
        s += a * (p - s)
        l_ += b * (p - l_)
        if s > l_ and position == 0:
            position = 1
            cash -= p
            trades += 1
        elif s < l_ and position == 1:
            position = 0
            cash += p
            trades += 1
    return cash, trades


@case(lambda r: (100 + np.cumsum(r.normal(size=20000)),))
@njit
def draw_down(price):
    top = price[0]
    worst = 0.0
    for p in price:
        top = max(top, p)
        worst = max(worst, (top - p) / top)
    return worst


@case(lambda r: (r.normal(size=5000) * 0.01,))
@njit
def garch(returns):
    v = 1e-4
    likelihood = 0.0
    for x in returns:
        v = 1e-6 + 0.08 * x * x + 0.9 * v
        likelihood += math.log(v) + x * x / v
    return -0.5 * likelihood


@case(lambda r: (np.full(60, 5.0), 96.0, 0.5))
@njit
def bond_yield(flows, price, guess):
    low, high = -0.5, guess
    for _ in range(60):
        mid = 0.5 * (low + high)
        value = 0.0
        factor = 1.0
        for c in flows:
            factor /= 1.0 + mid
            value += c * factor
        if value > price:
            low = mid
        else:
            high = mid
    return 0.5 * (low + high)


@case(lambda r: (np.linspace(50, 150, 101), 100.0, 0.05, 0.2, 200))
@njit
def explicit_difference(s, strike, rate, vol, steps):
    n = s.size
    v = np.maximum(s - strike, 0.0)
    w = np.empty(n)
    ds = s[1] - s[0]
    dt = 0.0005
    for _ in range(steps):
        for i in range(1, n - 1):
            delta = (v[i + 1] - v[i - 1]) / (2 * ds)
            gamma = (v[i + 1] - 2 * v[i] + v[i - 1]) / (ds * ds)
            w[i] = v[i] + dt * (0.5 * vol * vol * s[i] * s[i] * gamma + rate * s[i] * delta - rate * v[i])
        w[0] = 0.0
        w[n - 1] = 2 * w[n - 2] - w[n - 3]
        v, w = w, v
    return v
