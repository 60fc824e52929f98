"""Prices of European options by the formula of Black and Scholes, in single precision.

usage: black_scholes.py [--size OPTIONS] [--pictures FOLDER]
"""

import math

import numpy as np
from common import blocks, check, options, show_time, where
from numbra import cuda
from numbra.types import float32
from picture import save_lines

RATE, VOLATILITY = np.float32(0.02), np.float32(0.30)


@cuda.jit(device=True)
def normal_cdf(d):
    """The share of normal numbers below `d`: a polynomial that is right to 7 digits.

    Constants are made float32: one of Python's own would widen every operation to float64.
    """
    k = float32(1.0) / (float32(1.0) + float32(0.2316419) * abs(d))
    poly = float32(-1.821255978) + k * float32(1.330274429)
    poly = float32(-0.356563782) + k * (float32(1.781477937) + k * poly)
    poly = k * (float32(0.31938153) + k * poly)
    tail = float32(0.3989422804) * math.exp(float32(-0.5) * d * d) * poly
    return float32(1.0) - tail if d > 0 else tail


@cuda.jit
def price(call, put, stock, strike, years, rate, volatility):
    """The prices of one option a thread."""
    i = cuda.grid(1)
    if i >= stock.size:
        return
    root = math.sqrt(years[i])
    drift = (rate + float32(0.5) * volatility * volatility) * years[i]
    d1 = (math.log(stock[i] / strike[i]) + drift) / (volatility * root)
    d2 = d1 - volatility * root
    discounted = strike[i] * math.exp(-rate * years[i])
    n1, n2 = normal_cdf(d1), normal_cdf(d2)
    call[i] = stock[i] * n1 - discounted * n2
    put[i] = discounted * (float32(1.0) - n2) - stock[i] * (float32(1.0) - n1)


def expected(stock, strike, years, rate, volatility):
    """The same in float64, with `math.erf`."""
    stock, strike, years = (np.asarray(v, np.float64) for v in (stock, strike, years))
    rate, volatility = float(rate), float(volatility)
    cdf = np.vectorize(lambda d: 0.5 * (1 + math.erf(d / math.sqrt(2))), otypes=[np.float64])
    d1 = (np.log(stock / strike) + (rate + volatility**2 / 2) * years) / (volatility * np.sqrt(years))
    d2 = d1 - volatility * np.sqrt(years)
    discounted = strike * np.exp(-rate * years)
    return stock * cdf(d1) - discounted * cdf(d2), discounted * cdf(-d2) - stock * cdf(-d1)


def run(stock, strike, years):
    """Call and put prices: three arrays go to the device, two come back."""
    inputs = [cuda.to_device(v) for v in (stock, strike, years)]
    outputs = [cuda.device_array_like(stock) for _ in range(2)]
    launch = price[blocks(stock.size, 256), 256]
    launch(*outputs, *inputs, RATE, VOLATILITY)
    return [v.copy_to_host() for v in outputs], lambda: launch(*outputs, *inputs, RATE, VOLATILITY)


def main():
    chosen = options(__doc__, size=1 << 22, simulated=1000)
    print(f"{chosen.size} options, {where()}")
    rng = np.random.default_rng(7)
    limits = ((5, 30), (1, 100), (0.25, 10))
    stock, strike, years = (rng.uniform(lo, hi, chosen.size).astype(np.float32) for lo, hi in limits)
    (call, put), again = run(stock, strike, years)
    some = slice(0, 20_000)
    want_call, want_put = expected(stock[some], strike[some], years[some], RATE, VOLATILITY)
    check("calls", call[some], want_call, rtol=1e-4, atol=1e-3)
    check("puts", put[some], want_put, rtol=1e-4, atol=1e-3)
    parity = stock.astype(np.float64) - strike * np.exp(-RATE * years.astype(np.float64))
    check("call - put", call.astype(np.float64) - put, parity, rtol=1e-3, atol=1e-3)
    show_time("kernel", again)

    if chosen.pictures:
        spot = np.linspace(1, 60, 119).astype(np.float32)
        curves = {}
        for years in (0.25, 2.0):
            (call, put), _ = run(spot, np.full_like(spot, 30), np.full_like(spot, years))
            curves |= {f"call, {years:g} y": call, f"put, {years:g} y": put}
        path = chosen.pictures / "black_scholes.svg"
        save_lines(path, "Options with a strike of 30", "price of the stock", "price of the option", spot, curves)


if __name__ == "__main__":
    main()
