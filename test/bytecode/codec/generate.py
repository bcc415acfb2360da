# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random valid programs with every operation, type, flag and enum value of their
version, in nested control flow, following the rules of the operation documents.
"""

from .builder import makes
from .generate_memory import Memory
from .generate_values import Values
from .layouts import V13_2, V13_3
from .pieces import F32, FOUR_BITS, I32, I4, INTEGERS, Pieces
from .program import (
    I1, TOKEN, Block, Entry, Float, Function, Integer, Module, Pointer, Scalar, Tile, Type, Value)

def generate(seed: int, version: tuple[int, int], textual: bool = False,
             size: int = 25) -> Module:
    """`textual`: the text form can represent it. `size`: the maximum number of statements per entry."""
    pieces = Pieces(f"{seed} {version}", version, textual)
    dice = pieces.random
    module = Module(globals=pieces.globals)
    for _ in range(2):
        inputs = tuple(pieces.input() for _ in range(dice.choice((0, 1, 3, 20, 140))))
        name = pieces.name(b"kernel")
        scopes = pieces.scopes(name) if dice.random() < 0.6 else []
        body = Block([Value(type_) for type_ in inputs])
        Body(pieces, body, scopes).fill_entry(dice.randint(1, size))
        module.entries.append(Entry(name, Function(inputs, ()), body, pieces.entry_hints(),
                                    pieces.own_location(scopes)))
    if version >= V13_3 and dice.random() < 0.5:
        module.producer = dice.choice((b"generator 1.0", b"", b"kernel.py"))
    return module


class Body(Values, Memory):
    """The body of an entry."""

    def fill_entry(self, size: int) -> None:
        self.fill(size)
        self.emit("return", operands={"operands": []})

    def carried(self) -> tuple[Type, ...]:
        types = [TOKEN, Tile(I32), Tile(F32, (4,)), Tile(Pointer(F32)), Tile(I1)]
        return tuple(self.random.choice(types) for _ in range(self.random.choice((0, 0, 1, 3))))

    def size(self) -> int:
        return self.random.randint(0, 5) if len(self.nesting) < 5 else 0

    def innermost_loop(self) -> tuple | None:
        loops = [kind for kind in self.nesting if kind[0] != "if"]
        return loops[-1] if loops[-1][0] in ("for", "loop") else None

    def leave_branch(self, results: tuple[Type, ...]) -> None:
        """An `if` ends with yield, or jumps out of an enclosing operation (core operations, 5)."""
        loop = self.innermost_loop()
        choice = self.random.random()
        if choice < 0.7:
            self.terminate("yield", results)
        elif loop is None:
            self.terminate("return", ())
        elif loop[0] == "loop" and choice < 0.85:
            self.terminate("break", loop[2])
        else:
            self.terminate("continue", loop[1])

    @makes(pure=False)
    def branch(self) -> None:
        results = self.carried()
        condition = self.value(Tile(I1))
        branches = 2 if results or self.chance() else 1
        regions = [self.nested(("if",), [], lambda: self.leave_branch(results),
                               self.size()) for _ in range(branches)]
        self.emit("if", results, {"condition": condition}, regions=(regions + [[]])[:2])

    @makes(pure=False)
    def counted_loop(self) -> None:
        integer, types = Tile(self.random.choice(INTEGERS)), self.carried()
        bounds = {name: self.value(integer) for name in ("lowerBound", "upperBound", "step")}
        initial = [self.value(type_) for type_ in types]
        region = self.nested(("for", types), [integer, *types],
                             lambda: self.terminate("continue", types), self.size())
        unsigned = self.version >= V13_2 and self.chance()
        self.emit("for", types, bounds | {"initValues": initial},
                  ("unsignedCmp",) if unsigned else (), [region])

    @makes(pure=False)
    def endless_loop(self) -> None:
        types, results = self.carried(), self.carried()
        initial = [self.value(type_) for type_ in types]
        name, out = self.random.choice((("break", results), ("continue", types)))
        region = self.nested(("loop", types, results), list(types),
                             lambda: self.terminate(name, out), self.size())
        self.emit("loop", results, {"initValues": initial}, regions=[region])

    def identity(self, element: Scalar) -> Integer | Float:
        """f16 and bf16 may replace each other (core operations, 4.11)."""
        halves = (Scalar("f16"), Scalar("bf16"))
        return self.pieces.number(self.random.choice(halves) if element in halves else element)

    @makes(pure=False)
    def aggregation(self) -> None:
        elements = [e for e in self.pieces.numbers() if e != FOUR_BITS]
        elements += [I4] if self.version >= V13_3 else []
        shape = self.pieces.shape(least_rank=1)
        tiles = [Tile(self.random.choice(elements), shape)
                 for _ in range(self.random.choice((1, 1, 2, 3)))]
        dim = self.random.randrange(len(shape))
        scalars = tuple(Tile(tile.element) for tile in tiles)
        operands = [self.value(tile) for tile in tiles]
        identities = tuple(self.identity(tile.element) for tile in tiles)
        region = self.nested(("aggregate",), [scalar for scalar in scalars for _ in range(2)],
                             lambda: self.terminate("yield", scalars), self.size())
        if self.chance():
            results = tuple(Tile(tile.element, shape[:dim] + shape[dim + 1:]) for tile in tiles)
            self.emit("reduce", results, {"operands": operands}, regions=[region], dim=dim,
                      identities=identities)
        else:
            self.emit("scan", tuple(tiles), {"operands": operands}, regions=[region], dim=dim,
                      reverse=self.chance(), identities=identities)
