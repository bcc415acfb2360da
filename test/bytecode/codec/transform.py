# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How do many programs fit into one file, and what does a program look like after a detour
over cuTile Python? Both are changes of the program, not of its spelling. Programs come in
as files of the reference convention, and so are not changed themselves.
"""

import dataclasses

from .decode import decode
from .program import Block, Module, Operation, Subprogram, walk


def merge(files: list[bytes]) -> Module:
    """One module with all entries and globals of files of one version. Names get a number,
    also where debug information and get_global repeat them."""
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
    """cuTile Python has no `if` without else (bytecode format, 17, item 13)."""
    for entry in module.entries:
        for operation in list(walk(entry.body)):
            if operation.name == "if" and not operation.regions[1]:
                operation.regions[1] = [Block([], [Operation("yield", operands={"operands": []})])]
    return module


def drop_locations(module: Module) -> Module:
    for entry in module.entries:
        entry.location = None
        for operation in walk(entry.body):
            operation.location = None
    return module
