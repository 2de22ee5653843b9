"""All rows by their names, for those who build with many: `rows.sin(x)`, `rows.select(test, yes, no)`.

What a module of rows defines is here, so that a new row needs no line (`tests/test_table.py`).
"""
from s2s.transforms.primitives.arithmetic import *  # noqa: F403
from s2s.transforms.primitives.bessel import *  # noqa: F403
from s2s.transforms.primitives.bessel_integrals import *  # noqa: F403
from s2s.transforms.primitives.bits import *  # noqa: F403
from s2s.transforms.primitives.cholesky import *  # noqa: F403
from s2s.transforms.primitives.contract import *  # noqa: F403
from s2s.transforms.primitives.conversion import *  # noqa: F403
from s2s.transforms.primitives.decompositions import *  # noqa: F403
from s2s.transforms.primitives.eigenvectors import *  # noqa: F403
from s2s.transforms.primitives.elementwise import *  # noqa: F403
from s2s.transforms.primitives.fourier import *  # noqa: F403
from s2s.transforms.primitives.general_matrices import *  # noqa: F403
from s2s.transforms.primitives.hypergeometric import *  # noqa: F403
from s2s.transforms.primitives.indexing import *  # noqa: F403
from s2s.transforms.primitives.joining import *  # noqa: F403
from s2s.transforms.primitives.lapack import *  # noqa: F403
from s2s.transforms.primitives.linear_algebra import *  # noqa: F403
from s2s.transforms.primitives.logic import *  # noqa: F403
from s2s.transforms.primitives.matrix_powers import *  # noqa: F403
from s2s.transforms.primitives.orthogonal_factors import *  # noqa: F403
from s2s.transforms.primitives.probabilities import *  # noqa: F403
from s2s.transforms.primitives.rarer_special import *  # noqa: F403
from s2s.transforms.primitives.reductions import *  # noqa: F403
from s2s.transforms.primitives.riccati import *  # noqa: F403
from s2s.transforms.primitives.special import *  # noqa: F403
from s2s.transforms.primitives.special_of_scipy import *  # noqa: F403
from s2s.transforms.primitives.structural import *  # noqa: F403
from s2s.transforms.primitives.sylvester import *  # noqa: F403
