# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds random operations to a body, with operands that are visible or created for the purpose.
The methods that choose operations are in derived classes; each is marked with its version and
with the places where its operations may occur.
"""

from collections.abc import Callable

from .layouts import BY_NAME, ENUMERATIONS, V13_1
from .pieces import I4, I64, I8, INTEGERS, Pieces
from .program import (
    DYNAMIC, TOKEN, Block, GatherScatterView, Operation, PartitionView, Pointer, StridedView,
    TensorView, Tile, Type, Value)

MAKERS: list[tuple[Callable, tuple[int, int], bool]] = []  # method, version, pure


def makes(since: tuple[int, int] = V13_1, pure: bool = True) -> Callable:
    """Registers a method. Pure operations may occur in a reduce or scan (core operations, 4.11)."""
    def register(method: Callable) -> Callable:
        MAKERS.append((method, since, pure))
        return method
    return register


class Builder:
    """A body under construction."""

    def __init__(self, pieces: Pieces, block: Block, scopes: list):
        self.pieces, self.random, self.scopes = pieces, pieces.random, scopes
        self.version = pieces.version
        self.block = block
        self.visible: list[list[Value]] = [list(block.arguments)]
        self.nesting: list[tuple] = [("entry",)]
        self.makers = [(method, pure) for method, since, pure in MAKERS if since <= self.version]

    def fill(self, size: int) -> None:
        pure = self.nesting[-1][0] == "aggregate"
        makers = [method for method, is_pure in self.makers if is_pure or not pure]
        for _ in range(size):
            self.random.choice(makers)(self)

    def chance(self, probability: float = 0.5) -> bool:
        return self.random.random() < probability

    def one_of(self, enumeration: str) -> str:
        return self.random.choice(ENUMERATIONS[enumeration])

    def maybe(self, type_: Type) -> list[Value]:
        return [self.value(type_)] if self.chance() else []

    # --- Building -------------------------------------------------------------------------

    def emit(self, mnemonic: str, /, results: tuple[Type, ...] = (), operands: dict | None = None,
             units: tuple[str, ...] = (), regions: list | None = None, **attributes) -> list[Value]:
        """`operands` by group; a single value stands for a group with one element."""
        groups = {part.name: [] for part in BY_NAME[mnemonic].operands}
        for group, values in (operands or {}).items():
            assert group in groups, (mnemonic, group)
            groups[group] = values if isinstance(values, list) else [values]
        operation = Operation(mnemonic, [Value(type_) for type_ in results], attributes,
                              frozenset(units), groups, regions or [],
                              self.pieces.operation_location(self.scopes))
        self.block.operations.append(operation)
        self.visible[-1] += operation.results
        return operation.results

    def value(self, type_: Type) -> Value:
        known = [value for values in self.visible for value in values if value.type == type_]
        return self.random.choice(known) if known and self.chance(0.7) else self.make(type_)

    def make(self, type_: Type) -> Value:
        match type_:
            case Tile(Pointer(), shape):
                return self.emit("int_to_ptr", (type_,),
                                 {"source": self.value(Tile(I64, shape))})[0]
            case Tile(element, shape) if element == I4:
                return self.emit("trunci", (type_,), {"from": self.value(Tile(I8, shape))},
                                 overflow="none")[0]
            case Tile():
                return self.emit("constant", (type_,), value=self.pieces.constant(type_))[0]
            case TensorView():
                return self.make_tensor_view(type_)
            case PartitionView() | GatherScatterView() | StridedView():
                name = {PartitionView: "partition", GatherScatterView: "gather_scatter",
                        StridedView: "strided"}[type(type_)]
                return self.emit(f"make_{name}_view", (type_,),
                                 {"tensor_view": self.value(type_.view)})[0]
        assert type_ == TOKEN, type_
        return self.emit("make_token", (TOKEN,))[0]

    def make_tensor_view(self, type_: TensorView) -> Value:
        integer = Tile(self.random.choice(INTEGERS))
        return self.emit("make_tensor_view", (type_,), {
            "base": self.value(Tile(Pointer(type_.element, type_.attribute))),
            "dynamicShape": [self.value(integer) for e in type_.shape if e == DYNAMIC],
            "dynamicStrides": [self.value(integer) for s in type_.strides if s == DYNAMIC]})[0]

    def nested(self, kind: tuple, arguments: list[Type], finish: Callable[[], None],
               size: int) -> list[Block]:
        block, outer = Block([Value(type_) for type_ in arguments]), self.block
        self.block = block
        self.visible.append(list(block.arguments))
        self.nesting.append(kind)
        self.fill(size)
        finish()
        self.nesting.pop()
        self.visible.pop()
        self.block = outer
        return [block]

    def terminate(self, name: str, types: tuple[Type, ...]) -> None:
        self.emit(name, operands={"operands": [self.value(type_) for type_ in types]})
