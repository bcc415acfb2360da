# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing of the comparison: a mutant is a program with one operation changed, as a buggy
compiler might do."""

import random
from collections.abc import Iterator

import generate
from tileir import Program, walk

# Replacements in the text of an operation.
CHANGES = (("addi ", "subi "), ("subi ", "addi "), ("muli ", "addi "), ("andi ", "ori "),
           ("ori ", "xori "), ("maxi ", "mini "), ("mini ", "maxi "), ("addf ", "subf "),
           ("subf ", "addf "), ("mulf ", "addf "), ("maxf ", "minf "), ("minf ", "maxf "),
           ("floor ", "ceil "), ("ceil ", "floor "), ("negf ", "absf "), ("negi ", "absi "),
           ("less_than ", "less_than_or_equal "), ("equal ", "not_equal "),
           (" signed", " unsigned"), ("reverse=true", "reverse=false"),
           ("reverse=false", "reverse=true"), ("pos_inf", "neg_inf"), (" propagate_nan", ""),
           (" flush_to_zero", ""), (" rounding<zero>", ""), (" rounding<positive_inf>", ""))


TRIES = 4


def mutants(program: Program) -> Iterator[Program]:
    """Copies of the program with one operation changed. The reference machine determines whether a
    change has an effect."""
    places = [(k, old, new) for k, op in enumerate(walk(program.body)) for old, new in CHANGES
              if old in op.text]
    pick = random.Random(f"mutant of {program.name}")
    for at, old, new in pick.sample(places, min(TRIES, len(places))):
        changed = generate.program(program.seed, program.number)
        op = next(op for k, op in enumerate(walk(changed.body)) if k == at)
        op.text = op.text.replace(old, new, 1)
        yield changed
