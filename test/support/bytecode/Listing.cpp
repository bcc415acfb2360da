// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints a module in the notation of the test vectors, in one walk that numbers values like
// bytecode (bytecode format, 9.3) and prints the fields in the operation table. No operation is
// mentioned by name.

#include "test/support/bytecode/Listing.h"
#include "test/support/bytecode/ListingText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;
using namespace tilewright::tile;

namespace {
/// The state of a listing for one file version.
class Lister {
public:
  explicit Lister(Version version) : version(version) {}

  void list(GlobalOp global);
  void list(EntryOp entry, const FunctionFacts *facts);
  std::string text() && { return std::move(lines); }

private:
  void list(Operation *op, unsigned indent);
  void list(Block &block, unsigned indent);
  std::string operandsOf(Operation *op, const OpRow &row) const;
  std::string attributesOf(Operation *op, const OpRow &row) const;
  SmallVector<Value> writtenResultsOf(Operation *op, const OpRow &row) const;
  std::string declare(ValueRange values);
  std::string name(Value value) const { return "%" + std::to_string(numbers.at(value)); }
  void line(unsigned indent, const Twine &text) {
    lines += std::string(2 * indent, ' ') + text.str() + "\n";
  }

  Version version;
  llvm::DenseMap<Value, unsigned> numbers;
  unsigned nextNumber = 0;
  std::string lines;
};
} // namespace

//===-- Operations --------------------------------------------------------------------------===//

/// Numbers values in order: `%4: tile<i32>, %5: token`.
std::string Lister::declare(ValueRange values) {
  for (Value value : values)
    numbers[value] = nextNumber++;
  return joinMapped(values, ", ",
                    [&](Value value) { return name(value) + ": " + typeText(value.getType()); });
}

/// Results that are newer than the file's version are not written and have no number.
SmallVector<Value> Lister::writtenResultsOf(Operation *op, const OpRow &row) const {
  bool isOld = llvm::any_of(row.fields(), [&](const FieldRow &field) {
    return field.kind == FieldKind::Result && field.since > version;
  });
  // No operation has both old and new results.
  return isOld ? SmallVector<Value>() : llvm::to_vector_of<Value>(op->getResults());
}

/// Operands by group name; a single variadic group is printed without its name, because its count
/// covers all operands (bytecode format, 9.1).
std::string Lister::operandsOf(Operation *op, const OpRow &row) const {
  SmallVector<const FieldRow *> groups;
  for (const FieldRow &field : row.fields())
    if (field.kind == FieldKind::Operand)
      groups.push_back(&field);
  bool isPlain = llvm::all_of(groups, [](auto *group) { return group->arity == Arity::One; });
  bool isSegmented = op->hasTrait<OpTrait::AttrSizedOperandSegments>();
  std::string text;
  if (!isPlain && !isSegmented) {
    for (Value operand : op->getOperands())
      text += " " + name(operand);
    return text;
  }

  SmallVector<int32_t> sizes(groups.size(), 1);
  if (isSegmented)
    llvm::copy(cast<DenseI32ArrayAttr>(*op->getInherentAttr("operandSegmentSizes")).asArrayRef(),
               sizes.begin());
  unsigned next = 0;
  for (auto [group, size] : llvm::zip_equal(groups, sizes)) {
    OperandRange operands = op->getOperands().slice(next, size);
    next += size;
    std::string names = joinMapped(operands, ",", [&](Value value) { return name(value); });
    if (group->arity == Arity::Variadic)
      text += " " + group->name.str() + "=[" + names + "]";
    else if (size > 0)
      text += " " + group->name.str() + "=" + names;
  }
  return text;
}

/// `{flags; name=value; [name=default]}`: unit attributes first, without absent ones.
std::string Lister::attributesOf(Operation *op, const OpRow &row) const {
  SmallVector<std::string> units, others;
  for (const FieldRow &field : row.fields()) {
    if (field.kind != FieldKind::Attribute)
      continue;
    Attribute attr = op->getInherentAttr(field.name).value_or(Attribute());
    if (!attr)
      continue;
    if (field.attributeKind == AttributeKind::Unit) {
      units.push_back(field.name.str());
      continue;
    }
    std::string text = field.name.str() + "=" + inlineText(attr, field);
    others.push_back(field.since > version ? "[" + text + "]" : text);
  }
  units.append(others);
  return units.empty() ? "" : " {" + llvm::join(units, "; ") + "}";
}

/// Results are numbered after the regions, which reuse the same numbers (bytecode format, 9.3), so
/// the line of an operation can precede those of its regions.
void Lister::list(Operation *op, unsigned indent) {
  const OpRow *row = findOp(op->getName().stripDialect());
  std::string operands = operandsOf(op, *row), attributes = attributesOf(op, *row);
  unsigned firstResult = nextNumber;

  size_t start = lines.size();
  for (Region &region : op->getRegions())
    for (auto [number, block] : llvm::enumerate(region)) {
      std::string head =
          llvm::formatv("region {0} block {1} args (", region.getRegionNumber(), number);
      line(indent + 1, head + declare(block.getArguments()) + ")");
      list(block, indent + 2);
      nextNumber = firstResult;
    }
  std::string nested = lines.substr(start);
  lines.resize(start);

  SmallVector<Value> results = writtenResultsOf(op, *row);
  declare(results);
  std::string names = joinMapped(results, ", ", [&](Value value) { return name(value); });
  std::string types =
      joinMapped(results, ", ", [](Value value) { return typeText(value.getType()); });
  line(indent, (results.empty() ? "" : names + " = ") + row->mnemonic + operands + attributes +
                   (results.empty() ? "" : " : " + types) + locationSuffix(op->getLoc()));
  lines += nested;
}

void Lister::list(Block &block, unsigned indent) {
  for (Operation &op : block)
    list(&op, indent);
}

//===-- Module ------------------------------------------------------------------------------===//

void Lister::list(GlobalOp global) {
  std::string text = llvm::formatv("global {0}: {1} = {2}, align {3}", global.getSymName(),
                                   typeText(global.getValue().getType()),
                                   elementsText(cast<DenseElementsAttr>(global.getValue())),
                                   global.getAlignment());
  if (version >= Version{13, 3}) {
    uint32_t visibility = static_cast<uint32_t>(global.getSymbolVisibility());
    text += ", " + spellingOf("SymbolVisibility", visibility).str() +
            (global.getConstant() ? ", constant 1" : ", constant 0");
  }
  line(0, text);
}

void Lister::list(EntryOp entry, const FunctionFacts *facts) {
  nextNumber = 0;
  Block &body = entry.getBody().front();
  std::string text = "entry " + entry.getSymName().str() + "(" + declare(body.getArguments()) + ")";
  if (facts)
    text += llvm::formatv(" flags 0x{0:X-2} row {1}", facts->flags, facts->locationRow);
  if (auto hints = entry.getOptimizationHintsAttr())
    text += " hints " + hintsText(hints);
  line(0, text + locationSuffix(entry.getLoc()));
  list(body, 1);
}

std::string bytecode::listModule(tile::ModuleOp module, Version version,
                                 ArrayRef<FunctionFacts> functions) {
  Lister lister(version);
  for (GlobalOp global : module.getBody().getOps<GlobalOp>())
    lister.list(global);
  for (EntryOp entry : module.getBody().getOps<EntryOp>()) {
    lister.list(entry, functions.empty() ? nullptr : &functions.front());
    functions = functions.drop_front(functions.empty() ? 0 : 1);
  }
  return std::move(lister).text();
}
