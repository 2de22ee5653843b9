"""Numbers: promotion, weak scalars, ints, bools, complex, the math module."""
import math

import numpy as np

from programs.case import Case


def weak_promotion(x, n, flag):
    """Python numbers follow the array's dtype; results have NumPy's exact dtypes."""
    return x * 2, x + 0.5, n / 2, n // 3, n % 4, n ** 2, -n, flag + 1, flag + flag, x * n, x > 0.1, n == 3


def integer_arithmetic(a, b):
    """Signs of // and % in NumPy on ints."""
    return a // b, a % b, a - b * (a // b), abs(a), a * a - b, a & b, a | 3, a ^ b, a << 1, a >> 1


def math_functions(x):
    """The math module on a float."""
    return math.sin(x) * math.exp(-x) + math.log1p(x) + math.atan2(x, 2.0) + math.pow(x, 1.5) + math.tanh(x) + math.pi


def python_builtins(a, b, c):
    """abs, min, max, pow, divmod, round, float and int."""
    big = max(a, b, c)
    small = min(a, b * c)
    quotient, rest = divmod(a, 0.3)
    return abs(small) + pow(big, 3) + quotient + rest, int(a * 10), float(3) * b


def powers(x):
    """Integer, negative, half and computed exponents."""
    return x ** 2 + x ** -1 + x ** 0.5 + 2.0 ** x + x ** x + x ** 3


def kinks(x):
    """abs, max, min and where away from their kinks."""
    return abs(x) + max(x, 0.0) * 3.0 + min(x, 0.5) + np.where(x > 0, x * x, -x)


def complex_scalars(z, w):
    """Complex arithmetic and functions."""
    return z * w + z / w - z.conjugate(), abs(z), z.real * w.imag, np.exp(1j * z), z ** 2


def complex_phase(r, phi):
    """Real in, real out, through complex numbers."""
    z = r * np.exp(1j * phi) + 0.5
    w = z * z - 1.0 / z
    return (w * np.conj(w)).real + w.imag


def dft_power(x):
    """A discrete Fourier transform in loops and its power spectrum."""
    n = len(x)
    out = np.zeros(n)
    for k in range(n):
        acc = 0j
        for t in range(n):
            acc += x[t] * np.exp(-2j * np.pi * k * t / n)
        out[k] = acc.real ** 2 + acc.imag ** 2
    return out


def joined_types(x):
    """An int that becomes a float in the loop, and a bool that becomes an int."""
    s = 0
    hits = False
    for v in x:
        s += v
        hits = hits + (v > 0)
    return s, hits


def float32_mix(x, y):
    """float32 beside float64 and Python numbers."""
    a = x * 2.0 + 1
    b = np.sum(x) * 3
    c = x + y
    d = np.zeros(3, dtype=np.float32)
    d += 0.1
    return a, b, c, d, np.float32(2.0) * y[0]


def int_array_float(n):
    """True division and mean of ints are float64; sums of int32 are int64."""
    return n / 2, np.mean(n), np.sum(n), np.sum(n.astype(np.int32)), n * 1.0, np.sqrt(n)


def black_scholes(spot, strike, rate, sigma, time):
    """An option price on floats, with tanh for the normal distribution and a nested helper."""
    d1 = (math.log(spot / strike) + (rate + 0.5 * sigma ** 2) * time) / (sigma * math.sqrt(time))
    d2 = d1 - sigma * math.sqrt(time)

    def normal(d):
        return 0.5 * (1.0 + math.tanh(0.7978845608 * (d + 0.044715 * d ** 3)))

    return spot * normal(d1) - strike * math.exp(-rate * time) * normal(d2)


CASES = (
    Case(weak_promotion, lambda rng: (np.float32(0.7), 7, True)),
    Case(weak_promotion, lambda rng: (rng.normal(size=3), rng.integers(1, 9, size=3), np.array([True, False, True])), name="weak_promotion_arrays"),
    Case(integer_arithmetic, lambda rng: (np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2]))),
    Case(math_functions, lambda rng: (0.7,), wrt=(0,), fails=((lambda rng: (-2.0,), ValueError),)),
    Case(python_builtins, lambda rng: (0.7, 1.3, -0.4), wrt=(0, 1, 2)),
    Case(powers, lambda rng: (0.5 + rng.random(4),), wrt=(0,)),
    Case(powers, lambda rng: (1.3,), wrt=(0,), name="powers_scalar"),
    Case(kinks, lambda rng: (0.3,), wrt=(0,), more=(lambda rng: (-0.7,),)),
    Case(complex_scalars, lambda rng: (1.0 + 2.0j, 0.5 - 1.5j)),
    Case(complex_phase, lambda rng: (1.3, 0.4), wrt=(0, 1)),
    Case(dft_power, lambda rng: (rng.normal(size=6),), wrt=(0,)),
    Case(joined_types, lambda rng: (rng.normal(size=5),), wrt=(0,)),
    Case(float32_mix, lambda rng: (rng.normal(size=3).astype(np.float32), rng.normal(size=3)), wrt=(0, 1)),
    Case(int_array_float, lambda rng: (rng.integers(0, 9, size=4),)),
    Case(black_scholes, lambda rng: (100.0, 105.0, 0.02, 0.3, 0.75), wrt=(0, 1, 2, 3, 4)),
)
