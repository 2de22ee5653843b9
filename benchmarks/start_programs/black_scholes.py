"""Prices of European options (Black and Scholes 1973), the normal distribution by a polynomial (Abramowitz and Stegun 26.2.17)."""
import numpy as np

ARGNUMS = (0, 3, 4)
STATIC = ()


def normal_cdf(x):
    """The distribution function of the standard normal."""
    a = np.abs(x)
    k = 1.0 / (1.0 + 0.2316419 * a)
    poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = np.exp(-0.5 * a * a) / np.sqrt(2.0 * np.pi) * poly
    return np.where(x >= 0.0, 1.0 - tail, tail)


def loss(spot, strike, years, rate, volatility):
    """The worth of all calls and puts."""
    root = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    paid = strike * np.exp(-rate * years)
    call = spot * normal_cdf(d1) - paid * normal_cdf(d2)
    put = paid * normal_cdf(-d2) - spot * normal_cdf(-d1)
    return np.sum(call) + np.sum(put)


def arguments():
    """A hundred options."""
    rng = np.random.default_rng(0)
    return rng.uniform(50, 150, 100), rng.uniform(50, 150, 100), rng.uniform(0.1, 2, 100), 0.03, rng.uniform(0.1, 0.5, 100)
