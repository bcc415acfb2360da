# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds a random program from statements that request operands.

The builder tracks the values in scope. A statement requests an operand of some type, and usually gets
an existing value, otherwise a new one: loaded, constant, converted or rearranged from another. So
most values are connected, and any operation finds operands of any type. Values that are unused at the
end of their scope are stored.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from checks import Check
from conversions import convert, legal, literal
from elements import (ANY_NAN, EDGES, FLOATS, INTEGERS, NUMBERS, SCALE, UNSIGNED, WIDTHS, pattern,
                      random_patterns, word)
from tileir import Op, Parameter, Program, Region, Tile, Type, Value

ELEMENT_WEIGHTS = {"f32": 12, "i32": 10, "f16": 5, "bf16": 4, "f64": 4, "i64": 4, "i16": 3,
                   "i8": 4, "i1": 3, "tf32": 1, "f8E4M3FN": 1, "f8E5M2": 1, SCALE: 1,
                   "f4E2M1FN": 1, UNSIGNED: 1, "i4": 1}


@dataclass
class Scope:
    region: Region
    pure: bool = False  # body of an aggregate: only operations without effects
    ragged: tuple[int, ...] | None = None  # values have this shape, and may have undefined elements
    store: Callable[[Value, Check], None] | None = None  # stores ragged values
    instance: Value | None = None  # the index of the current execution of the region ...
    instances: int = 0  # ... and the number of executions; 0 if unknown
    leave: Callable[[], None] | None = None  # emits a terminator that leaves the loop or iteration
    values: dict[Type, list[Value]] = field(default_factory=lambda: defaultdict(list))


class Builder:
    """The statements are functions in other files that take the builder; those that the builder
    calls are passed to it."""

    def __init__(self, seed: str, number: int, grid: tuple[int, ...], load, store,
                 elementwise) -> None:
        self.load_ = load
        self.store_ = store
        self.elementwise = elementwise
        self.program = Program(seed, number, grid)
        self.random = random.Random(f"{seed}:{number}")
        self.numpy = np.random.default_rng(self.random.getrandbits(64))
        self.used: set[Value] = set()
        self.scopes: list[Scope] = [Scope(self.program.body)]
        self.sources: list[Parameter] = []  # read-only arrays
        self.block: Value | None = None  # the index of the tile block
        self.prints = 0
        self.subject: tuple = ()  # statements that are chosen more often
        self.is_aligned = False  # the program states the alignment of its arrays (tiles.py)
        self.observed = self.random.choice([0.1, 0.3, 0.8])  # probability of storing a new value
        self.elements = self._palette_of_elements()
        self.shapes = self._palette_of_shapes()

    has_multicast = True  # on all compared devices

    # --- Choices ------------------------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def choice(self, options):
        return self.random.choice(options)

    def multicast(self, probability: float) -> bool:
        """Whether to treat an array as the only copy of multicast memory."""
        return self.chance(probability) and self.has_multicast

    def weighted(self, options: dict):
        return self.random.choices(list(options), list(options.values()))[0]

    def _palette_of_elements(self) -> dict[str, float]:
        """A few types that the program uses often, so that its values can be combined."""
        favourites = {self.weighted(ELEMENT_WEIGHTS) for _ in range(4)}
        return {e: w * (8 if e in favourites else 0.5) for e, w in ELEMENT_WEIGHTS.items()}

    def _palette_of_shapes(self) -> list[tuple[int, ...]]:
        cap = self.weighted({32: 3, 128: 4, 512: 3, 2048: 1, 8192: 0.3})
        made: list[tuple[int, ...]] = [()]
        while len(made) < 6:
            rank = self.weighted({1: 3, 2: 5, 3: 2, 4: 1})
            shape = tuple(1 << self.random.randrange(7) for _ in range(rank))
            if made[-1] and self.chance(0.6):  # related to the previous one
                last = made[-1]
                shape = self.choice([last[::-1], last[:-1], (1, *last[1:]), (*last[:-1], 1),
                                     (int(np.prod(last)),), shape])
            if np.prod(shape) <= cap and shape and shape not in made:
                made.append(shape)
            elif not shape:
                made.append(())
        return made

    def element(self, allowed=None) -> str:
        weights = {e: w for e, w in self.elements.items() if allowed is None or e in allowed}
        return self.weighted(weights)

    def shape(self, least_rank: int = 0) -> tuple[int, ...]:
        found = [s for s in self.shapes if len(s) >= least_rank]
        return self.choice(found) if found else (8,) * least_rank

    def tile(self, allowed=None, least_rank: int = 0) -> Tile:
        """A type, usually one that existing values have."""
        if self.scope.ragged is not None:
            return legal(Tile(self.element(allowed), self.scope.ragged))
        known = [t for scope in self.scopes for t in scope.values if isinstance(t, Tile)
                 and (allowed is None or t.element in allowed) and len(t.shape) >= least_rank
                 and t.pointee is None]
        if known and self.chance(0.7):
            return self.choice(known)
        return legal(Tile(self.element(allowed), self.shape(least_rank)))

    # --- Emitting -----------------------------------------------------------------------------

    @property
    def scope(self) -> Scope:
        return self.scopes[-1]

    def append(self, op: Op) -> Op:
        self.scope.region.ops.append(op)
        self.used.update(op.operands)
        return op

    def ops(self, text: str, operands: list[Value], to: list[Type],
            regions: list[Region] | None = None, any_nan: bool = False) -> list[Value]:
        """Emits an operation; returns its results."""
        holed = any(o.holed for o in operands)
        results = [Value(t, holed=holed and isinstance(t, Tile),
                         any_nan=any_nan and isinstance(t, Tile) and t.element in FLOATS)
                   for t in to]
        return self.append(Op(text, operands, results, regions or [])).results

    def op(self, text: str, *operands: Value, to: Type, any_nan: bool | None = None) -> Value:
        """Emits an operation with one result, which moves the bits of its operands unless
        `any_nan` states what happens to a NaN."""
        if any_nan is None:
            any_nan = any(o.any_nan for o in operands)
        return self.ops(text, list(operands), [to], any_nan=any_nan)[0]

    def arithmetic(self, text: str, *operands: Value, to: Tile) -> Value:
        """Emits an operation that can create NaNs."""
        return self.op(text, *operands, to=to, any_nan=to.element in ANY_NAN)

    def effect(self, text: str, *operands: Value) -> None:
        self.append(Op(text, list(operands)))

    @contextmanager
    def region(self, arguments: list[Value] = (), **scope) -> Iterator[Region]:
        """Emits everything inside the context into a new region."""
        made = Region(list(arguments))
        outer = self.scope
        defaults = {"pure": outer.pure, "instance": outer.instance,
                    "instances": outer.instances, "leave": outer.leave}
        self.scopes.append(Scope(made, **(defaults | scope)))
        for value in arguments:
            self.offer(value)
        yield made
        self.scopes.pop()

    @property
    def depth(self) -> int:
        return len(self.scopes) - 1

    # --- Constants ----------------------------------------------------------------------------

    def constant(self, tile: Tile, number: int | float) -> Value:
        """A splat of a value: integers modulo their width, floats rounded."""
        if tile.element in FLOATS:
            bits = pattern(tile.element, number)
        else:
            bits = int(number)
        return self.splat(tile, bits)

    def splat(self, tile: Tile, bits: int) -> Value:
        return self.op(f"constant <{tile.element}: {literal(tile.element, bits)}> : $r0", to=tile)

    def listed(self, tile: Tile, bits: np.ndarray) -> Value:
        texts = np.array([literal(tile.element, int(b)) for b in bits.reshape(-1)], object)
        value = Value(tile)
        self.append(Op(f"constant <{tile.element}: $L> : $r0", [], [value],
                       literal=texts.reshape(tile.shape)))
        return value

    def i32(self, number: int) -> Value:
        return self.constant(Tile("i32"), number)

    # --- Parameters ---------------------------------------------------------------------------

    def array(self, element: str, content: np.ndarray, check: Check | None = None) -> Parameter:
        made = Parameter(Value(Tile(f"ptr<{element}>")), element, content, check)
        self.program.parameters.append(made)
        return made

    def scalar(self, element: str, number: int) -> Value:
        content = np.array([number & (1 << WIDTHS[element]) - 1], word(element))
        made = Parameter(Value(Tile(element)), element, content, scalar=True)
        self.program.parameters.append(made)
        return made.value

    def source(self, element: str, count: int) -> Parameter:
        """A read-only array with at least this many elements."""
        known = [s for s in self.sources if s.element == element and len(s.content) >= count]
        if known and self.chance(0.5):
            return self.choice(known)
        flavour = self.weighted({"mixed": 5, "ordinary": 3, "any": 2})
        content = random_patterns(element, count + count % 2, self.numpy, flavour)
        self.sources.append(self.array(element, content))
        return self.sources[-1]

    def noise(self, element: str, count: int) -> np.ndarray:
        return random_patterns(element, count, self.numpy, "any")

    # --- Results ------------------------------------------------------------------------------

    @property
    def can_store(self) -> bool:
        """Whether every execution of the current region has its own memory."""
        return not self.scope.pure and self.scope.instances > 0

    def store(self, value: Value, check: Check | None = None) -> None:
        """Makes the value visible to the host."""
        check = check or Check(value.any_nan)
        if self.scope.store:
            self.scope.store(value, check)
        else:
            self.store_(self, value, check)

    def finish(self, *values: Value) -> None:
        """Ends a statement: makes its values available to others, and sometimes visible to the host."""
        self.offer(*values)
        for value in values:
            if self.can_store and self.chance(self.observed):
                self.store(value)
                self.used.add(value)

    def store_unused(self) -> None:
        """At the end of a scope: stores unused values."""
        for values in list(self.scope.values.values()):
            for value in values:
                if isinstance(value.type, Tile) and value not in self.used:
                    self.store(value)

    def ragged(self, values: list[Value], store: Callable[[Value, Check], None],
               shape: tuple[int, ...]) -> None:
        """Applies elementwise operations to values with undefined elements, and stores the results."""
        outer = self.scope
        self.scopes.append(Scope(outer.region, False, shape, store, outer.instance,
                                 outer.instances))
        self.offer(*values)
        for _ in range(self.random.randint(1, 6)):
            made = self.elementwise(self)
            if made:
                self.offer(made)
        self.store_unused()
        self.scopes.pop()

    # --- Operands -------------------------------------------------------------------------------

    def offer(self, *values: Value) -> None:
        """Makes values available to later statements."""
        for value in values:
            self.scope.values[value.type].append(value)

    def known(self, tile: Type, holed: bool = True) -> list[Value]:
        if self.scope.ragged is not None:  # prefer values of the same scope
            found = self.scope.values.get(tile, [])
            if found and self.chance(0.8):
                return found
        return [v for scope in self.scopes for v in scope.values.get(tile, ())
                if holed or not v.holed]

    def operand(self, tile: Tile) -> Value:
        known = self.known(tile)
        if known and self.chance(0.85):
            fresh = [v for v in known if v not in self.used]
            return self.choice(fresh if fresh and self.chance(0.5) else known)
        return self.fresh(tile)

    def below(self, limit: int, element: str) -> Value:
        """An unsigned number below the limit, which the type must be able to represent."""
        tile = Tile(element)
        if limit == 1 or self.chance(0.4):
            return self.constant(tile, self.random.randrange(limit))
        value = self.operand(tile)
        if limit == 1 << WIDTHS[element]:
            return value
        return self.op("remi $0, $1 unsigned : $r0", value, self.constant(tile, limit), to=tile)

    def fresh(self, tile: Tile) -> Value:
        ways: dict[Callable[[Tile], Value | None], float] = {
            self._converted: 3, self._rearranged: 3, self._spread: 2}
        if tile.element in NUMBERS:
            ways[self._constant] = 1
            if not self.scope.pure and self.scope.ragged is None:
                ways[self._loaded] = 5
            if not tile.shape and tile.element != "f4E2M1FN":
                ways[self._passed] = 2
        if tile.element in INTEGERS:
            ways[self._counted] = 1
        while ways:
            way = self.weighted(ways)
            made = way(tile)
            if made:
                self.offer(made)
                return made
            del ways[way]
        return self._from_scratch(tile)

    def _loaded(self, tile: Tile) -> Value | None:
        return self.load_(self, tile)

    def _passed(self, tile: Tile) -> Value:
        """A parameter of the entry."""
        return self.scalar(tile.element, self.choice(EDGES[tile.element]))

    def _constant(self, tile: Tile) -> Value:
        edges = EDGES[tile.element]
        if 1 < tile.count <= 16 and self.chance(0.5):
            bits = np.array([self.choice(edges) for _ in range(tile.count)], np.uint64)
            return self.listed(tile, bits)
        return self.splat(tile, self.choice(edges))

    def _counted(self, tile: Tile) -> Value | None:
        if not tile.count <= 1 << WIDTHS[tile.element]:
            return None
        flat = self.op("iota : $r0", to=tile.shaped(tile.count))
        return flat if flat.type == tile else self.op("reshape $0 : $t0 -> $r0", flat, to=tile)

    def _converted(self, tile: Tile) -> Value | None:
        """Converts a value with this shape and another type."""
        found = [v for scope in self.scopes for t, values in scope.values.items()
                 if isinstance(t, Tile) and t.shape == tile.shape and t != tile for v in values]
        for value in self.random.sample(found, min(4, len(found))):
            made = convert(self, value, tile.element)
            if made:
                return made
        return None

    def _rearranged(self, tile: Tile) -> Value | None:
        """Rearranges a value with as many elements of this type. Undefined elements keep their place."""
        found = [v for scope in self.scopes for t, values in scope.values.items()
                 if isinstance(t, Tile) and t.element == tile.element and t.count == tile.count
                 and t != tile for v in values if not v.holed]
        return self.op("reshape $0 : $t0 -> $r0", self.choice(found), to=tile) if found else None

    def _spread(self, tile: Tile) -> Value | None:
        """Broadcasts a value that has extent 1 where this has more."""
        if not tile.shape:
            return None
        thin = tuple(1 if self.chance(0.5) else e for e in tile.shape)
        if thin == tile.shape:
            return None
        if legal(tile.shaped(*thin)) == tile.shaped(*thin) and (
                found := self.known(tile.shaped(*thin), holed=False)):
            return self.op("broadcast $0 : $t0 -> $r0", self.choice(found), to=tile)
        found = self.known(tile.shaped(), holed=False)
        if not found:
            return None
        one = self.op("reshape $0 : $t0 -> $r0", self.choice(found),
                      to=tile.shaped(*(1,) * len(tile.shape)))
        return self.op("broadcast $0 : $t0 -> $r0", one, to=tile)

    def _from_scratch(self, tile: Tile) -> Value:
        """A tile of i4 or of pointers, if nothing better was found."""
        if tile.element == "i4":
            return self.op("trunci $0 : $t0 -> $r0", self.operand(tile.of("i8")), to=tile)
        assert tile.pointee, tile
        wide = self.operand(tile.of("i64"))
        low = self.op("andi $0, $1 : $r0", wide, self.constant(wide.type, (1 << 40) - 1),
                      to=wide.type)
        address = self.op("ori $0, $1 : $r0", low, self.constant(wide.type, 1 << 44), to=wide.type)
        return self.op("int_to_ptr $0 : $t0 -> $r0", address, to=tile)
