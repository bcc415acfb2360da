# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits of functions with layouts after which many of them stay valid."""

import random
import re

import mutate
from edits import damage, replace_everywhere, replace_one

ALIAS = re.compile(r"layout\((#\w+)\)")
LIST = re.compile(r"\[\d+(?:, ?\d+)*\]")
NUMBER = re.compile(r"(?<![\w.%#@])\d+(?![\w.])|(?<=<)\d+(?=x)|(?<=x)\d+(?=x)")
NUMBERS = ("0", "1", "1", "2", "2", "3", "4", "8", "16", "32", "64", "128", "1024")
KINDS = [kind.split() for kind in (
    "arith.addf arith.subf arith.mulf arith.divf arith.maximumf arith.minnumf",
    "arith.addi arith.subi arith.muli arith.andi arith.maxsi arith.divui",
    "math.exp math.sqrt math.tanh math.absf",
    "f16 bf16 f32 f64 i32", "i1 i8 i16 i32 i64 index",
    "add mul minsi maxsi minui maxui and or xor minnumf maxnumf minimumf maximumf",
    "true false", "parallel reduction",
    "col row x y z")]
WORD = {word: kind for kind in KINDS for word in kind}
LONGEST_FIRST = map(re.escape, sorted(WORD, key=len, reverse=True))
WORDS = re.compile(r"(?<![\w.%@#])(?:" + "|".join(LONGEST_FIRST) + r")(?![\w.])|"
                   r"(?<=x)(?:f16|bf16|f32|f64|i1|i8|i16|i32|i64|index)\b")


def edit(rng: random.Random, text: str, texts: list[str]) -> str:
    for _ in range(rng.choice((1, 1, 2, 3))):
        text = rng.choice(EDITS)(rng, text, texts)[:mutate.LONGEST]
    return text


def one_function(rng, text, texts):
    """Keeps one function of the file, because one invalid function makes the whole file invalid."""
    parts = re.split(r"^(?=func\.func |// )", text, flags=re.MULTILINE)
    functions = [part for part in parts if part.startswith("func.func")]
    if len(functions) < 2:
        return text
    aliases = re.findall(r"^[#!]\w+ = (?:[^\n]*\n)(?:^ +[^\n]*\n)*", text, flags=re.MULTILINE)
    return "".join(aliases) + rng.choice(functions)


def other_number(rng, text, texts):
    return replace_one(rng, text, NUMBER, lambda _: rng.choice(NUMBERS))


def other_extent(rng, text, texts):
    return replace_everywhere(rng, text, NUMBER, NUMBERS)


def other_word(rng, text, texts):
    return replace_one(rng, text, WORDS, lambda word: rng.choice(WORD.get(word, [word])))


def other_type(rng, text, texts):
    """Replaces it everywhere, so that types still agree."""
    old = rng.choice(("f32", "f16", "i32"))
    new = rng.choice(("f16", "bf16", "f64", "i8", "i64", "i1"))
    return re.sub(rf"(?<![\w.%@#])(\d*x?){old}\b|(?<=x){old}\b", lambda m: (m[1] or "") + new, text)


def swap_layouts(rng, text, texts):
    names = ALIAS.findall(text)
    return replace_one(rng, text, ALIAS, lambda _: f"layout({rng.choice(names)})") if names else text


def shuffle_list(rng, text, texts):
    def shuffled(found: str) -> str:
        numbers = found.strip("[]").split(", ")
        rng.shuffle(numbers)
        return "[" + ", ".join(numbers) + "]"
    return replace_one(rng, text, LIST, shuffled)


EDITS = (one_function, one_function, one_function, other_number, other_number, other_extent,
         other_word, other_type, swap_layouts, shuffle_list, damage)
