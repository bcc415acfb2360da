# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of the integer operations. Python integers have unlimited width, so each formula is
that of the text (arithmetic, 3.1 and 4.1 to 4.9), and `wrap` truncates to the width.

Operands are unsigned patterns. None stands for a result that is undefined or unspecified, which no
case uses.
"""


def signed(x: int, width: int) -> int:
    return x - (1 << width) if x >> width - 1 else x


def wrap(x: int, width: int) -> int:
    return x & (1 << width) - 1


def read(x: int, width: int, signedness: str) -> int:
    return signed(x, width) if signedness == "signed" else x


def fits(x: int, width: int, signedness: str) -> bool:
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signedness == "signed" else \
        (0, (1 << width) - 1)
    return low <= x <= high


# --- With an overflow assumption (arithmetic, 2.3) -------------------------------------------

PROMISED = {"": (), "overflow<no_signed_wrap>": ("signed",),
            "overflow<no_unsigned_wrap>": ("unsigned",),
            "overflow<no_wrap>": ("signed", "unsigned")}
EXACT = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
}


def arithmetic(op: str, a: int, b: int, width: int, promise: str) -> int | None:
    for signedness in PROMISED[promise]:
        if not fits(EXACT[op](read(a, width, signedness), read(b, width, signedness)),
                    width, signedness):
            return None
    return wrap(EXACT[op](a, b), width)


def shift_left(a: int, b: int, width: int, promise: str) -> int | None:
    """Evaluated on the exact product with 2^b (arithmetic, 4.1)."""
    if b >= width:
        return None
    kept = all(fits(read(a, width, s) << b, width, s) for s in PROMISED[promise])
    return wrap(a << b, width) if kept else None


def negate(a: int, width: int, promise: str) -> int | None:
    """Operand and result are signed, so `no_wrap` assumes no more than `no_signed_wrap` does
    (arithmetic, 4.2)."""
    if promise and not fits(-signed(a, width), width, "signed"):
        return None
    return wrap(-a, width)


# --- Without ----------------------------------------------------------------------------------


def divide(a: int, b: int, width: int, signedness: str, rounding: str) -> int | None:
    a, b = read(a, width, signedness), read(b, width, signedness)
    if b == 0:
        return None
    quotient = {
        "": abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
        "rounding<negative_inf>": a // b,
        "rounding<positive_inf>": -(-a // b),
    }[rounding]
    # The smallest number divided by -1.
    return wrap(quotient, width) if fits(quotient, width, signedness) else None


def remainder(a: int, b: int, width: int, signedness: str) -> int | None:
    a, b = read(a, width, signedness), read(b, width, signedness)
    if b == 0:
        return None
    return wrap(abs(a) % abs(b) * (-1 if a < 0 else 1), width)


def shift_right(a: int, b: int, width: int, signedness: str) -> int | None:
    return wrap(read(a, width, signedness) >> b, width) if b < width else None


def largest(a: int, b: int, width: int, signedness: str) -> int:
    return wrap(max(read(a, width, signedness), read(b, width, signedness)), width)


def smallest(a: int, b: int, width: int, signedness: str) -> int:
    return wrap(min(read(a, width, signedness), read(b, width, signedness)), width)


COMPARE = {
    "equal": lambda a, b: a == b, "not_equal": lambda a, b: a != b,
    "less_than": lambda a, b: a < b, "less_than_or_equal": lambda a, b: a <= b,
    "greater_than": lambda a, b: a > b, "greater_than_or_equal": lambda a, b: a >= b,
}


def compare(a: int, b: int, width: int, predicate: str, signedness: str) -> int:
    return int(COMPARE[predicate](read(a, width, signedness), read(b, width, signedness)))


BINARY = {
    "remi": remainder, "shri": shift_right, "maxi": largest, "mini": smallest,
    "mulhii": lambda a, b, width: a * b >> width,
    "andi": lambda a, b, width: a & b,
    "ori": lambda a, b, width: a | b,
    "xori": lambda a, b, width: a ^ b,
    "cmpi": compare, "divi": divide, "shli": shift_left,
    **{op: (lambda a, b, width, promise, op=op: arithmetic(op, a, b, width, promise))
       for op in EXACT},
}
UNARY = {
    "negi": negate,
    "absi": lambda a, width: abs(signed(a, width)),
}
