"""How well a selector does on programs that it has not seen, and what it is held against."""

import random
from collections import Counter

from .forest import choice_of, fit
from .samples import LETTERS
from studylib.tables import SPACES


def held_out(samples, shape):
    """{program: trees that were fitted to all other programs}"""
    programs = sorted({s.program for s in samples})
    return {program: fit([s for s in samples if s.program != program], shape)[0] for program in programs}


def majority(samples):
    """The commonest label of all other programs, for each sample."""
    whole, own = Counter(s.label for s in samples), {}
    for s in samples:
        own.setdefault(s.program, Counter())[s.label] += 1
    left = {program: whole - counts for program, counts in own.items()}
    return [min(LETTERS, key=lambda letter: -left[s.program][letter]) for s in samples]


def choices(samples, folds):
    return [choice_of(folds[s.program], s.row, s.excess) for s in samples]


def scores(samples, chosen):
    """(share of labels met, share within the noise of the best, mean time over the best minus 1) of arrays"""
    chosen = [letter if letter in s.excess else "g" for s, letter in zip(samples, chosen)]
    n = len(samples)
    return (sum(s.label == letter for s, letter in zip(samples, chosen)) / n,
            sum(s.excess[letter] == 0 for s, letter in zip(samples, chosen)) / n,
            sum(s.excess[letter] for s, letter in zip(samples, chosen)) / n)


def mixed(samples, shape):
    """Choices by tenfold cross-validation of arrays, whatever their program: as paper 003 does it."""
    rng, chosen = random.Random(1), [None] * len(samples)
    fold = [int(rng.random() * 10) for _ in samples]
    for number in sorted(set(fold)):
        trees, _ = fit([s for s, own in zip(samples, fold) if own != number], shape)
        for i, s in enumerate(samples):
            if fold[i] == number:
                chosen[i] = choice_of(trees, s.row, s.excess)
    return chosen


def with_copies(samples, chosen):
    """Those that were measured in constant or shared memory, where the choice counts."""
    kept = [(s, letter) for s, letter in zip(samples, chosen) if set(s.excess) & set("cs")]
    return [s for s, _ in kept], [letter for _, letter in kept]


def print_scores(name, samples, chosen):
    print("%-40s accuracy %5.1f%%   alike or better %5.1f%%   over the best %5.1f%%" %
          ((name,) + tuple(100 * x for x in scores(samples, chosen))))


def print_both(name, samples, chosen):
    print_scores(name, samples, chosen)
    kept, letters = with_copies(samples, chosen)
    if kept:
        print_scores(f"    of {len(kept)} measured with a copy", kept, letters)


def print_confusion(samples, chosen):
    """Rows: where an array is best; columns: where it was put."""
    seen = Counter((s.label, letter) for s, letter in zip(samples, chosen))
    print("%-12s" % "best, chosen" + "".join("%10s" % SPACES[letter] for letter in LETTERS))
    for label in LETTERS:
        print("%-12s" % SPACES[label] + "".join("%10d" % seen[label, letter] for letter in LETTERS))


def print_importance(names, importance):
    for name, part in sorted(zip(names, importance), key=lambda item: (-item[1], item[0])):
        print("%-20s %5.1f%%" % (name, 100 * part))
