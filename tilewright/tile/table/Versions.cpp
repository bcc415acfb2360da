// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Versions.h. The records contain the version that introduced an operation, a field, a type or
// an enum member. A newer field is harmless while it has its default value.

#include "tilewright/tile/table/Versions.h"
#include "tilewright/tile/Misfits.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace {

/// A type or enum member that is newer than a version.
struct Young {
  std::string what;
  Version since;

  friend bool operator==(const Young &, const Young &) = default;
};

/// Collects what operations require beyond a version, one operation after the other.
class Collector {
public:
  Collector(Version version, SmallVectorImpl<Requirement> &found) : version(version), found(found) {
    for (const TypeRow &row : llvm::concat<const TypeRow>(allTypes(), allElementTypes()))
      typeRows[row.mnemonic] = &row;
  }

  void visit(Operation *op);

private:
  void visitFields(const OpRow &row);
  void visitMember(Attribute value, const FieldRow &field);
  void visitTypes(Operation *op);
  void visitType(Type type);
  const SmallVector<Young> &youngTypesIn(Type type);
  void require(Version since, const Twine &what, bool isMeaningOnly = false) {
    if (since > version)
      found.push_back({current, what.str(), since, isMeaningOnly});
  }

  Version version;
  SmallVectorImpl<Requirement> &found;
  Operation *current = nullptr;
  llvm::StringMap<const TypeRow *> typeRows;
  /// For each type seen, the parts that are newer than `version`.
  llvm::DenseMap<Type, SmallVector<Young>> youngTypes;
};

} // namespace

/// Whether the field has a value other than what older versions imply.
static bool isUsed(Operation *op, const FieldRow &field) {
  if (field.kind == FieldKind::Attribute) {
    Attribute value = op->getInherentAttr(field.name).value_or(Attribute());
    if (!value || field.arity == Arity::Optional)
      return bool(value);
    return llvm::TypeSwitch<Attribute, bool>(value)
        .Case([](DenseBoolArrayAttr attr) { return llvm::is_contained(attr.asArrayRef(), true); })
        .Case([](IntegerOverflowAttr attr) { return attr.getValue() != IntegerOverflow::None; })
        .Case([](RoundingModeAttr attr) { return attr.getValue() != RoundingMode::Full; })
        .Case([](SymbolVisibilityAttr attr) { return attr.getValue() != SymbolVisibility::Public; })
        .Default(true);
  }
  // The token of print_tko: the result counts only if it is used.
  if (auto print = dyn_cast<PrintOp>(op))
    return field.kind == FieldKind::Operand ? bool(print.getToken())
                                            : !print.getResultToken().use_empty();
  return true;
}

static Version sinceOf(StringRef enumName, StringRef spelling) {
  ArrayRef<MemberRow> members = allEnumMembers();
  const MemberRow *member = llvm::find_if(members, [&](const MemberRow &row) {
    return row.enumName == enumName && row.spelling == spelling;
  });
  assert(member != members.end() && "every member has a row");
  return member->since;
}

void Collector::visitFields(const OpRow &row) {
  for (const FieldRow &field : row.fields())
    // The producer of a module is dropped silently when an older version is written.
    if (field.since > row.since && field.name != "producer" && isUsed(current, field))
      require(field.since, "'" + field.name + "' of '" + row.mnemonic + "'");
  for (const FieldRow &field : row.fields())
    if (field.attributeKind == AttributeKind::Enum && field.since <= version)
      if (Attribute value = current->getInherentAttr(field.name).value_or(Attribute()))
        visitMember(value, field);
}

/// A member of an enumeration may be newer than the field that contains it.
void Collector::visitMember(Attribute value, const FieldRow &field) {
  if (auto mode = dyn_cast<RoundingModeAttr>(value))
    require(sinceOf(field.enumName, stringifyRoundingMode(mode.getValue())),
            "rounding mode '" + stringifyRoundingMode(mode.getValue()) + "'");
}

/// The name of a type in the table of types; empty for types of other dialects.
static StringRef mnemonicOf(Type type) {
  if (std::optional<numerics::Format> format = formatOf(type);
      format && *format != numerics::Format::Pointer)
    return numerics::info(*format).spelling;
  return llvm::TypeSwitch<Type, StringRef>(type)
      .Case<PointerType, TileType, TensorViewType, PartitionViewType, StridedViewType,
            GatherScatterViewType, TokenType>([](auto known) { return known.getMnemonic(); })
      .Default(StringRef());
}

/// The pointer attribute of a pointer or tensor view (13.4, section 8.1); null for other types.
static PointerAttributeAttr attributeOf(Type type) {
  return llvm::TypeSwitch<Type, PointerAttributeAttr>(type)
      .Case<PointerType, TensorViewType>([](auto known) { return known.getAttribute(); })
      .Default(PointerAttributeAttr());
}

const SmallVector<Young> &Collector::youngTypesIn(Type type) {
  auto [entry, isNew] = youngTypes.try_emplace(type);
  if (!isNew)
    return entry->second;
  SmallVector<Young> young;
  auto add = [&](const Twine &what, Version since) {
    Young one = {what.str(), since};
    if (since > version && !llvm::is_contained(young, one))
      young.push_back(one);
  };
  type.walk([&](Type part) {
    if (const TypeRow *row = typeRows.lookup(mnemonicOf(part)))
      add("type '" + row->mnemonic + "'", row->since);
    if (PointerAttributeAttr attribute = attributeOf(part)) {
      StringRef spelling = stringifyPointerAttribute(attribute.getValue());
      add("pointer attribute '" + spelling + "'", sinceOf("PointerAttribute", spelling));
    }
  });
  return youngTypes[type] = std::move(young);
}

void Collector::visitType(Type type) {
  for (const Young &young : youngTypesIn(type))
    require(young.since, young.what);
}

void Collector::visit(Operation *op) {
  current = op;
  const OpRow *row = isa_and_present<TileDialect>(op->getDialect())
                         ? findOp(op->getName().stripDialect())
                         : nullptr;
  if (row) {
    require(row->since, "operation '" + row->mnemonic + "'");
    visitFields(*row);
  }
  // The only combination of a type and a mode that is newer than both (operations, 9.1).
  if (auto atomic = dyn_cast<AtomicRMWOp>(op))
    if (atomic.getMode() == AtomicRMWMode::AddF &&
        atomic.getArg().getType().getElementType().isBF16())
      require({13, 3}, "'addf' on bf16 of 'atomic_rmw_tko'", /*isMeaningOnly=*/true);
  visitTypes(op);
}

/// Visits the types that an operation introduces, each once.
void Collector::visitTypes(Operation *op) {
  llvm::SmallSetVector<Type, 4> types;
  types.insert_range(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      types.insert_range(block.getArgumentTypes());
  if (auto global = dyn_cast<GlobalOp>(op))
    types.insert(global.getValue().getType());
  size_t before = found.size();
  for (Type type : types)
    visitType(type);
  auto sameWhat = [](const Requirement &a, const Requirement &b) { return a.what == b.what; };
  found.erase(std::unique(found.begin() + before, found.end(), sameWhat), found.end());
}

SmallVector<Requirement> tile::requirementsBeyond(Operation *root, Version version) {
  SmallVector<Requirement> found;
  Collector collector(version, found);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { collector.visit(op); });
  return found;
}

LogicalResult tile::verifyFits(Operation *root, Version version, bool warnOfMeanings) {
  if (failed(verifyHasNoMisfit(root)))
    return failure();
  bool fits = true;
  for (const Requirement &requirement : requirementsBeyond(root, version)) {
    bool isWarning = requirement.isMeaningOnly && warnOfMeanings;
    InFlightDiagnostic diagnostic =
        isWarning ? requirement.op->emitWarning() : requirement.op->emitError();
    diagnostic << requirement.what << " requires Tile IR " << requirement.since.str()
               << ", but the target is " << version.str();
    fits &= isWarning;
  }
  return success(fits);
}

Version tile::minimumVersion(Operation *root) {
  Version least = oldestVersion;
  for (const Requirement &requirement : requirementsBeyond(root, oldestVersion))
    least = std::max(least, requirement.since);
  return least;
}
