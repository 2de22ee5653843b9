"""What `checkpoint` may keep for the reverse sweep: JAX's policies, for `s2s.checkpoint(f, policy=…)`.

    s2s.checkpoint(layer, policy=s2s.checkpoint_policies.dots_saveable)

A policy of your own is a function (primitive, *types of the operands, **parameters) -> bool; `primitive.name` is the
name in docs/primitives.md. It is asked about the equations of the function's own statements, of its `for` loops and of
helpers called there; values inside branches, `while` loops and inner loops are computed again whatever it says (but for
`everything_saveable`).
"""
from __future__ import annotations

from s2s.not_here import refusing
from s2s.transforms.checkpoints.policies import EVERYTHING, NOTHING, AnythingBut, Dots, Either, NamesBut, OnlyNames, Policy, as_policy

__all__ = [
    "checkpoint_dots", "checkpoint_dots_with_no_batch_dims", "dots_saveable", "dots_with_no_batch_dims_saveable", "everything_saveable",
    "nothing_saveable", "save_any_names_but_these", "save_anything_except_these_names", "save_from_both_policies", "save_only_these_names",
]

everything_saveable = EVERYTHING
"""Keep whatever the reverse sweep needs, as if `checkpoint` were not there."""
nothing_saveable = NOTHING
"""Keep the inputs only: the default."""
dots_saveable = checkpoint_dots = Dots(no_batch=False)
"""Keep the results of products: `@`, np.dot, np.matmul, np.tensordot, np.einsum of two."""
dots_with_no_batch_dims_saveable = checkpoint_dots_with_no_batch_dims = Dots(no_batch=True)
"""Keep the results of products that have no batch axis."""


def save_only_these_names(*names_which_can_be_saved: str) -> OnlyNames:
    """Keep only values named so by `checkpoint_name`."""
    return OnlyNames(frozenset(names_which_can_be_saved))


def save_any_names_but_these(*names_not_to_save: str) -> NamesBut:
    """Keep only values named by `checkpoint_name`, and of those not these."""
    return NamesBut(frozenset(names_not_to_save))


def save_anything_except_these_names(*names_not_to_save: str) -> AnythingBut:
    """Keep any value, named or not, but those with these names."""
    return AnythingBut(frozenset(names_not_to_save))


def save_from_both_policies(policy_1: Policy, policy_2: Policy) -> Either:
    """Keep what one or the other of the two lets pass.

    Raises
    ------
    ValueError
        When it is used and one of the two answers with something other than a bool.
    """
    return Either(as_policy(policy_1), as_policy(policy_2))

__getattr__ = refusing(__name__)
