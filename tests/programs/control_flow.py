"""Branches and loops of every form."""
import numpy as np

from programs.case import Case


def leaky(x, slope):
    """A branch that stays a branch."""
    if x > 0.0:
        y = x * x
    else:
        y = slope * x
    return y


def early_return(x, limit):
    """Returns from the middle of nested loops."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] < 0.0:
                continue
            total += x[i, j] ** 2
            if total > limit:
                return total * 10.0
    return total


def first_negative(x):
    """break, and what the loop variable holds afterwards."""
    found = -1
    for i in range(len(x)):
        if x[i] < 0:
            found = i
            break
    return found, i


def while_else(n):
    """A while with else and break: a prime test."""
    d = 2
    while d * d <= n:
        if n % d == 0:
            answer = False
            break
        d += 1
    else:
        answer = n > 1
    return answer


def collatz(n):
    """A while on ints."""
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def gcd(a, b):
    """Simultaneous assignment in a while."""
    while b:
        a, b = b, a % b
    return a


def piecewise(x):
    """Chained comparisons, and/or/not and nested ternaries, element by element."""
    out = np.zeros_like(x)
    for i in range(len(x)):
        v = x[i]
        if -0.5 <= v < 0.5:
            out[i] = v ** 3
        elif v >= 0.5 and v < 1.0 or v < -1.0:
            out[i] = np.exp(-v)
        else:
            out[i] = v if not v > 1.5 else 2.0 * v - 1.5 if v < 3 else 4.5
    return out


def horner(coefficients, x):
    """A polynomial's value and derivative."""
    value = 0.0
    slope = 0.0
    for c in coefficients[::-1]:
        slope = slope * x + value
        value = value * x + c
    return value, slope


def mandelbrot(re, im, limit):
    """Escape counts and the last modulus: a while with two conditions per pixel."""
    n, m = len(im), len(re)
    count = np.zeros((n, m), dtype=np.int32)
    size = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            x = y = 0.0
            k = 0
            while k < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + re[j], 2.0 * x * y + im[i]
                k += 1
            count[i, j] = k
            size[i, j] = np.sqrt(x * x + y * y)
    return count, size


def checked(x, n):
    """assert and raise on run-time conditions."""
    assert n >= 0, "n must not be negative"
    if n > len(x):
        raise IndexError("n is too large")
    total = 0.0
    for i in range(n):
        total += np.log(x[i])
    return total


def triangular(A):
    """Loops whose bounds depend on outer indices; only the lower half is read."""
    n = A.shape[0]
    total = 0.0
    for i in range(n):
        for j in range(i + 1):
            for k in range(j, i + 1, 2):
                total += A[i, j] * A[k, j]
    return total


def countdown(x, step):
    """A range with a run-time step, possibly negative."""
    start, stop = (0, len(x)) if step > 0 else (len(x) - 1, -1)
    total = 0.0
    weight = 1.0
    for i in range(start, stop, step):
        total += weight * x[i]
        weight *= 0.5
    return total


def conditional_loop(x, use_square):
    """A bool argument chooses the loop; arrays are updated in one branch only."""
    y = x.copy()
    if use_square:
        for i in range(len(y)):
            y[i] *= y[i]
    total = np.sum(y)
    if total > 1.0:
        y /= total
    return y


def helper_early(x):
    """A helper with an early return."""
    if x < 0:
        return 0.0
    return np.sqrt(x)


def calls_early(x):
    """Calls it in a loop."""
    total = 0.0
    for v in x:
        total += helper_early(v) * v
    return total


def factorial(n):
    """Recursion on a static argument."""
    return 1 if n <= 1 else n * factorial(n - 1)


def taylor_exp(x, terms):
    """Calls a recursive helper on static numbers."""
    return sum([x ** k / factorial(k) for k in range(terms)])


CASES = (
    Case(leaky, lambda rng: (1.5, 0.1), wrt=(0, 1), more=(lambda rng: (-1.5, 0.1),)),
    Case(leaky, lambda rng: (0.0, 0.1), name="leaky_at_kink"),
    Case(leaky, lambda rng: (np.float32(-1.5), np.float32(0.1)), wrt=(0, 1), name="leaky_f4"),
    Case(early_return, lambda rng: (rng.normal(size=(4, 5)), 4.0), wrt=(0,), more=(lambda rng: (rng.normal(size=(2, 2)), 400.0),)),
    Case(first_negative, lambda rng: (np.array([1.0, 2.0, -1.0, 3.0]),), more=(lambda rng: (np.array([1.0, 2.0]),),)),
    Case(while_else, lambda rng: (97,), more=(lambda rng: (91,), lambda rng: (1,))),
    Case(collatz, lambda rng: (27,), more=(lambda rng: (1,),)),
    Case(gcd, lambda rng: (84, 36), more=(lambda rng: (7, 0),)),
    Case(piecewise, lambda rng: (np.array([-1.7, -0.7, -0.2, 0.3, 0.8, 1.2, 1.7, 3.5]),), wrt=(0,)),
    Case(horner, lambda rng: (rng.normal(size=5), 0.7), wrt=(0, 1), more=(lambda rng: (rng.normal(size=0), 0.7),)),
    Case(mandelbrot, lambda rng: (np.linspace(-2, 0.6, 5), np.linspace(-1.1, 1.1, 4), 12)),
    Case(checked, lambda rng: (0.5 + rng.random(5), 4), wrt=(0,), more=(lambda rng: (0.5 + rng.random(5), 0),),
         fails=((lambda rng: (0.5 + rng.random(5), -1), AssertionError), (lambda rng: (0.5 + rng.random(5), 6), IndexError))),
    Case(triangular, lambda rng: (rng.normal(size=(5, 5)),), wrt=(0,)),
    Case(countdown, lambda rng: (rng.normal(size=7), 2), wrt=(0,), more=(lambda rng: (rng.normal(size=7), -3),),
         fails=((lambda rng: (rng.normal(size=7), 0), ValueError),)),
    Case(conditional_loop, lambda rng: (rng.normal(size=5), True), wrt=(0,), more=(lambda rng: (rng.normal(size=5), False),)),
    Case(calls_early, lambda rng: (rng.normal(size=6),), wrt=(0,)),
    Case(taylor_exp, lambda rng: (0.7, 6), wrt=(0,), static=(1,)),
)
