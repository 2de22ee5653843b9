"""scipy.cluster.hierarchy: clusters of clusters, and what is cut from their tree. Methods: nearest-neighbour chains (Murtagh 1983), minimum spanning trees (Prim 1957), distances after a merge (Lance and Williams 1967)."""
# mypy: disallow-untyped-defs=False, disallow-untyped-calls=False, ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np

from s2s.transforms.read.composed.marks import constant, unsupported

# ---- the tree -----------------------------------------------------------------------------------------------------------------------------


def _after_merge(method, to_x, to_y, between, nx, ny, size):
    """The distances of all clusters to a merged one, from those to its two parts."""
    if method == "complete":
        return np.maximum(to_x, to_y)
    if method == "average":
        return (nx * to_x + ny * to_y) / (nx + ny)
    if method == "weighted":
        return 0.5 * (to_x + to_y)
    if method == "ward":
        part = 1.0 / (nx + ny + size)  # in SciPy's order, which decides where two are as near
        return np.sqrt((size + nx) * part * to_x * to_x + (size + ny) * part * to_y * to_y - size * part * between * between)
    if method == "centroid":
        return np.sqrt((nx * to_x * to_x + ny * to_y * to_y - nx * ny * between * between / (nx + ny)) / (nx + ny))
    return np.sqrt(0.5 * (to_x * to_x + to_y * to_y) - 0.25 * between * between)


def _merged(method, lengths, size, x, y, between):
    """The row of distances of the cluster of x and y, kept as y's."""
    others = (size > 0) & (np.arange(size.shape[0]) != x) & (np.arange(size.shape[0]) != y)
    to_x, to_y = np.where(others, lengths[x], between), np.where(others, lengths[y], between)
    return np.where(others, _after_merge(method, to_x, to_y, between, size[x], size[y], np.where(others, size, 1.0)), 0.0)


def _chain(method, lengths):
    """Links in the order in which clusters are found that are each other's nearest ones; clusters are named by one of theirs."""
    n = lengths.shape[0]
    size, places = np.ones(n), np.arange(n)
    links, heights = np.zeros((n - 1, 2), np.int64), np.zeros(n - 1)
    chain, length = np.zeros(n, np.int64), 0
    for k in range(n - 1):
        if length == 0:
            chain[0], length = np.argmax(size > 0), 1
        mutual, x, y, nearest = False, 0, 0, np.inf
        while not mutual:
            x = chain[length - 1]
            distances = np.where((size > 0) & (places != x), lengths[x], np.inf)
            y = np.argmin(distances)
            if length > 1 and not distances[y] < distances[chain[length - 2]]:
                y, mutual = chain[length - 2], True
            nearest = distances[y]
            if not mutual:
                chain[length] = y
                length += 1
        length -= 2
        x, y = min(x, y), max(x, y)
        row = _merged(method, lengths, size, x, y, nearest)
        links[k, 0], links[k, 1], heights[k] = x, y, nearest
        size[y] += size[x]
        size[x] = 0.0
        lengths[y, :] = row
        lengths[:, y] = row
    return links, heights


def _spanning(lengths):
    """The links of a minimum spanning tree."""
    n = lengths.shape[0]
    links, heights = np.zeros((n - 1, 2), np.int64), np.zeros(n - 1)
    merged, least, x = np.zeros(n, bool), np.full(n, np.inf), 0
    for k in range(n - 1):
        merged[x] = True
        least = np.minimum(least, lengths[x])
        y = np.argmin(np.where(merged, np.inf, least))
        links[k, 0], links[k, 1], heights[k] = x, y, least[y]
        x = y
    return links, heights


def _nearest_first(method, lengths):
    """Links by merging the two nearest clusters each time; the tree with its names."""
    n = lengths.shape[0]
    tree, size, names = np.zeros((n - 1, 4)), np.ones(n), np.arange(n)
    above = np.arange(n)[:, np.newaxis] < np.arange(n)
    for k in range(n - 1):
        there = above & (size > 0)[:, np.newaxis] & (size > 0)
        distances = np.where(there, lengths, np.inf)
        place = np.argmin(distances)
        x, y = place // n, place % n
        nearest = distances[x, y]
        if np.sum(distances == nearest) > 1:
            raise NotImplementedError(f"scipy.cluster.hierarchy.linkage(method={method!r}) where two pairs of clusters are as near (which one is merged is SciPy's choice) is not supported")
        row = _merged(method, lengths, size, x, y, nearest)
        tree[k, 0], tree[k, 1], tree[k, 2], tree[k, 3] = min(names[x], names[y]), max(names[x], names[y]), nearest, size[x] + size[y]
        size[y] += size[x]
        size[x], names[y] = 0.0, n + k
        lengths[y, :] = row
        lengths[:, y] = row
    return tree


def _named(links, heights):
    """The tree of links: clusters get their numbers from the lowest link on."""
    n = heights.shape[0] + 1
    order = np.argsort(constant(heights), kind="stable")
    links, heights = links[order], heights[order]
    tree, name, size = np.zeros((n - 1, 4)), np.arange(n), np.ones(n, np.int64)
    for k in range(n - 1):
        x, y = name[links[k, 0]], name[links[k, 1]]
        count = size[links[k, 0]] + size[links[k, 1]]
        tree[k, 0], tree[k, 1], tree[k, 2], tree[k, 3] = min(x, y), max(x, y), heights[k], count
        both = (name == x) | (name == y)
        name, size = np.where(both, n + k, name), np.where(both, count, size)
    return tree


def linkage(y, method="single", metric="euclidean", optimal_ordering=False):
    """scipy.cluster.hierarchy.linkage: a row for each merge, of two clusters, their distance and the size."""
    import scipy.spatial.distance

    y = np.asarray(y, dtype=np.float64)
    if method not in ("single", "complete", "average", "centroid", "median", "ward", "weighted"):
        raise ValueError(f"Invalid method: {method}")
    if optimal_ordering:
        unsupported("scipy.cluster.hierarchy.linkage(…, optimal_ordering=True)", "the order that leaves_list gives")
    if y.ndim == 2:
        if method in ("centroid", "median", "ward") and metric != "euclidean":
            raise ValueError(f"`method={method}` requires the distance metric to be Euclidean")
        y = scipy.spatial.distance.pdist(y, metric)
    if y.ndim != 1:
        raise ValueError("`y` must be 1 or 2 dimensional.")
    if y.shape[0] == 0:
        raise ValueError("The number of observations cannot be determined on an empty distance matrix.")
    if not np.all(np.isfinite(y)):
        raise ValueError("The condensed distance matrix must contain only finite values.")
    lengths = scipy.spatial.distance.squareform(y)
    if method in ("centroid", "median"):
        return _nearest_first(method, lengths)
    links, heights = _spanning(lengths) if method == "single" else _chain(method, lengths)
    return _named(links, heights)


def single(y):
    """scipy.cluster.hierarchy.single."""
    return linkage(y, method="single", metric="euclidean")


def complete(y):
    """scipy.cluster.hierarchy.complete."""
    return linkage(y, method="complete", metric="euclidean")


def average(y):
    """scipy.cluster.hierarchy.average."""
    return linkage(y, method="average", metric="euclidean")


def weighted(y):
    """scipy.cluster.hierarchy.weighted."""
    return linkage(y, method="weighted", metric="euclidean")


def centroid(y):
    """scipy.cluster.hierarchy.centroid."""
    return linkage(y, method="centroid", metric="euclidean")


def median(y):
    """scipy.cluster.hierarchy.median."""
    return linkage(y, method="median", metric="euclidean")


def ward(y):
    """scipy.cluster.hierarchy.ward."""
    return linkage(y, method="ward", metric="euclidean")


# ---- what a tree tells ------------------------------------------------------------------------------------------------------------------


def _tree(Z):
    """A tree of links, and the two parts of each."""
    tree = np.asarray(Z, dtype=np.float64)
    if tree.ndim != 2 or tree.shape[1] != 4:
        raise ValueError("Linkage matrix 'Z' must have 4 columns.")
    return tree, constant(tree)[:, :2].astype(np.int64)


def num_obs_linkage(Z):
    """scipy.cluster.hierarchy.num_obs_linkage."""
    return _tree(Z)[0].shape[0] + 1


def is_monotonic(Z):
    """scipy.cluster.hierarchy.is_monotonic: whether no link is lower than the one before."""
    tree, _ = _tree(Z)
    return np.all(tree[1:, 2] >= tree[:-1, 2])


def _leaves(parts):
    """Of each link the leaves below it."""
    n = parts.shape[0] + 1
    below = np.zeros((2 * n - 1, n), bool)
    below[:n] = np.eye(n, dtype=bool)
    for k in range(n - 1):
        below[n + k] = below[parts[k, 0]] | below[parts[k, 1]]
    return below


def leaves_list(Z):
    """scipy.cluster.hierarchy.leaves_list: the leaves from left to right."""
    _, parts = _tree(Z)
    n = parts.shape[0] + 1
    first, below = np.zeros(2 * n - 1, np.int64), _leaves(parts)
    for k in range(n - 2, -1, -1):
        first[parts[k, 0]] = first[n + k]
        first[parts[k, 1]] = first[n + k] + np.sum(below[parts[k, 0]])
    found = np.zeros(n, np.int32)
    for k in range(n):
        found[first[k]] = k
    return found


def cophenet(Z, Y=None):
    """scipy.cluster.hierarchy.cophenet: the heights at which leaves meet; with distances how they correlate."""
    tree, parts = _tree(Z)
    n = parts.shape[0] + 1
    below, heights = _leaves(parts), np.zeros((n, n))
    for k in range(n - 1):
        one, other = below[parts[k, 0]], below[parts[k, 1]]
        heights = np.where(one[:, np.newaxis] & other, tree[k, 2], heights)
    rows, columns = np.triu_indices(n, 1)
    met = heights[rows, columns] + heights[columns, rows]
    if Y is None:
        return met
    given = np.asarray(Y, dtype=np.float64)
    if given.ndim != 1:
        raise ValueError("Condensed distance matrix 'Y' must have shape=1 (i.e. be one-dimensional).")
    first, second = given - np.mean(given), met - np.mean(met)
    return np.sum(first * second) / np.sqrt(np.sum(first * first) * np.sum(second * second)), met


def _highest(parts, values):
    """Of each link the largest value of those below it and its own."""
    n = parts.shape[0] + 1
    found = np.zeros(n - 1)
    for k in range(n - 1):
        found[k] = values[k]
        for side in range(2):
            if parts[k, side] >= n:
                found[k] = np.maximum(found[k], found[parts[k, side] - n])
    return found


def maxdists(Z):
    """scipy.cluster.hierarchy.maxdists: the largest height at or below each link."""
    tree, parts = _tree(Z)
    return _highest(parts, tree[:, 2])


def inconsistent(Z, d=2):
    """scipy.cluster.hierarchy.inconsistent: mean and deviation of the links below each one, how many they are, and how far it is above."""
    tree, parts = _tree(Z)
    if d != np.floor(d) or d < 0:
        raise ValueError("The second argument d must be a nonnegative integer value.")
    n = parts.shape[0] + 1
    found = np.zeros((n - 1, 4))
    for k in range(n - 1):
        level, counted = np.zeros(n - 1, bool), np.zeros(n - 1, bool)
        level[k] = True
        for _ in range(max(int(d), 1)):
            counted = counted | level
            following = np.zeros(n - 1, bool)
            for link in range(k + 1):
                if level[link]:
                    for side in range(2):
                        if parts[link, side] >= n:
                            following[parts[link, side] - n] = True
            level = following
        count = np.sum(counted)
        if count > 0:
            mean = np.sum(np.where(counted, tree[:, 2], 0.0)) / count
            spread = np.sum(np.where(counted, (tree[:, 2] - mean) ** 2, 0.0)) / max(count - 1, 1)
            found[k, 0], found[k, 2] = mean, count
            if count > 1 and spread > 0:
                found[k, 1] = np.sqrt(spread)
                found[k, 3] = (tree[k, 2] - mean) / found[k, 1]
    return found


# ---- cutting ------------------------------------------------------------------------------------------------------------------------------


def _cut(parts, values, bound):
    """The clusters of the highest links whose value is at most the bound, numbered from left to right, a link's own leaves behind what else it holds."""
    n = parts.shape[0] + 1
    found, seen = np.zeros(n, np.int32), np.zeros(2 * n - 1, bool)
    path, depth, count, leader = np.zeros(n, np.int64), 0, 0, -1
    path[0] = 2 * n - 2
    while depth >= 0:
        link = path[depth] - n
        if leader == -1 and values[link] <= bound:
            leader, count = link, count + 1
        left, right = parts[link, 0], parts[link, 1]
        step = left if left >= n and not seen[left] else right if right >= n and not seen[right] else -1
        if step >= 0:
            seen[step] = True
            depth += 1
            path[depth] = step
        else:
            for side in range(2):
                if parts[link, side] < n:
                    if leader == -1:
                        count += 1
                    found[parts[link, side]] = count
            if leader == link:
                leader = -1
            depth -= 1
    return found


def _count(parts, values, bound):
    return np.max(_cut(parts, values, bound))


def fcluster(Z, t, criterion="inconsistent", depth=2, R=None, monocrit=None):
    """scipy.cluster.hierarchy.fcluster: the number of each leaf's cluster."""
    tree, parts = _tree(Z)
    heights = constant(tree)
    if criterion == "inconsistent":
        found = inconsistent(heights, depth) if R is None else np.asarray(R, dtype=np.float64)
        return _cut(parts, _highest(parts, found[:, 3]), t)
    if criterion == "distance":
        return _cut(parts, _highest(parts, heights[:, 2]), t)
    if criterion == "monocrit":
        return _cut(parts, np.asarray(monocrit, dtype=np.float64), t)
    if criterion not in ("maxclust", "maxclust_monocrit"):
        raise ValueError(f"Invalid cluster formation criterion: {criterion}")
    values = _highest(parts, heights[:, 2]) if criterion == "maxclust" else np.asarray(monocrit, dtype=np.float64)
    if t < 1:
        raise NotImplementedError("scipy.cluster.hierarchy.fcluster of fewer than one cluster, of which SciPy says whatever stands behind its array, is not supported")
    if t > parts.shape[0]:
        return np.arange(1, parts.shape[0] + 2).astype(np.int32)
    lower, upper = -1, parts.shape[0] - 1
    while upper - lower > 1:
        middle = (lower + upper) // 2
        if _count(parts, values, values[middle]) > t:
            lower = middle
        else:
            upper = middle
    return _cut(parts, values, values[upper])


def fclusterdata(X, t, criterion="inconsistent", metric="euclidean", depth=2, method="single", R=None):
    """scipy.cluster.hierarchy.fclusterdata: the number of each observation's cluster."""
    import scipy.spatial.distance

    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2:
        raise TypeError("The observation matrix X must be an n by m array.")
    return fcluster(linkage(scipy.spatial.distance.pdist(rows, metric=metric), method=method), t, criterion, depth, R)


HIERARCHIES: dict[str, Any] = {
    f"scipy.cluster.hierarchy.{function.__name__}": function
    for function in (linkage, single, complete, average, weighted, centroid, median, ward, num_obs_linkage, is_monotonic, leaves_list, cophenet, maxdists, inconsistent, fcluster, fclusterdata)
}
"""By qualified name."""
