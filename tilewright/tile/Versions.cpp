// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Versions.h. The records say since when an operation, a field, a type or an enum
// member exists; a younger field does no harm while it holds its default.

#include "tilewright/tile/Versions.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace {

/// Collects what one operation after the other needs beyond a version.
class Collector {
public:
  Collector(Version version, SmallVectorImpl<Requirement> &found)
      : version(version), found(found) {
    for (const TypeRow &row : allTypes())
      typeSince[row.mnemonic] = row.since;
    for (const TypeRow &row : allElementTypes())
      typeSince[row.mnemonic] = row.since;
    walker.addWalk([&](Type type) { visitType(type); });
    walker.addWalk([&](Attribute attr) { visitMember(attr); });
  }

  void visit(Operation *op);

private:
  void visitFields(const OpRow &row);
  void visitType(Type type);
  void visitMember(Attribute attr);
  void require(Version since, const Twine &what) {
    if (since > version)
      found.push_back({current, what.str(), since});
  }

  Version version;
  SmallVectorImpl<Requirement> &found;
  Operation *current = nullptr;
  llvm::StringMap<Version> typeSince;
  AttrTypeWalker walker;
};

} // namespace

/// Does this field hold anything but what older versions take for granted?
static bool isUsed(Operation *op, const FieldRow &field) {
  if (field.kind == FieldKind::Attribute) {
    Attribute value = op->getInherentAttr(field.name).value_or(Attribute());
    if (!value || field.arity == Arity::Optional)
      return bool(value);
    return llvm::TypeSwitch<Attribute, bool>(value)
        .Case([](IntegerOverflowAttr attr) { return attr.getValue() != IntegerOverflow::None; })
        .Case([](RoundingModeAttr attr) { return attr.getValue() != RoundingMode::Full; })
        .Case([](SymbolVisibilityAttr attr) {
          return attr.getValue() != SymbolVisibility::Public;
        })
        .Default(true);
  }
  // The token of print_tko: its result counts when something depends on it.
  if (auto print = dyn_cast<PrintOp>(op))
    return field.kind == FieldKind::Operand ? bool(print.getToken())
                                            : !print.getResultToken().use_empty();
  return true;
}

void Collector::visitFields(const OpRow &row) {
  for (const FieldRow &field : row.fields())
    // The producer of a module is dropped silently when an older version is written.
    if (field.since > row.since && field.name != "producer" && isUsed(current, field))
      require(field.since, "'" + field.name + "' of '" + row.mnemonic + "'");
}

void Collector::visitType(Type type) {
  StringRef mnemonic;
  if (std::optional<numerics::Format> format = formatOf(type);
      format && *format != numerics::Format::Pointer)
    mnemonic = numerics::info(*format).spelling;
  else
    mnemonic = llvm::TypeSwitch<Type, StringRef>(type)
                   .Case<PointerType, TileType, TensorViewType, PartitionViewType,
                         StridedViewType, GatherScatterViewType, TokenType>(
                       [](auto known) { return known.getMnemonic(); })
                   .Default(StringRef());
  if (auto since = typeSince.find(mnemonic); since != typeSince.end())
    require(since->second, "type '" + mnemonic + "'");
}

void Collector::visitMember(Attribute attr) {
  auto check = [&](StringRef enumName, StringRef spelling) {
    for (const MemberRow &row : allEnumMembers())
      if (row.enumName == enumName && row.spelling == spelling)
        require(row.since, "'" + spelling + "' of " + enumName);
  };
  llvm::TypeSwitch<Attribute>(attr)
      .Case([&](RoundingModeAttr mode) {
        check("RoundingMode", stringifyRoundingMode(mode.getValue()));
      })
      .Case([&](PaddingValueAttr padding) {
        check("PaddingValue", stringifyPaddingValue(padding.getValue()));
      });
}

void Collector::visit(Operation *op) {
  current = op;
  const OpRow *row = isa<TileDialect>(op->getDialect())
                         ? findOp(op->getName().stripDialect())
                         : nullptr;
  if (row) {
    require(row->since, "operation '" + row->mnemonic + "'");
    visitFields(*row);
  }
  // A type may be named by several results; once per operation is enough.
  size_t before = found.size();
  for (Type type : op->getResultTypes())
    walker.walk(type);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        walker.walk(type);
  if (auto global = dyn_cast<GlobalOp>(op))
    walker.walk(global.getValue().getType());
  for (NamedAttribute attr : op->getAttrs())
    if (isa<RoundingModeAttr>(attr.getValue()))
      walker.walk(attr.getValue());
  auto sameWhat = [](const Requirement &a, const Requirement &b) { return a.what == b.what; };
  found.erase(std::unique(found.begin() + before, found.end(), sameWhat), found.end());
}

SmallVector<Requirement> tile::requirementsBeyond(Operation *root, Version version) {
  SmallVector<Requirement> found;
  Collector collector(version, found);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { collector.visit(op); });
  return found;
}

Version tile::minimumVersion(Operation *root) {
  Version least = oldestVersion;
  for (const Requirement &requirement : requirementsBeyond(root, oldestVersion))
    least = std::max(least, requirement.since);
  return least;
}
