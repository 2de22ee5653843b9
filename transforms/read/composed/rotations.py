"""scipy.spatial.transform: rotations in space as quaternions (x, y, z, w), and turning from one to the next. The classes are read like a user's own.

Euler angles of a quaternion: Bernardes and Viollet 2022, "Quaternion to Euler angles conversion: A direct, general and computationally efficient method".
"""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s.transforms.read.composed.given_generators import generator_of
from s2s.transforms.read.composed.marks import surely, unsupported
from s2s.transforms.read.names import within

SMALL = 1e-8
"""The square of an angle below which series stand for what has no slope there."""


class Rotation:
    """scipy.spatial.transform.Rotation: quaternions along the last axis."""

    def __init__(self, quat):
        self.quat = quat

    def __given_back__(self):
        """SciPy's own object."""
        from scipy.spatial import transform

        return transform.Rotation(self.quat, normalize=False)

    def __getattr__(self, name):
        unsupported(f"{name} of a scipy.spatial.transform.Rotation", "as_matrix(), as_quat(), as_rotvec(), as_euler(…), apply(…), inv(), magnitude(), mean(), * and **")

    @property
    def single(self):
        return self.quat.ndim == 1

    @property
    def shape(self):
        return self.quat.shape[:-1]

    def __len__(self):
        if self.quat.ndim == 1:
            raise TypeError("Single rotation has no len().")
        return self.quat.shape[0]

    def __getitem__(self, indexer):
        if self.quat.ndim == 1:
            raise TypeError("Single rotation is not subscriptable.")
        return Rotation(self.quat[indexer])

    def __mul__(self, other):
        return Rotation(composed(self.quat, other.quat))

    def __pow__(self, n):
        return from_rotvec(self.as_rotvec() * n)

    def inv(self):
        return Rotation(self.quat * np.array([-1.0, -1.0, -1.0, 1.0]))

    def as_quat(self, canonical=False, *, scalar_first=False):
        q = upper(self.quat) if canonical else self.quat + 0.0
        return np.roll(q, 1, axis=-1) if scalar_first else q

    def as_matrix(self):
        return matrix_of(self.quat)

    def as_rotvec(self, degrees=False):
        vector = vector_of(self.quat)
        return np.rad2deg(vector) if degrees else vector

    def as_euler(self, seq, degrees=False, *, suppress_warnings=False):
        angles = angles_of(self.quat, seq)
        return np.rad2deg(angles) if degrees else angles

    def magnitude(self):
        return 2.0 * np.arctan2(_length(self.quat[..., :3]), np.abs(self.quat[..., 3]))

    def apply(self, vectors, inverse=False):
        vectors = np.asarray(vectors)
        if vectors.ndim == 0 or vectors.shape[-1] != 3:
            raise ValueError(f"Expected input of shape (..., 3), got {vectors.shape}.")
        matrix = matrix_of(self.quat)
        turned = matrix if inverse else np.swapaxes(matrix, -1, -2)
        if matrix.ndim == 2:
            return vectors @ turned
        return np.sum(vectors[..., :, np.newaxis] * turned, axis=-2)

    def mean(self, weights=None):
        if self.quat.ndim > 2:
            unsupported("the mean of rotations along several axes", "a row of rotations")
        q = np.reshape(self.quat, (-1, 4))
        shares = np.ones(q.shape[0]) if weights is None else np.asarray(weights)
        return Rotation(np.linalg.eigh((q.T * shares) @ q)[1][:, -1])


def _length(v):
    """Along the last axis; with slope 0 where it is 0."""
    square = np.sum(v * v, axis=-1)
    none = square == 0
    return np.where(none, 0.0, np.sqrt(np.where(none, 1.0, square)))


def composed(p, q):
    """The product of quaternions: first q, then p."""
    a, b, c, d = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    return np.stack((d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z), axis=-1)


def upper(q):
    """The one of q and -q whose last part that is not 0, from w over x to z, is positive."""
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    below = (w < 0) | ((w == 0) & ((x < 0) | ((x == 0) & ((y < 0) | ((y == 0) & (z < 0))))))
    return np.where(below[..., np.newaxis], -q, q)


def matrix_of(q):
    """The matrix of a unit quaternion."""
    x, y, z, w = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = (
        (x * x - y * y - z * z + w * w, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)),
        (2.0 * (x * y + z * w), y * y - x * x - z * z + w * w, 2.0 * (y * z - x * w)),
        (2.0 * (x * z - y * w), 2.0 * (y * z + x * w), z * z - x * x - y * y + w * w),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def vector_of(q):
    """The axis times the angle from 0 to pi."""
    q = np.where(q[..., 3:] < 0, -q, q)
    v, w = q[..., :3], q[..., 3:]
    square = np.sum(v * v, axis=-1)[..., np.newaxis]
    tiny = square < SMALL
    length = np.sqrt(np.where(tiny, 1.0, square))
    part = np.where(tiny, w, 1.0)
    ratio = np.where(tiny, square, 0.0) / (part * part)
    return v * np.where(tiny, 2.0 / part * (1.0 - ratio / 3.0 + ratio * ratio / 5.0), 2.0 * np.arctan2(length, w) / length)


def _axes(seq):
    """Which axes the letters name; SciPy's errors."""
    lower = seq.lower()
    if seq not in (lower, seq.upper()) or not set(lower) <= set("xyz"):
        raise ValueError(f"Expected axes from `seq` to be from ['x', 'y', 'z'] or ['X', 'Y', 'Z'], got {seq}")
    if any(one == other for one, other in itertools.pairwise(lower)):
        raise ValueError(f"Expected consecutive axes to be different, got {seq}")
    return tuple("xyz".index(letter) for letter in lower)


def _near(angle):
    """Between -pi and pi."""
    return np.where(angle < -np.pi, angle + 2.0 * np.pi, np.where(angle > np.pi, angle - 2.0 * np.pi, angle))


def angles_of(q, seq):
    """The three angles; where the middle one leaves only a sum of the others, the third is 0."""
    if len(seq) != 3:
        raise ValueError(f"Expected 3 axes, got {seq}.")
    axes, outer = _axes(seq), seq == seq.lower()
    i, j, k = axes if outer else axes[::-1]
    proper = i == k
    k = 3 - i - j if proper else k
    sign = (i - j) * (j - k) * (k - i) // 2
    first, second, third, w = q[..., i], q[..., j], q[..., k] * float(sign), q[..., 3]
    a, b, c, d = (w, first, second, third) if proper else (w - second, first + third, second + w, third - first)
    middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    closed, turned = np.abs(middle) <= 1e-7, np.abs(middle - np.pi) <= 1e-7
    apart = ~(closed | turned)
    total, gap = np.arctan2(b, a), np.arctan2(d, c)
    locked = np.where(closed, 2.0 * total, 2.0 * gap * (-1.0 if outer else 1.0))
    low, high = total - gap, total + gap
    high = high if proper else high * float(sign)
    middle = middle if proper else middle - np.pi / 2.0
    locked_third = locked if outer or proper else locked * float(sign)
    ends = (np.where(apart, low, locked), np.where(apart, high, 0.0)) if outer else (np.where(apart, high, locked_third), np.where(apart, low, 0.0))
    return np.stack((_near(ends[0]), _near(middle), _near(ends[1])), axis=-1)


# ---- how they are made -----------------------------------------------------------------------------------------------------------


def from_quat(quat, *, scalar_first=False):
    """scipy.spatial.transform.Rotation.from_quat."""
    q = np.asarray(quat) + 0.0
    if q.ndim == 0 or q.shape[-1] != 4:
        raise ValueError(f"Expected `quat` to have shape (..., 4), got {q.shape}.")
    q = np.roll(q, -1, axis=-1) if scalar_first else q
    square = np.sum(q * q, axis=-1)
    if np.any(square == 0):
        raise ValueError("Found zero norm quaternions in `quat`.")
    return Rotation(q / np.sqrt(square)[..., np.newaxis])


def from_rotvec(rotvec, degrees=False):
    """scipy.spatial.transform.Rotation.from_rotvec."""
    v = np.asarray(rotvec) + 0.0
    if v.ndim == 0 or v.shape[-1] != 3:
        raise ValueError(f"Expected `rot_vec` to have shape (..., 3), got {v.shape}")
    v = np.deg2rad(v) if degrees else v
    square = np.sum(v * v, axis=-1)[..., np.newaxis]
    tiny = square < SMALL
    angle, left = np.sqrt(np.where(tiny, 1.0, square)), np.where(tiny, square, 0.0)
    part = np.where(tiny, 0.5 - left / 48.0 + left * left / 3840.0, np.sin(angle / 2.0) / angle)
    return Rotation(np.concatenate((v * part, np.where(tiny, 1.0 - left / 8.0 + left * left / 384.0, np.cos(angle / 2.0))), axis=-1))


def from_euler(seq, angles, degrees=False):
    """scipy.spatial.transform.Rotation.from_euler."""
    if len(seq) < 1 or len(seq) > 3:
        raise ValueError(f"Expected axis specification to be a non-empty string of up to 3 characters, got {seq}")
    axes, outer = _axes(seq), seq == seq.lower()
    angles = np.atleast_1d(np.asarray(angles)) + 0.0
    angles = np.deg2rad(angles) if degrees else angles
    if angles.shape[-1] != len(seq):
        raise ValueError(f"Expected last dimension of `angles` to match number of sequence axes specified, got {angles.shape[-1]}.")
    q = _about(axes[0], angles[..., 0])
    for place in range(1, len(seq)):
        turn = _about(axes[place], angles[..., place])
        q = composed(turn, q) if outer else composed(q, turn)
    return Rotation(q)


def _about(axis, angle):
    """The quaternion of a turn about an axis of the frame."""
    none = np.zeros_like(angle)
    return np.stack([np.sin(angle / 2.0) if place == axis else none for place in range(3)] + [np.cos(angle / 2.0)], axis=-1)


def from_matrix(matrix, *, assume_valid=False):
    """scipy.spatial.transform.Rotation.from_matrix: of the orthogonal matrix that is nearest."""
    m = np.asarray(matrix) + 0.0
    if m.ndim < 2 or m.shape[-1] != 3 or m.shape[-2] != 3:
        raise ValueError(f"Expected `matrix` to have shape (..., 3, 3), got {m.shape}")
    return Rotation(_of_orthogonal(m if assume_valid else _nearest(m)))


def _nearest(m):
    """The orthogonal factor of the polar decomposition, by Newton's steps."""
    if np.any(np.linalg.det(m) <= 0):
        raise ValueError("Non-positive determinant (left-handed or null coordinate frame) in rotation matrix.")
    for _ in range(60):
        better = 0.5 * (m + np.swapaxes(np.linalg.inv(m), -1, -2))
        moved = np.max(np.abs(better - m))
        m = better
        if moved < 1e-14:
            break
    return m


def _of_orthogonal(m):
    """The quaternion, from its largest part."""
    x, y, z = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    trace = x + y + z
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    d, e, f = m[..., 1, 0] + m[..., 0, 1], m[..., 2, 0] + m[..., 0, 2], m[..., 2, 1] + m[..., 1, 2]
    found = np.stack((a, b, c, 1.0 + trace), axis=-1)
    largest = np.maximum(np.maximum(x, y), np.maximum(z, trace))
    for value, parts in ((z, (e, f, 1.0 - trace + 2.0 * z, c)), (y, (d, 1.0 - trace + 2.0 * y, f, b)), (x, (1.0 - trace + 2.0 * x, d, e, a))):
        chosen = (value == largest) & (value != trace)
        found = np.where(chosen[..., np.newaxis], np.stack(parts, axis=-1), found)
    return found / np.sqrt(np.sum(found * found, axis=-1))[..., np.newaxis]


def identity(num=None, *, shape=None):
    """scipy.spatial.transform.Rotation.identity."""
    one = np.array([0.0, 0.0, 0.0, 1.0])
    sizes = shape if shape is not None else () if num is None else (num,)
    return Rotation(np.broadcast_to(one, (*(sizes if isinstance(sizes, tuple) else (sizes,)), 4)) + 0.0)


def random(num=None, rng=None, *, shape=None, random_state=None):
    """scipy.spatial.transform.Rotation.random: normal numbers, turned into unit quaternions."""
    if num is not None and shape is not None:
        raise ValueError("Only one of `num` or `shape` can be specified.")
    sizes = shape if isinstance(shape, tuple) else () if num is None and shape is None else (num if shape is None else shape,)
    return from_quat(generator_of(rng, random_state).normal(size=(*sizes, 4)))


def concatenate(rotations):
    """scipy.spatial.transform.Rotation.concatenate."""
    return rotations if isinstance(rotations, Rotation) else Rotation(np.concatenate([np.atleast_2d(each.quat) for each in rotations]))


def from_outside(quat, single):
    """An object of SciPy's that the function found outside."""
    return Rotation(quat[0] if single and quat.ndim == 2 else quat)


def align_vectors(a, b, weights=None, return_sensitivity=False):
    """scipy.spatial.transform.Rotation.align_vectors: the rotation that brings b to a best (Kabsch), and how far it is off."""
    a, b = np.asarray(a) + 0.0, np.asarray(b) + 0.0
    if a.ndim != 2 or b.ndim != 2 or surely(a.shape[0] == 1):
        unsupported("scipy.spatial.transform.Rotation.align_vectors of one vector", "two or more rows")
    if a.shape != b.shape:
        raise ValueError(f"Expected inputs `a` and `b` to have same shapes, got {a.shape} and {b.shape} respectively.")
    if return_sensitivity:
        unsupported("scipy.spatial.transform.Rotation.align_vectors(…, return_sensitivity=True)", "the rotation and how far it is off")
    shares = np.ones(a.shape[0]) if weights is None else np.asarray(weights) + 0.0
    if np.any(~np.isfinite(shares)):
        raise NotImplementedError("an infinite weight of align_vectors")
    left, stretch, right = np.linalg.svd((a.T * shares) @ b)
    mirrored = np.where(np.linalg.det(left @ right) < 0, -1.0, 1.0)
    turn = np.stack((1.0, 1.0, mirrored))
    off = np.sum(shares * np.sum(a * a + b * b, axis=1)) - 2.0 * np.sum(stretch * turn)
    return Rotation(_of_orthogonal((left * turn) @ right)), np.sqrt(np.maximum(off, 0.0))


class Slerp:
    """scipy.spatial.transform.Slerp: between two rotations at constant speed about one axis."""

    def __init__(self, times, rotations):
        self.times, self.starts = times, rotations[:-1]
        self.turns = (rotations[:-1].inv() * rotations[1:]).as_rotvec()

    def __call__(self, times):
        at = np.asarray(times) + 0.0
        flat = np.ravel(at)
        if np.any((flat < self.times[0]) | (flat > self.times[-1])):
            raise ValueError(f"Interpolation times must be within the range [{self.times[0]}, {self.times[-1]}], both inclusive.")
        place = np.maximum(np.searchsorted(self.times, flat) - 1, 0)
        share = (flat - self.times[place]) / (self.times[place + 1] - self.times[place])
        found = self.starts[place] * from_rotvec(self.turns[place] * share[:, np.newaxis])
        return found[0] if at.ndim == 0 else found


def slerp(times, rotations):
    """scipy.spatial.transform.Slerp."""
    times = np.asarray(times) + 0.0
    if len(rotations) == 1:
        raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
    if times.shape[0] != len(rotations):
        raise ValueError(f"Expected number of rotations to be equal to number of timestamps given, got {len(rotations)} rotations and {times.shape[0]} timestamps.")
    if np.any(np.diff(times) <= 0):
        raise ValueError("Times must be in strictly increasing order.")
    return Slerp(times, rotations)


ROTATIONS: dict[str, Callable[..., Any]] = {
    **within(
        "scipy.spatial.transform.Rotation", from_quat=from_quat, from_rotvec=from_rotvec, from_euler=from_euler, from_matrix=from_matrix, identity=identity, concatenate=concatenate,
        align_vectors=align_vectors, random=random,
    ),
    "scipy.spatial.transform.Slerp": slerp,
}  # fmt: skip
"""By qualified name."""
