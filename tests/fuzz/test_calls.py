"""Random calls of every function of the tables, against NumPy: `python -m tests.fuzz.run --calls` draws as many as wanted.

The seed of a run is 1 (`S2S_FUZZ_SEED` sets another), and is printed with what fails. Nothing may be wrong or end in an error of s2s
itself (faults that are known stand in `calls_known.json`, by function); how many calls may be refused, raise another exception or the
same one with other words, stands in `calls_bounds.py`.
"""
from __future__ import annotations

import inspect
from collections import Counter

import numpy as np
import pytest
import scipy.cluster.hierarchy
import scipy.cluster.vq
import scipy.fftpack  # noqa: F401 (nobody else loads them)
from lapack_stand_in import stand_ins

from fuzz import calls_table as table
from fuzz.calls import NAMES, function_of, parameters, seeds
from fuzz.calls_bounds import exceeded, report
from fuzz.calls_check import Tally, examine, examine_text, minimise, program_text
from fuzz.calls_compare import Different, same
from fuzz.calls_found import FOUND
from fuzz.calls_kinds import KINDS
from fuzz.calls_known import is_known
from fuzz.seeds import SEED
from s2s.calls import building
from s2s.transforms.primitives.bessel_integrals import BESSEL_INTEGRALS
from s2s.transforms.primitives.probabilities import INVERSES
from s2s.transforms.primitives.rarer_special import RARER_SPECIAL
from s2s.transforms.read.composed.harmonics import HARMONICS
from s2s.transforms.read.composed.matrix_distributions import MATRICES
from s2s.transforms.read.composed.matrix_forms import FORMS as MATRIX_FORMS
from s2s.transforms.read.composed.scipy_table import DISTRIBUTIONS, FORMS, STANDARDIZED
from s2s.transforms.read.composed.sequence_tables import TABLES
from s2s.transforms.read.composed.table import CALLING, COMPOSED, COMPOSED_METHODS
from s2s.transforms.read.names import resolved
from s2s.transforms.read.numpy.table import ARRAY_ATTRIBUTES, ARRAY_METHODS, ARRAY_UPDATES, NUMPY_FUNCTIONS, UPDATES

WORKERS, CALLS = 4, 280
NEWER = {"descending", "check_bounds", "steps", "overwrite_b"}
"""Parameters that functions have in some of the versions that we read only: of NumPy's sorts and as_strided since 2.5, math.nextafter since Python 3.12, SciPy's eigvals since 1.18."""
GONE = {"disp", "blocksize"}
"""Those of SciPy's sqrtm, logm and signm until 1.17."""


def test_every_function_of_the_tables_is_drawn():
    drawn = {function_of(name) for name in (*table.UFUNCS, *table.CALLS, *table.UPDATES)}
    by_formulas = {resolved(name) for name in STANDARDIZED if name not in DISTRIBUTIONS}  # test_distributions.py
    others = {*by_formulas, *CALLING, *map(resolved, FORMS), *(resolved(name) for name in COMPOSED.entries if name.startswith(("cmath.", "scipy.interpolate.", "numpy.polynomial."))), np.ndarray.tolist, np.ndarray.partition, np.ndarray.view, int.bit_length, int.bit_count, np.unique_values}  # of Python's complex numbers: test_complex.py; they take or give functions: test_integration.py, test_roots.py; test_scipy_forms.py, test_splines.py, test_series.py; drawn as methods; in no order that NumPy says
    others |= {getattr(op, method) for op in (np.power, np.float_power, np.arctan2) for method in ("reduce", "accumulate", "reduceat")}  # NumPy's own depend on the machine
    others |= {resolved(f"scipy.linalg.{name}") for name in ("cho_solve_banded", "cholesky_banded", "solveh_banded", "ldl", "matrix_balance")}  # of bands of definite matrices: test_matrix_functions.py
    others |= {resolved(name) for name in (*MATRIX_FORMS, *MATRICES, *HARMONICS, *TABLES)}  # test_matrix_functions.py, test_vector_distributions.py, test_composed.py, test_quasi_random.py
    others |= {resolved(f"scipy.special.{name}") for name in (*BESSEL_INTEGRALS, *INVERSES, *RARER_SPECIAL)}  # at edges: test_special.py
    others.add(np.broadcast)  # it gives an object: test_published_code.py
    others |= {resolved(f"scipy.stats.{name}") for name in ("dirichlet.rvs", "multivariate_normal.rvs", "multivariate_normal.cdf", "multivariate_normal.logcdf")}  # test_vector_distributions.py
    others |= {resolved(name) for name in COMPOSED.entries if name.startswith("scipy.stats.") and name.rpartition(".")[2] in ("moment", "stats", "support")}  # test_distribution_moments.py
    missing = [function for function in (*NUMPY_FUNCTIONS, *COMPOSED, *UPDATES) if function not in drawn and function not in others]
    assert not missing, f"calls_table has no entry for {missing}"
    assert set(table.METHODS) == {*ARRAY_METHODS, *ARRAY_UPDATES, *COMPOSED_METHODS, "view"}  # view: numpy_calls.py
    assert set(table.ATTRIBUTES) == set(ARRAY_ATTRIBUTES)


def has_signature(name):
    try:
        inspect.signature(function_of(name))
    except (TypeError, ValueError):
        return False
    return True


@pytest.mark.parametrize("name", [name for name in (*table.CALLS, *table.UPDATES) if has_signature(name) and name != "bool"])  # whose parameter has another name in Python 3.13
def test_every_parameter_is_drawn(name):
    signature = inspect.signature(function_of(name))
    own = [key for key, parameter in signature.parameters.items() if parameter.kind is not parameter.VAR_KEYWORD]
    drawn = [parameter.name for parameter in parameters(name)]
    assert [key for key in own if key not in drawn and key not in NEWER] == []
    assert [key for key in drawn if key not in own and key not in GONE] == [] or any(parameter.kind is parameter.VAR_KEYWORD for parameter in signature.parameters.values())


def test_every_kind_is_known():
    """`left_out`: a parameter that is never given."""
    assert {parameter.kind for name in NAMES for parameter in parameters(name)} <= {*KINDS, "left_out"}


@pytest.mark.parametrize(("body", "arguments"), FOUND)
def test_found(body, arguments):
    given = eval(f"({arguments},)", {"np": np})
    for outcome in examine_text(body, given):
        assert outcome.kind in ("right", "raised", "copied"), outcome


@pytest.fixture
def as_python(monkeypatch):
    """Emitted kernels run as the Python that they are; what they call by symbols stands in for itself."""
    load = building.compiler.load_text

    def load_text(*args):
        module = load(*args)
        vars(module).update(stand_ins(module))
        return module

    monkeypatch.setattr("numba.core.config.DISABLE_JIT", 1)
    monkeypatch.setattr(building.compiler, "load_text", load_text)


@pytest.mark.usefixtures("as_python")
def test_found_as_written_for_the_compiler():
    for body, arguments in FOUND:
        (outcome,) = examine_text(body, eval(f"({arguments},)", {"np": np}), target="cpu")
        assert outcome.kind in ("right", "raised", "copied"), (body, outcome)


def failures(calls, points=4, **options):
    tally = Tally()
    for number, call in enumerate(calls):
        for point, outcome in examine(call, points, second=number % 10 == 0, **options):
            tally.add(call, point, outcome)
    return tally, [(label, *found[0]) for label, found in tally.faults.items() if found[0][2].kind in ("wrong", "internal") and not is_known(found[0][0].name, found[0][2])]


def check_calls(seed, count, **options):
    with np.errstate(all="ignore"):
        tally, failed = failures(seeds(seed, count), **options)
        texts = []
        for label, call, point, outcome in failed[:5]:
            call, point, outcome = minimise(call, point, outcome, **options)
            texts.append(f"{label}\n{program_text(call, point)}\n{outcome.detail}")
    print(f"seed {seed}: {report(tally.kinds)}")
    assert not failed, f"seed {seed}: {len(failed)} faults\n" + "\n\n".join(texts)
    return tally.kinds


@pytest.mark.parametrize("part", range(WORKERS))
def test_calls(part):
    kinds = check_calls(SEED * 10 + part, CALLS)
    assert not exceeded(kinds), report(kinds)


@pytest.mark.usefixtures("as_python")
def test_calls_as_written_for_the_compiler():
    """The emitted loops run as the Python that they are."""
    check_calls(SEED * 10 + 9, 150, target="cpu", derivatives=False)


def test_bounds():
    kinds = Counter(right=92, refused=8)
    assert exceeded(kinds) == []
    assert exceeded(kinds + Counter(wrong=1)) == ["1 wrong calls (1.0%), at most 0.0%"]
    assert exceeded(Counter(right=50, refused=50)) == ["50 refused calls (50.0%), at most 9.0%"]


@pytest.mark.slow
def test_calls_compiled():
    check_calls(SEED * 10 + 8, 40, target="cpu", derivatives=False)


def test_all_names_are_distinct():
    assert len(set(NAMES)) == len(NAMES)


def test_complex_numbers_where_numpys_are_real_are_compared():
    wanted = np.array([1.0, 2.0])
    for found, what in ((wanted + 0j, "dtype"), (wanted + 1j, "dtype and value")):
        with pytest.raises(Different) as caught:
            same(found, wanted, "result")
        assert caught.value.what == what
