"""Launches in the order in which they were made: when a plan was settled, and the phases of a program that changes its size."""

import itertools
import statistics

STEADY = 16  # launches of one version that no trial makes in a row


def is_original(version):
    """The kernel as clang made it, or several of them."""
    return not version.strip(" ;")


def settled_at(versions):
    """Launches before the first of a steady stretch: STEADY of one version in a row, or half as many until the end. None: there
    is none. The original kernel at the start, before anything else was tried, is no such stretch."""
    start = 0
    for version, group in itertools.groupby(versions):
        length = len(list(group))
        is_wait = start == 0 and is_original(version) and length < len(versions)
        if not is_wait and (length >= STEADY or (start + length == len(versions) and length >= STEADY // 2)):
            return start
        start += length
    return None


def extra_ns(ns, settled):
    """What the launches before that took more than if each had taken what the settled ones take."""
    steady = statistics.median(ns[settled:])
    return sum(ns[:settled]) - settled * steady


def phases_of(arguments, launches):
    """[(first, end)] of a program with --grow and --back, from 0; [] for any other."""
    values = {name: int(arguments[i + 1]) - 1 for i, name in enumerate(arguments[:-1]) if name in ("--grow", "--back")}
    if len(values) != 2:
        return []
    return [(0, values["--grow"]), (values["--grow"], values["--back"]), (values["--back"], launches)]


def run_lengths(versions):
    """ "base*1 gs*3 original*12": what was launched, in order."""
    return " ".join(f"{version or 'original'}*{len(list(group))}" for version, group in itertools.groupby(versions))


def read_run_lengths(text):
    """[(version, launches)]"""
    pairs = [word.rsplit("*", 1) for word in text.split()]
    return [(version, int(count)) for version, count in pairs]
