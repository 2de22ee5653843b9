"""scipy.optimize: minima that are searched for with random numbers, SciPy's own, drawn in its order.

Differential evolution (Storn and Price, 1997) and basin hopping (Wales and Doye, 1997). The search has no derivatives: which point it comes to is no subject of them. The minimum
that is found from there by gradients moves as every minimum does.
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from s2s.transforms.read.composed.given_generators import generator_of, whole_number
from s2s.transforms.read.composed.keyed_results import as_dict
from s2s.transforms.read.composed.marks import constant, unsupported
from s2s.transforms.read.composed.minimizing import a_number, minimize

ENDED = ("Optimization terminated successfully.", "Maximum number of iterations has been exceeded.")
STRATEGIES = ("best1", "rand1", "randtobest1", "currenttobest1", "best2", "rand2")


@as_dict("x", "fun", "nfev", "nit", "message", "success", "population", "population_energies", unsure=("jac",))
class EvolutionResult(NamedTuple):
    """What scipy.optimize.differential_evolution gives."""

    x: Any
    fun: Any
    nfev: Any
    nit: Any
    success: Any
    population: Any
    population_energies: Any

    @property
    def message(self):
        """How it ended."""
        return ENDED[0] if self.success else ENDED[1]


@as_dict("minimization_failures", "nfev", "njev", "lowest_optimization_result", "x", "fun", "message", "nit", "success")
class HoppingResult(NamedTuple):
    """What scipy.optimize.basinhopping gives."""

    x: Any
    fun: Any
    nfev: Any
    nit: Any
    minimization_failures: Any
    lowest_optimization_result: Any
    success: Any
    early: Any

    @property
    def message(self):
        """How it ended."""
        return ["success condition satisfied"] if self.early else ["requested number of basinhopping iterations completed successfully"]


# ---- differential evolution -----------------------------------------------------------------------------------------------------------


def differential_evolution(
    func, bounds, args=(), strategy="best1bin", maxiter=1000, popsize=15, tol=0.01, mutation=(0.5, 1), recombination=0.7, rng=None, callback=None, disp=False, polish=True, init="latinhypercube", atol=0, updating="immediate", workers=1,
    constraints=(), x0=None, *, integrality=None, vectorized=False, seed=None,
):  # fmt: skip
    """scipy.optimize.differential_evolution."""
    if callback is not None or disp or updating != "immediate" or workers != 1 or integrality is not None or vectorized or hasattr(constraints, "lb") or len(constraints) > 0 or callable(polish):
        unsupported("scipy.optimize.differential_evolution with callback, disp, updating='deferred', workers, constraints, integrality, vectorized or a function that polishes", "the others of its arguments")
    if not isinstance(strategy, str) or strategy[:-3] not in STRATEGIES or strategy[-3:] not in ("bin", "exp"):
        raise ValueError("Please select a valid mutation strategy")
    dithered = np.ndim(mutation) > 0 and len(mutation) > 1
    if np.any(~np.isfinite(np.asarray(mutation))) or np.any(np.asarray(mutation) >= 2) or np.any(np.asarray(mutation) < 0):
        raise ValueError("The mutation constant must be a float in U[0, 2), or specified as a tuple(min, max) where min < max and min, max are in U[0, 2).")
    arguments = args if isinstance(args, tuple) else (args,)
    low, high = _ends(bounds)
    middle, width = constant(0.5 * (low + high)), constant(np.abs(low - high))
    shares = np.where(width == 0.0, 0.0, 1.0 / np.where(width == 0.0, 1.0, width))
    generator = generator_of(rng, seed)
    population = _first(init, generator, low.shape[0], popsize * max(1, low.shape[0] - np.count_nonzero(width == 0.0)), middle, shares)
    if x0 is not None:
        population[0] = _inside(constant((np.asarray(x0) - middle) * shares + 0.5))
    count = population.shape[0]
    energies, order = np.empty(count), np.arange(count)

    def energy_of(member):
        return constant(a_number(func(middle + (member - 0.5) * width, *arguments)))

    for k in range(count):
        energies[k] = energy_of(population[k])
    _promote(population, energies)
    calls, nit, converged = count, 0, False
    while nit < maxiter and not converged:
        nit += 1
        scale = generator.uniform(min(mutation[0], mutation[1]), max(mutation[0], mutation[1])) if dithered else mutation[0] if np.ndim(mutation) > 0 else mutation
        for k in range(count):
            trial = _trial(population, k, order, scale, recombination, strategy, generator)
            energy = energy_of(trial)
            if energy <= energies[k]:
                population[k], energies[k] = trial, energy
                if energy <= energies[0]:
                    _promote(population, energies)
        calls += count
        converged = not np.any(np.isinf(energies)) and np.std(energies) <= atol + tol * np.abs(np.mean(energies))
    x = middle + (population[0] - 0.5) * width
    if polish:
        x, more = _polished(func, x, arguments, low, high, energies[0])
        calls += more
        energies[0], population[0] = min(energies[0], constant(a_number(func(x, *arguments)))), constant((x - middle) * shares + 0.5)
    return EvolutionResult(x, a_number(func(x, *arguments)), calls, nit, bool(converged), middle + (population - 0.5) * width, energies)


def _ends(bounds):
    if hasattr(bounds, "lb"):
        low, high = np.atleast_1d(np.asarray(bounds.lb, np.float64)), np.atleast_1d(np.asarray(bounds.ub, np.float64))
    else:
        pairs = np.asarray([(each[0], each[1]) for each in bounds], np.float64) if isinstance(bounds, list | tuple) else np.asarray(bounds, np.float64)
        low, high = pairs[:, 0], pairs[:, 1]
    if np.any(~np.isfinite(low)) or np.any(~np.isfinite(high)):
        raise ValueError("bounds should be a sequence containing finite real valued (min, max) pairs for each value in x")
    return low, high


def _inside(member):
    if np.any(member > 1.0) or np.any(member < 0.0):
        raise ValueError("Some entries in x0 lay outside the specified bounds")
    return member


def _first(init, generator, d, wanted, middle, shares):
    """The first population, between 0 and 1."""
    count = max(5, wanted)
    if not isinstance(init, str):
        given = np.asarray(init, np.float64)
        if given.ndim != 2 or given.shape[0] < 5 or given.shape[1] != d:
            raise ValueError("The population supplied needs to have shape (S, len(x)), where S > 4.")
        return np.clip(constant((given - middle) * shares + 0.5), 0.0, 1.0)
    if init == "random":
        return generator.uniform(size=(count, d))
    if init != "latinhypercube":
        unsupported(f"scipy.optimize.differential_evolution(…, init={init!r})", "'latinhypercube', 'random' or an array")
    drawn = 1.0 / count * generator.uniform(size=(count, d)) + (np.arange(count) * (1.0 / count))[:, np.newaxis]
    found = np.empty((count, d))
    for j in range(d):
        found[:, j] = drawn[generator.permutation(count), j]
    return found


def _promote(population, energies):
    """The best one first."""
    best = np.argmin(energies)
    member, energy = population[best].copy(), energies[best]
    population[best], energies[best] = population[0].copy(), energies[0]
    population[0], energies[0] = member, energy


def _trial(population, k, order, scale, recombination, strategy, generator):
    """What may take the place of a member, between 0 and 1."""
    d = population.shape[1]
    place = whole_number(generator, d)
    generator.shuffle(order)
    others = order[:6][order[:6] != k]
    mutant, crossed = _mutant(population, k, others, scale, strategy[:-3]), generator.uniform(size=d) < recombination
    trial = population[k].copy()
    if strategy[-3:] == "bin":
        crossed[place] = True
        trial = np.where(crossed, mutant, trial)
    else:
        crossed[0] = True
        j = 0
        while j < d and crossed[j]:
            trial[place] = mutant[place]
            place = (place + 1) % d
            j += 1
    for j in range(d):
        if trial[j] > 1 or trial[j] < 0:
            trial[j] = generator.uniform()
    return trial


def _mutant(p, k, others, scale, name):
    if name == "best1":
        return p[0] + scale * (p[others[0]] - p[others[1]])
    if name == "rand1":
        return p[others[0]] + scale * (p[others[1]] - p[others[2]])
    if name == "randtobest1":
        start = p[others[0]] + scale * (p[0] - p[others[0]])
        return start + scale * (p[others[1]] - p[others[2]])
    if name == "currenttobest1":
        return p[k] + scale * (p[0] - p[k] + p[others[0]] - p[others[1]])
    if name == "best2":
        return p[0] + scale * (p[others[0]] + p[others[1]] - p[others[2]] - p[others[3]])
    return p[others[0]] + scale * (p[others[1]] + p[others[2]] - p[others[3]] - p[others[4]])


def _polished(func, x, arguments, low, high, least):
    """The minimum from there, and how many calls it took; the point itself where it is as good, which moves as the minimum."""
    found = minimize(func, x, arguments, "L-BFGS-B", bounds=np.stack((low, high), axis=1))
    better = constant(found.fun) < least and found.success and np.all(constant(found.x) <= high) and np.all(constant(found.x) >= low)
    return found.x + np.where(better, 0.0, x - constant(found.x)), found.nfev


# ---- basin hopping ----------------------------------------------------------------------------------------------------------------------


def basinhopping(
    func, x0, niter=100, T=1.0, stepsize=0.5, minimizer_kwargs=None, take_step=None, accept_test=None, callback=None, interval=50, disp=False, niter_success=None, rng=None, *, target_accept_rate=0.5, stepwise_factor=0.9, seed=None
):  # fmt: skip
    """scipy.optimize.basinhopping."""
    if take_step is not None or accept_test is not None or callback is not None or disp:
        unsupported("scipy.optimize.basinhopping with take_step, accept_test, callback or disp", "the others of its arguments")
    if target_accept_rate <= 0.0 or target_accept_rate >= 1.0:
        raise ValueError("target_accept_rate has to be in range (0, 1)")
    if stepwise_factor <= 0.0 or stepwise_factor >= 1.0:
        raise ValueError("stepwise_factor has to be in range (0, 1)")
    words, generator = {} if minimizer_kwargs is None else minimizer_kwargs, generator_of(rng, seed)
    most, beta = niter + 2 if niter_success is None else niter_success, 1.0 / T if T != 0 else math.inf
    start = np.atleast_1d(np.asarray(x0, np.float64))

    def descended(place):
        found = minimize(func, place, **words)
        return constant(found.x), constant(found.fun), found.success, found.nfev, found.nit

    x, energy, success, calls, trips = descended(constant(start))
    best, least, best_success, failures = x, energy, success, 0 if success else 1
    best_calls, best_trips = calls, trips
    taken = unchanged = steps = 0
    while steps < niter and unchanged <= most:
        steps += 1
        if steps % interval == 0:
            stepsize = stepsize / stepwise_factor if taken / steps > target_accept_rate else stepsize * stepwise_factor
        there, value, well, more, trips = descended(x + generator.uniform(-stepsize, stepsize, x.shape))
        calls, failures, unchanged = calls + more, failures if well else failures + 1, unchanged + 1
        chance = math.exp(min(0.0, -(value - energy) * beta))
        if chance >= generator.uniform() and (well or not success):
            taken += 1
            x, energy, success = there, value, well
            if well and (value < least or not best_success):
                best, least, best_success, unchanged = there, value, well, 0
                best_calls, best_trips = more, trips
    moving = minimize(func, best, **words)  # the point stays, also where the steps had not come to an end: it moves as the minimum does
    found = moving._replace(x=best + (moving.x - constant(moving.x)), fun=least + (moving.fun - constant(moving.fun)), success=best_success, nfev=best_calls, nit=best_trips)
    return HoppingResult(found.x, found.fun, calls, steps, failures, found, best_success, unchanged > most)


GLOBAL_MINIMA: dict[str, Any] = {f"scipy.optimize.{function.__name__}": function for function in (differential_evolution, basinhopping)}
"""By qualified name."""
