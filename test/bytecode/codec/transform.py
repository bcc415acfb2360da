# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms programs and files: merges several programs into one file, rewrites a program as
cuTile Python or text would represent it, and damages bytes. All but the last change the program, not
its encoding.
"""

import dataclasses
import random

from .decode import decode
from .pieces import I64
from .program import BITS, Block, Dictionary, Integer, Module, Operation, Subprogram, walk


def merge(files: list[bytes]) -> Module:
    """Merges the entries and globals of files of one version into one module. Names get a numeric
    suffix, also in debug information and get_global."""
    merged = Module()
    for number, data in enumerate(files):
        module = decode(data).module
        names = {item.name: b"%s.%d" % (item.name, number)
                 for item in [*module.entries, *module.globals]}
        for entry in module.entries:
            entry.location = rename(entry.location, names)
            for operation in walk(entry.body):
                operation.location = rename(operation.location, names)
                if operation.name == "get_global":
                    operation.attributes["name"] = names[operation.attributes["name"]]
        for item in [*module.entries, *module.globals]:
            item.name = names[item.name]
        merged.entries += module.entries
        merged.globals += module.globals
    return merged


def rename(attribute, names: dict[bytes, bytes]):
    """A debug attribute whose subprograms have the new names of their entries."""
    if not dataclasses.is_dataclass(attribute):
        return attribute
    fields = {field.name: rename(getattr(attribute, field.name), names)
              for field in dataclasses.fields(attribute)}
    if isinstance(attribute, Subprogram):
        fields["linkage"] = names.get(attribute.linkage, attribute.linkage)
    return type(attribute)(**fields)


def add_else_blocks(module: Module) -> Module:
    """Adds an empty else, because cuTile Python has no `if` without one (bytecode format, 17, item 13)."""
    for entry in module.entries:
        for operation in list(walk(entry.body)):
            if operation.name == "if" and not operation.regions[1]:
                operation.regions[1] = [Block([], [Operation("yield", operands={"operands": []})])]
    return module


def widen_hints(module: Module) -> Module:
    """Gives the integers of hints the type i64, the only one that text can represent."""
    for entry in module.entries:
        entry.hints = widen(entry.hints)
        for operation in walk(entry.body):
            if (hints := operation.attributes.get("optimization_hints")) is not None:
                operation.attributes["optimization_hints"] = widen(hints)
    return module


def widen(attribute):
    """A dictionary with i64 in place of all narrower integers, which are signed."""
    match attribute:
        case Dictionary(entries):
            return Dictionary(tuple((key, widen(value)) for key, value in entries))
        case Integer(type_, value) if type_ != I64:
            sign = 1 << BITS[type_.name] - 1
            return Integer(I64, ((value ^ sign) - sign) % (1 << 64))
        case _:
            return attribute


def drop_locations(module: Module) -> Module:
    for entry in module.entries:
        entry.location = None
        for operation in walk(entry.body):
            operation.location = None
    return module


def damage(dice: random.Random, data: bytes) -> bytes:
    """Changes, removes or inserts a few bytes after the magic number and version."""
    damaged = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 3))):
        place = dice.randrange(12, len(damaged))
        match dice.randrange(6):
            case 0 | 1:
                damaged[place] = dice.choice((0, 1, 2, 3, 0x7F, 0x80, 0xFF))
            case 2:
                damaged[place] = damaged[place] + dice.choice((-1, 1)) & 0xFF
            case 3:
                damaged[place] = dice.randrange(256)
            case 4:
                del damaged[place]
            case 5:
                damaged.insert(place, dice.randrange(256))
    return bytes(damaged)
