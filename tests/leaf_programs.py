"""Trees whose leaves are of another class than their nodes, or numbers, as decision trees and expressions have them."""
from __future__ import annotations

import numpy as np
from tree_programs import PROGRAMS, program


class Leaf:
    def __init__(self, value):
        self.value = value


class Node:
    def __init__(self, threshold, left, right):
        self.threshold, self.left, self.right = threshold, left, right


class Sum:
    def __init__(self, one, two):
        self.one, self.two = one, two


class Product(Sum):
    pass


def values_and_one(r):
    return r.normal(size=int(r.integers(5, 9))), float(r.normal())


def values_one_and_depth(r):
    return *values_and_one(r), int(r.integers(1, 4))


def grown(y, depth):
    if depth == 0 or len(y) < 2:
        return Leaf(y.mean())
    threshold = y.mean()
    return Node(threshold, grown(y[y <= threshold], depth - 1), grown(y[y > threshold], depth - 1))


@program(values_one_and_depth, by=0, dear=True)
def grown_by_a_recursion(y, at, depth):
    node = grown(y, depth)
    while isinstance(node, Node):
        node = node.left if at <= node.threshold else node.right
    return node.value


def grown_on_numbers(y, depth):
    if depth == 0 or len(y) < 2:
        return y.mean()
    threshold = y.mean()
    return Node(threshold, grown_on_numbers(y[y <= threshold], depth - 1), grown_on_numbers(y[y > threshold], depth - 1))


@program(values_one_and_depth, dear=True)
def leaves_that_are_numbers(y, at, depth):
    node = grown_on_numbers(y, depth)
    while isinstance(node, Node):
        node = node.left if at <= node.threshold else node.right
    return node


@program(values_and_one, by=0)
def grown_upwards(y, at):
    node = Leaf(y[0])
    for value in y[1:]:
        node = Node(value, node, Leaf(value * at))
    node.right.value += at
    while isinstance(node, Node):
        node = node.left if at <= node.threshold else node.right
    return node.value


@program(values_and_one)
def leaves_that_are_split(y, at):
    root = Node(at, Leaf(y[0]), Leaf(y[1]))
    for value in y[2:]:
        node = root
        while True:
            if value < node.threshold:
                if isinstance(node.left, Leaf):
                    node.left = Node(value, node.left, Leaf(value))
                    break
                node = node.left
            else:
                if isinstance(node.right, Leaf):
                    node.right = Node(value, Leaf(value), node.right)
                    break
                node = node.right
    depth, total, left = 0, 0.0, [(root, 0)]
    while left:
        node, level = left.pop()
        if isinstance(node, Leaf):
            depth = max(depth, level)
            total += node.value * level
        else:
            left += [(node.left, level + 1), (node.right, level + 1)]
    return depth, total


@program(values_and_one, dear=True)
def nothing_or_a_leaf_or_a_node(y, at):
    root = Node(y[0], None, None)
    for value in y[1:]:
        node = root
        while True:
            if value < node.threshold:
                if node.left is None:
                    node.left = Leaf(value)
                    break
                if isinstance(node.left, Leaf):
                    node.left = Node(node.left.value, None, None)
                node = node.left
            else:
                if node.right is None:
                    node.right = Leaf(value)
                    break
                if isinstance(node.right, Leaf):
                    node.right = Node(node.right.value, None, None)
                node = node.right
    left, leaves, total = [root], 0, 0.0
    while left:
        node = left.pop()
        if node is None:
            continue
        if isinstance(node, Leaf):
            leaves += 1
            total += node.value
        else:
            total += node.threshold * at
            left += [node.left, node.right]
    return leaves, total


@program(values_and_one)
def an_expression_on_a_stack(y, at):
    stack = []
    for k, value in enumerate(y):
        if k % 3 < 2:
            stack.append(Leaf(value))
        elif len(stack) > 1:
            two, one = stack.pop(), stack.pop()
            stack.append(Sum(one, two) if value > 0 else Product(one, two))
    total, products, left = 0.0, 0, [stack[-1], stack[0]]
    while left:
        node = left.pop()
        if isinstance(node, Leaf):
            total = total * at + node.value
        else:
            products += isinstance(node, Product)
            left += [node.one, node.two]
    return total, products, len(stack)


def impurity(y):
    return np.mean((y - np.mean(y)) ** 2)


class Regression:
    def __init__(self, depth):
        self.depth, self.root = depth, None

    def fit(self, x, y):
        self.root = self.grow(x, y, 0)

    def grow(self, x, y, depth):
        if depth >= self.depth or len(set(y)) == 1:
            return Leaf(np.mean(y))
        best, at = np.inf, 0.0
        for each in x:
            low, high = y[x <= each], y[x > each]
            if len(low) and len(high):
                cost = (len(low) * impurity(low) + len(high) * impurity(high)) / len(y)
                if cost < best:
                    best, at = cost, each
        return Node(at, self.grow(x[x <= at], y[x <= at], depth + 1), self.grow(x[x > at], y[x > at], depth + 1))

    def predict(self, x):
        return np.array([self.walk(each, self.root) for each in x])

    def walk(self, x, node):
        if isinstance(node, Leaf):
            return node.value
        return self.walk(x, node.left if x <= node.threshold else node.right)


@program(lambda r: (r.permutation(7) * 1.0, r.normal(size=7)), dear=True)
def a_tree_that_is_fitted(x, y):
    model = Regression(2)
    model.fit(x, y)
    return model.predict(x)


__all__ = ["PROGRAMS"]
