"""linearize and linear_transpose."""
from types import SimpleNamespace

import numpy as np
import pytest

import s2s
from s2s.transforms import linearity
from s2s.transforms.primitives.table import PRIMITIVES if False else ROWS
