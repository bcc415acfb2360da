# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Would a wrong compiler be noticed? A mutant is a program with one operation changed, as a
compiler might get it wrong."""

import random

import generate
from tileir import Program, walk

# What the text of an operation becomes.
CHANGES = (("addi ", "subi "), ("subi ", "addi "), ("muli ", "addi "), ("andi ", "ori "),
           ("ori ", "xori "), ("maxi ", "mini "), ("mini ", "maxi "), ("addf ", "subf "),
           ("subf ", "addf "), ("mulf ", "addf "), ("maxf ", "minf "), ("minf ", "maxf "),
           ("floor ", "ceil "), ("ceil ", "floor "), ("negf ", "absf "), ("negi ", "absi "),
           ("less_than ", "less_than_or_equal "), ("equal ", "not_equal "),
           (" signed", " unsigned"), ("reverse=true", "reverse=false"),
           ("reverse=false", "reverse=true"), ("pos_inf", "neg_inf"), (" propagate_nan", ""),
           (" flush_to_zero", ""), (" rounding<zero>", ""), (" rounding<positive_inf>", ""))


def mutant(program: Program) -> Program | None:
    """The program made once more, with one of its operations changed; None if it has nothing
    to change. What the change does, if anything, the reference machine knows."""
    changed = generate.program(program.seed, program.number)
    places = [(op, old, new) for op in walk(changed.body) for old, new in CHANGES
              if old in op.text]
    if not places:
        return None
    op, old, new = random.Random(f"mutant of {program.name}").choice(places)
    op.text = op.text.replace(old, new, 1)
    return changed
