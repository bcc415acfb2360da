// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Layout.h.

#include "tilewright/bytecode/Layout.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::bytecode;
using tile::Arity;
using tile::FieldKind;

static bool isVariadic(const tile::FieldRow *field) { return field->arity == Arity::Variadic; }

/// If several groups have unknown sizes, a total count is not enough.
static OperandStyle styleOf(ArrayRef<Part> operands) {
  auto unsized = count_if(operands, [](Part part) { return part.field->arity != Arity::One; });
  return unsized == 0   ? OperandStyle::Plain
         : unsized == 1 ? OperandStyle::Counted
                        : OperandStyle::Segmented;
}

/// Assigns flag bits to the optional parts by version, attributes before operands, and in record
/// order, so that later additions do not move existing bits (9.2).
static void assignFlags(Layout &layout) {
  SmallVector<Part *> optional;
  for (Part &attribute : layout.attributes)
    if (attribute.field->arity == Arity::Optional)
      optional.push_back(&attribute);
  // In the other styles, an optional operand needs no flag: the count reveals it.
  if (layout.operandStyle == OperandStyle::Segmented)
    for (Part &operand : layout.operands)
      if (operand.field->arity == Arity::Optional)
        optional.push_back(&operand);
  auto order = [](const Part *part) {
    return std::tuple(part->field->since, part->field->kind == FieldKind::Operand, part->field);
  };
  sort(optional, [&](Part *a, Part *b) { return order(a) < order(b); });
  for (auto [bit, part] : enumerate(optional))
    part->flagBit = bit;
  if (!optional.empty())
    layout.flagsSince = optional.front()->field->since;
}

static Layout layoutFor(const tile::OpRow &op) {
  Layout layout = {};
  layout.op = &op;
  for (const tile::FieldRow &field : op.fields()) {
    switch (field.kind) {
    case FieldKind::Operand:
      layout.operands.push_back({&field, {}});
      break;
    case FieldKind::Attribute:
      layout.attributes.push_back({&field, {}});
      break;
    case FieldKind::Result:
      layout.results.push_back(&field);
      break;
    case FieldKind::Region:
      ++layout.regions;
      break;
    }
  }
  layout.variadicResults = any_of(layout.results, isVariadic);
  layout.countsResults = layout.variadicResults || any_of(layout.operands, [](const Part &part) {
                           return isVariadic(part.field);
                         });
  layout.operandStyle = styleOf(layout.operands);
  assignFlags(layout);
  return layout;
}

uint64_t Layout::knownFlags(tile::Version version) const {
  uint64_t flags = 0;
  for (const Part &part : concat<const Part>(attributes, operands))
    if (part.flagBit && part.field->since <= version)
      flags |= uint64_t(1) << *part.flagBit;
  return flags;
}

/// Modules, entries and globals are stored in sections of their own.
static bool standsInBodies(const tile::OpRow &op) {
  return !is_contained({"module", "entry", "global"}, op.mnemonic);
}

/// Indexed by opcode; null in the gaps.
static std::vector<std::unique_ptr<Layout>> makeLayouts() {
  std::vector<std::unique_ptr<Layout>> layouts;
  for (const tile::OpRow &op : tile::allOps()) {
    if (!standsInBodies(op))
      continue;
    if (op.opcode >= layouts.size())
      layouts.resize(op.opcode + 1);
    layouts[op.opcode] = std::make_unique<Layout>(layoutFor(op));
  }
  return layouts;
}

const Layout *bytecode::layoutOf(uint64_t opcode) {
  static const std::vector<std::unique_ptr<Layout>> layouts = makeLayouts();
  return opcode < layouts.size() ? layouts[opcode].get() : nullptr;
}
