"""Programs about lists of arrays that are each of a length of their own (test_lengths.py): groups by label, runs, neighbours, levels, queues of parts."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Segment:
    start: int
    data: np.ndarray

    def mean(self):
        return self.data.mean()


def groups_of(x, labels):
    return [x[labels == k] for k in range(labels.max() + 1)]


# ---- groups by label --------------------------------------------------------------------------------------------------------------


def means_of_groups(x, labels, n):
    groups = [x[labels == k] for k in np.unique(labels)]
    return [g.mean() for g in groups], sum(len(g) for g in groups)


def variances_in_a_loop(x, labels, n):
    groups = []
    for k in range(labels.max() + 1):
        groups.append(x[labels == k])  # noqa: PERF401
    return np.array([g.var() if len(g) else -1.0 for g in groups])


def analysis_of_variance(x, labels, n):
    groups = [x[labels == k] for k in np.unique(labels)]
    within = sum(((g - g.mean()) ** 2).sum() for g in groups)
    return sum(len(g) * (g.mean() - x.mean()) ** 2 for g in groups) / (1.0 + within)


def padded(x, labels, n):
    groups = groups_of(x, labels)
    out = np.zeros((len(groups), max(map(len, groups))))
    for k, g in enumerate(groups):
        out[k, : len(g)] = g
    return out


def nearest_means(x, labels, n):
    centres = np.array([x.min(), x.max()])
    for _ in range(n):
        nearest = np.argmin(np.abs(x[:, None] - centres[None]), axis=1)
        parts = [x[nearest == k] for k in range(len(centres))]
        centres = np.array([p.mean() if len(p) else centres[k] for k, p in enumerate(parts)])
    return centres


def in_tuples(x, labels, n):
    out = []
    for k in range(labels.max() + 1):
        out.append((k, x[labels == k], x[:k]))
    return out, [a.sum() - b.sum() for _, a, b in out]


def in_records(x, labels, n):
    out = [{"k": k, "values": x[labels == k]} for k in range(labels.max() + 1)]
    return [record["values"].sum() for record in out], sum(record["k"] for record in out)


def in_objects(x, labels, n):
    out = [Segment(k, x[labels == k]) for k in np.unique(labels)]
    best = max(out, key=Segment.mean)
    return int(best.start), best.data, [s.mean() for s in out]


def in_a_dict(x, labels, n):
    groups = {}
    for k in labels:
        if k not in groups:
            groups[k] = x[labels == k]
    return [g.sum() for g in groups.values()], {k: len(g) for k, g in groups.items()}


def a_dict_that_grows(x, labels, n):
    groups = {}
    for v, k in zip(x, labels):
        groups[k] = np.append(groups[k], v) if k in groups else np.array([v])
    return {k: g.sum() for k, g in groups.items()}


def none_beside(x, labels, n):
    out = []
    for k in range(labels.max() + 2):
        g = x[labels == k]
        out.append(g if len(g) > 1 else None)
    return 0.5 + sum(g.sum() for g in out if g is not None)


def two_lists(x, labels, n):
    small, large = [x[:0]], []
    for k in range(labels.max() + 1):
        g = x[labels == k]
        (small if len(g) < n else large).append(g)
    return len(small), len(large), np.concatenate(small + large)


def places(x, labels, n):
    where = [np.nonzero(labels == k)[0] for k in range(labels.max() + 1)]
    return where, x[where[-1]].sum()


def rows_of_matrices(x, labels, n):
    matrix = np.outer(x, np.arange(3.0))
    out = [matrix[labels == k] for k in range(labels.max() + 1)]
    return [g.sum(axis=0) for g in out], np.concatenate(out), np.vstack(out)


def matrices_beside_numbers(x, labels, n):
    matrix = x[:, None] * np.arange(2.0)
    return [matrix[labels == k] for k in range(n)], n, x[:n]


def made_in_a_helper(x, labels, n):
    return 0.5 + sum(p @ q for p, q in zip(groups_of(x, labels), groups_of(-x, labels)))


def nothing_in_it(x, labels, n):
    out = [x[labels == k] for k in range(labels.min())]
    return len(out), out


# ---- runs and cuts ----------------------------------------------------------------------------------------------------------------


def sums_of_runs(x, labels, n):
    return [p.sum() for p in np.split(x, np.where(np.diff(x) < 0)[0] + 1)]


def longest_run(x, labels, n):
    parts = np.split(x, np.flatnonzero(np.diff(x) < 0) + 1)
    return max(parts, key=len).sum(), len(parts)


def rising_runs(x, labels, n):
    out, i = [], 0
    while i < len(x):
        j = i + 1
        while j < len(x) and x[j] > x[j - 1]:
            j += 1
        out.append(x[i:j])
        i = j
    return max(len(o) for o in out), [o[-1] for o in out]


def events(x, labels, n):
    out, current = [], []
    for v in x:
        if v > 0:
            current.append(v)
        elif current:
            out.append(np.array(current))
            current = []
    if current:
        out.append(np.array(current))
    return len(out), [e.max() for e in out]


def columns_of_parts(x, labels, n):
    out, i = [], 0
    while i < len(x):
        k = labels[i] + 1
        out.append(np.column_stack([x[i : i + k], 2 * x[i : i + k]]))
        i += k
    return [p.sum(axis=0) for p in out]


def parts_behind_a_test(x, labels, n):
    out = []
    for i in range(len(x)):
        if x[i] > 0:
            out.append(x[:i])
    return out


def splits_of_a_matrix(x, labels, n):
    matrix = np.outer(np.arange(2.0), x)
    return [p.sum() for p in np.split(matrix, np.nonzero(x > 0)[0], axis=1)]


# ---- neighbours, levels, queues ---------------------------------------------------------------------------------------------------


def neighbours(x, labels, n):
    near = [np.nonzero(np.abs(x - v) < n)[0] for v in x]
    return [len(each) for each in near], np.concatenate(near), np.hstack(near)


def pairs_of_neighbours(x, labels, n):
    near = []
    for v in x:
        distance = np.abs(x - v)
        near.append(np.where((distance < n) & (distance > 0))[0])
    total = x[0]
    for i, each in enumerate(near):
        for j in each:
            total += x[i] * x[j]
    return total


def clusters(x, labels, n):
    found, count = -np.ones(len(x), int), 0
    near = [np.where(np.abs(x - v) <= 0.5)[0] for v in x]
    for i in range(len(x)):
        if found[i] != -1 or len(near[i]) < n:
            continue
        found[i] = count
        todo = list(near[i])
        while todo:
            j = todo.pop()
            if found[j] == -1:
                found[j] = count
                if len(near[j]) >= n:
                    todo.extend(near[j])
        count += 1
    return found


def sparse_rows(x, labels, n):
    matrix = np.where(np.outer(x, x) > 0.2, np.outer(x, x), 0.0)
    rows = [np.nonzero(row)[0] for row in matrix]
    values = [row[at] for row, at in zip(matrix, rows)]
    return 0.5 + sum(v @ x[at] for v, at in zip(values, rows))


def wavelet(x, labels, n):
    details, x = [], x[:4]
    while len(x) > 1:
        half = len(x) // 2
        details.append((x[:half] - x[-half:]) / 2)
        x = (x[:half] + x[-half:]) / 2
    return x, np.concatenate(details[::-1])


def grids(x, labels, n):
    u, levels = np.outer(x[:5], x[:5]), []
    while u.shape[0] > 1:
        levels.append(u)
        u = (u[1:, :-1] + u[:-1, 1:]) / 2
        if u[0, 0] > n:
            u = u[:, ::-1]
    total = u[0, 0]
    for each in levels[::-1]:
        total = total * each[-1, 0] + np.sum(each[0])
    return total, levels


def halved_again(x, labels, n):
    level = [x]
    for _ in range(n):
        new = []
        for a in level:
            half = len(a) // 2
            new.append(a[:half])
            new.append(a[half:])
        level = new
    return [a.sum() for a in level]


def parts_in_a_queue(x, labels, n):
    todo, total, k = [x], 0.0, 0
    while todo:
        y = todo.pop()
        if len(y) < 2:
            total += y.sum() * k
            k += 1
        else:
            todo.append(y[1:][y[1:] < y[0]])
            todo.append(y[1:][y[1:] >= y[0]])
    return total, k


# ---- what a list does with them ---------------------------------------------------------------------------------------------------


def stored_items(x, labels, n):
    out = groups_of(x, labels)
    out[0] = x[:2]
    out[-1] = np.zeros(0)
    return [len(g) for g in out], out


def shifted_items(x, labels, n):
    parts = []
    for k in range(labels.max() + 1):
        parts.append(x[labels == k])
        if len(parts) > 1:
            parts[-2] = parts[-1]
    return parts


def in_order(x, labels, n):
    out = groups_of(x, labels)
    out.sort(key=len)
    out.reverse()
    by_sum = sorted(out, key=np.sum)
    return len(out[0]), by_sum[0].sum(), by_sum[-1].sum()


def one_that_may_be_left_out(x, labels, n):
    parts, first = groups_of(x, labels), [x[n : n + 2]]
    kept = list(filter(len, first))
    return kept, len(parts), [len(p) for p in parts + kept]


def joined(x, labels, n):
    a, b = groups_of(x, labels), [x[:k] for k in range(labels.max() + 1)]
    c = a + b
    a.extend(b)
    a.insert(0, x)
    return [g.sum() for g in c], [len(g) for g in a], a[1:3]


def asked_by_position(x, labels, n):
    parts = groups_of(x, labels)
    return parts[labels[0]][0], parts[-1], parts[labels.max()].copy()


def as_an_array(x, labels, n):
    out = [x[labels == k][:1] for k in np.unique(labels)]
    return np.array(out), np.stack(out), np.vstack(out)


def not_of_one_length(x, labels, n):
    return np.array(groups_of(x, labels))


def not_to_be_stacked(x, labels, n):
    return np.stack(groups_of(x, labels))


def not_to_be_put_below(x, labels, n):
    return np.vstack(groups_of(x, labels))


def as_lists(x, labels, n):
    parts = [list(x[labels == k]) for k in range(labels.max() + 1)]
    return [len(p) for p in parts], parts


def of_two_dtypes(x, labels, n):
    parts = []
    for k in range(labels.max() + 1):
        parts.append(labels[labels == k] if k > 1 else x[labels == k])
    return [p.sum() for p in parts]


# ---- who sees a change ------------------------------------------------------------------------------------------------------------


def changed_before_it_is_asked(x, labels, n):
    out = []
    for k in np.unique(labels):
        g = x[labels == k]
        out.append(g)
        g[0] = 100.0
    return [g.sum() for g in out]


def changed_items(x, labels, n):
    out = []
    for k in range(labels.max() + 1):
        out.append(x[labels == k])
    for g in out:
        g *= 2
    return [g.sum() for g in out]


def centred_in_place(x, labels, n):
    groups = [x[labels == k] for k in np.unique(labels)]
    for g in groups:
        g -= g.mean()
    return groups


def first_ones_changed(x, labels, n):
    parts = [x[labels >= k] for k in range(n)]
    for p in parts:
        p[:1] = n
    return parts, x


def one_of_two_lists(x, labels, n):
    before = [x[k:] * k for k in range(n)]
    parts = [x[:2]] if labels[0] > 0 else [x[:3] * 2.0, x[1:]]
    return parts[0].sum(), parts[-1].sum(), len(parts), len(before), before[-1].sum()


def changed_behind_one_path(x, labels, n):
    before = [x * k for k in range(n)]
    parts = [x[0:2], x[1:3]]
    if x[0] < 100.0:
        parts.append(np.ones(5))
    x *= 0.75
    return sum([part.sum() for part in parts]) + before[0].sum()


def changed_whole(x, labels, n):
    x, out, i = x.copy(), [], 0
    while i < len(x):
        step = 2 if x[i] > 0 else 1
        out.append(x[i : i + step])
        i += step
    x[:] = 0.0
    return [g.sum() for g in out]


SLOPES = [
    means_of_groups, variances_in_a_loop, analysis_of_variance, padded, nearest_means, in_tuples, in_records, none_beside, rows_of_matrices, matrices_beside_numbers, made_in_a_helper,
    sums_of_runs, rising_runs, parts_behind_a_test, splits_of_a_matrix, pairs_of_neighbours, wavelet, grids, halved_again, stored_items, one_that_may_be_left_out, joined, a_dict_that_grows,
]  # fmt: skip
"""Programs whose results have slopes everywhere where drawn numbers lead."""
