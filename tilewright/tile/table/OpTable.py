# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts the operation records into rows of data: one per operation, field, type,
element type and enum member (see OpTable.h). Run as: OpTable.py records.json out.inc
"""

import json
import re
import sys

# The text that stands for each assembly format directive in the reference.
DIRECTIVES = {
    "AssumePredicate": "PREDICATE",
    "AtomicMode": "MODE",
    "AtomicViewOrdering": "ORDERING SCOPE",
    "ComparisonOrdering": "ordered|unordered",
    "FToIModifiers": "[saturating] [rounding<MODE>]",
    "DestinationType": ", T(destination)",
    "FencedToken": "%token",
    "FencedType": "",
    "IndexTypes": ", T(index)...",
    "MemoryHints": "[optimization_hints = <...>]",
    "OptionalOperand": "[, %mask]",
    "OptionalType": "[, T(mask)]",
    "Overflow": "[overflow<MODE>]",
    "Predicate": "PREDICATE",
    "PrintArguments": "[, %args...]",
    "PrintTypes": "[: T(args)...]",
    "RepeatedResult": "[-> T(result)]",
    "Signedness": "signed|unsigned",
    "ThreeOfType": "T",
    "TightTokenClause": "[token = %token]",
    "TokenAndInbounds": "[token = %token] [inbounds = [BOOL, ...]]",
    "TokenClause": "[token = %token]",
    "TileTypes": "T(operands)...",
    "TwoOptionalOperands": "[, %mask [, %paddingValue]]",
    "TwoOptionalTypes": "[, T(mask) [, T(paddingValue)]]",
    "ViewClauses": "[token = %token] [optimization_hints = <...>] [inbounds = [BOOL, ...]]",
    "ViewOrdering": "ORDERING [SCOPE]",
}
TOKEN = re.compile(r"custom<(\w+)>\(((?:[^()]|\([^()]*\))*)\)|`([^`]*)`|\$(\w+)\^?|(attr-dict-with-keyword)"
                   r"|(attr-dict)|(oilist)|(\)\?)|([()|])|type\(\$(\w+)\)")


def syntax_of(op, operands):
    """The custom form in one line, from the assembly format of the record."""
    if op["syntax"]:
        return f'{op["opName"]} {op["syntax"]}'
    out = []
    for directive, args, literal, field, keyword_dict, plain_dict, oilist, end, mark, _ in (
            TOKEN.findall(op["assemblyFormat"])):
        if directive:
            named = re.search(r"type\(\$(\w+)\)", args)
            out.append(DIRECTIVES[directive] if directive in DIRECTIVES else
                       ("[rounding<MODE>]" if directive.endswith("Rounding") else f"T({named[1]})"))
        elif field:
            unit = out and out[-1] == field  # a flag: the keyword is enough
            out.append("" if unit else ("%" if field in operands else "") + field)
        elif keyword_dict:
            out.append("[attributes {...}]")
        elif plain_dict:
            out.append("[{...}]")
        elif end or mark == ")":
            out.append("]")
        elif mark == "(":
            out.append("[")
        elif mark == "|":
            out.append("] [")
        elif literal and not oilist:
            out.append(literal)
    text = " ".join(part for part in out if part)
    text = re.sub(r" ([,\]])", r"\1", text)
    text = re.sub(r"\[ ", "[", text)
    text = re.sub(r"(%\w+) \[(%\w+\])", r"\1[\2", text)
    return f'{op["opName"]} {text}'


# The kind of an attribute, by the class of its record.
ATTRIBUTE_KINDS = {
    "UnitAttr": "Unit",
    "I32Attr": "Int32",
    "I64Attr": "Int64",
    "BoolAttr": "Bool",
    "StrAttr": "String",
    "SymbolNameAttr": "Symbol",
    "FlatSymbolRefAttr": "Symbol",
    "TypeAttrBase": "Type",
    "ElementsAttr": "Constant",
    "DenseI32ArrayAttr": "Int32Array",
    "DenseBoolArrayAttr": "BoolArray",
    "ArrayAttrBase": "Array",
    "Tile_OptimizationHintsAttr": "Hints",
    "Tile_AssumePredicate": "Predicate",
}


def attribute_kind(records, record):
    """The AttributeKind of an unwrapped attribute, and the name of its enumeration."""
    if "EnumAttrInfo" in record["!superclasses"]:
        return "Enum", record["className"]
    if "EnumAttr" in record["!superclasses"]:
        return "Enum", records[record["enum"]["def"]]["className"]
    for name in (record["!name"], *reversed(record["!superclasses"])):
        if name in ATTRIBUTE_KINDS:
            return ATTRIBUTE_KINDS[name], ""
    sys.exit(f"OpTable.py: no AttributeKind for attributes of {record['!name']}")


def field_rows(records, op):
    since = {records[s["def"]]["fieldName"]: records[s["def"]]["since"] for s in op["fieldSince"]}
    for kind, dag in (("Operand", "arguments"), ("Result", "results")):
        for value, name in op[dag]["args"]:
            record = records[value["def"]]
            classes = record["!superclasses"]
            is_attribute = "Attr" in classes
            arity, default, constraint = "One", "", record
            if "Optional" in classes or "OptionalAttr" in classes or "UnitAttr" == value["def"]:
                arity = "Optional"
            elif "Variadic" in classes:
                arity = "Variadic"
            elif "DefaultValuedAttr" in classes or "DefaultValuedOptionalAttr" in classes:
                arity, default = "Defaulted", record["defaultValue"]
            for base in ("baseType", "baseAttr"):
                if isinstance(constraint.get(base), dict):
                    constraint = records[constraint[base]["def"]]
            holds = attribute_kind(records, constraint) if is_attribute else ("None", "")
            yield ("Attribute" if is_attribute else kind, name, constraint["summary"], arity,
                   default.split("::")[-1], since.get(name, op["since"]), *holds)
    for _, name in op["regions"]["args"]:
        yield ("Region", name, "region", "One", "", op["since"], "None", "")


def quote(text):
    return json.dumps(" ".join(text.split()), ensure_ascii=False)


def version(text):
    major, minor = text.split(".")
    return f"{{{major}, {minor}}}"


def main():
    records_path, out_path = sys.argv[1:]
    with open(records_path, encoding="utf-8") as file:
        records = json.load(file)
    instances = records["!instanceof"]

    lines, ops, fields = [], [], []
    for name in sorted(instances["Tile_Op"], key=lambda n: records[n]["opName"]):
        op = records[name]
        first = len(fields)
        rows = list(field_rows(records, op))
        fields += rows
        operands = {row[1] for row in rows if row[0] == "Operand"}
        ops.append(f'  {{"{op["opName"]}", {op["opcode"]}, {version(op["since"])}, '
                   f'{quote(op["category"])}, {quote(op["summary"])}, '
                   f'{quote(syntax_of(op, operands))}, {first}, {len(rows)}}},')
    lines.append("static const FieldRow fieldTable[] = {")
    lines += [f'  {{FieldKind::{k}, "{n}", {quote(s)}, Arity::{a}, {quote(d)}, {version(v)}, '
              f'AttributeKind::{h}, "{e}"}},'
              for k, n, s, a, d, v, h, e in fields]
    lines += ["};", "static const OpRow opTable[] = {", *ops, "};"]

    lines.append("static const TypeRow typeTable[] = {")
    for name in instances["Tile_Type"]:
        t = records[name]
        lines.append(f'  {{"{t["mnemonic"]}", {t["tag"]}, {version(t["since"])}, '
                     f'{quote(t["summary"])}}},')
    lines += ["};", "static const TypeRow elementTable[] = {"]
    for name in instances["Tile_Element"]:
        t = records[name]
        lines.append(f'  {{"{t["spelling"]}", {t["tag"]}, {version(t["since"])}, "element type"}},')
    lines += ["};", "static const MemberRow memberTable[] = {"]
    for name in instances["Tile_Enum"]:
        enum = records[name]
        for member in enum["enumerants"]:
            m = records[member["def"]]
            lines.append(f'  {{"{enum["className"]}", "{m["str"]}", {m["value"]}, '
                         f'{version(m["since"])}}},')
    lines.append("};")
    with open(out_path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main()
