"""Decision trees and forests of them, and their text (include/place/forest.h).

A tree splits by Gini's impurity of the best space, as paper 003's classifiers do. A leaf holds, for each space, what an array there
takes over global memory, in logarithms: the mean over its samples, each against its own time in global memory, and one more of 0. So
a space that a leaf knows nothing of is worth what global memory is. A forest's value is the mean of its trees'.
"""

import random
from collections import Counter, namedtuple

from .samples import LETTERS
from studylib.stored import fnv1a
from studylib.tables import SPACES

# trees: 1 is a tree, of all samples and features. features: how many a node of a forest's tree looks at. least: samples of a leaf
Shape = namedtuple("Shape", "name trees depth features least")
SHAPES = [Shape("tree", 1, 5, 99, 2), Shape("forest", 16, 6, 4, 1)]


def gini(counts, n):
    return n - sum(c * c for c in counts.values()) / n if n else 0.0


def rounded(x):
    """As it is in the text."""
    return float(f"{x:.6g}")


def leaf_of(samples):
    value = []
    for letter in LETTERS:
        known = [s.gain[letter] for s in samples if letter in s.gain]
        value.append(rounded(sum(known) / (len(known) + 1)))
    return value


def best_split(samples, feature, least):
    """(decrease of impurity, threshold) of the best split of a feature, or None; rows with up to the threshold go left."""
    order = sorted(samples, key=lambda s: s.row[feature])
    left, right, n = Counter(), Counter(s.label for s in order), len(order)
    whole, best = gini(right, n), None
    for i in range(n - 1):
        left[order[i].label] += 1
        right[order[i].label] -= 1
        low, high = order[i].row[feature], order[i + 1].row[feature]
        if low == high or i + 1 < least or n - i - 1 < least:
            continue
        decrease = whole - gini(left, i + 1) - gini(right, n - i - 1)
        threshold = rounded((low + high) / 2)
        if low <= threshold < high and decrease > 1e-9 and (best is None or decrease > best[0] + 1e-9):
            best = decrease, threshold
    return best


def some_of(count, wanted, rng):
    """`wanted` of the numbers below `count`, or all, ascending. Of random.Random only random() is the same in all versions."""
    numbers = list(range(count))
    for i in range(min(wanted, count - 1)):
        j = i + int(rng.random() * (count - i))
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return sorted(numbers[:wanted])


def grow(samples, depth, shape, rng, importance, nodes):
    """Appends the tree's nodes, root first: ("leaf", values), or ("split", feature, threshold, left, right)."""
    at = len(nodes)
    nodes.append(("leaf", leaf_of(samples)))
    best = None
    if depth > 0 and len({s.label for s in samples}) > 1:
        for feature in some_of(len(samples[0].row), shape.features, rng):
            found = best_split(samples, feature, shape.least)
            if found and (best is None or found[0] > best[0] + 1e-9):
                best = found + (feature,)
    if best is None:
        return at
    decrease, threshold, feature = best
    importance[feature] += decrease
    left = grow([s for s in samples if s.row[feature] <= threshold], depth - 1, shape, rng, importance, nodes)
    right = grow([s for s in samples if s.row[feature] > threshold], depth - 1, shape, rng, importance, nodes)
    nodes[at] = ("split", feature, threshold, left, right)
    return at


def fit(samples, shape):
    """(trees, importance of each feature: its part of what all splits take off the impurity)"""
    trees, importance = [], [0.0] * len(samples[0].row)
    for number in range(shape.trees):
        rng = random.Random(number)
        drawn = samples if shape.trees == 1 else [samples[int(rng.random() * len(samples))] for _ in samples]
        nodes = []
        grow(drawn, shape.depth, shape, rng, importance, nodes)
        trees.append(nodes)
    whole = sum(importance) or 1.0
    return trees, [x / whole for x in importance]


def value_of(trees, row):
    """[log of the time over global memory's] by space."""
    total = [0.0] * len(LETTERS)
    for nodes in trees:
        node = nodes[0]
        while node[0] == "split":
            node = nodes[node[3] if row[node[1]] <= node[2] else node[4]]
        total = [a + b for a, b in zip(total, node[1])]
    return [x / len(trees) for x in total]


def choice_of(trees, row, candidates):
    """The letter of the least value among the candidates, the first of equals."""
    value = value_of(trees, row)
    return min((letter for letter in LETTERS if letter in candidates), key=lambda letter: value[LETTERS.index(letter)])


def text_of(trees, names, remarks):
    lines = ["place-forest 1"] + [f"# {remark}" for remark in remarks]
    lines.append("spaces " + " ".join(SPACES[letter] for letter in LETTERS))
    lines.append(f"trees {len(trees)}")
    for nodes in trees:
        lines.append(f"tree {len(nodes)}")
        for node in nodes:
            if node[0] == "leaf":
                lines.append("leaf " + " ".join(f"{x:.6g}" for x in node[1]))
            else:
                lines.append(f"split {names[node[1]]} {node[2]:.6g} {node[3]} {node[4]}")
    text = "\n".join(lines) + "\n"
    return text + f"end {fnv1a(text):016x}\n"
