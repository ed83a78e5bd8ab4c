"""What the commands that simulate have in common: which simulations, how many rounds, and what is said below each."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import sqrt

Simulation = Callable[[int], Iterator[str]]  # of a number of rounds: the lines of a table


def parser_of(description: str, names: Iterable[str], rounds: int) -> argparse.ArgumentParser:
    """The arguments of such a command. The first line of the description is its help."""
    parser = argparse.ArgumentParser(description=description.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)} (default: all)")
    parser.add_argument(
        "--rounds", type=int, default=rounds, help=f"test sets to draw for each figure (default: {rounds})"
    )
    return parser


def print_tables(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, simulations: Mapping[str, Simulation]
) -> None:
    """The tables that were asked for, line by line as they are found."""
    for name in arguments.names or simulations:
        if name not in simulations:
            parser.error(f"no simulation '{name}': expected {', '.join(simulations)}")
        for line in simulations[name](arguments.rounds):
            print(line, flush=True)
        error = sqrt(0.05 * 0.95 / arguments.rounds)
        print(
            f"\n{arguments.rounds:,} test sets per figure; the standard error of a rate of 0.05 is {error:.3f}.\n",
            flush=True,
        )
