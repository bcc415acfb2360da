// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Change.h.

#include "tilewright/api/advise/Change.h"
#include "tilewright/api/Records.h"
#include "tilewright/tile/table/OpTable.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;

template <typename... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};

//===-- Text --------------------------------------------------------------------------------===//

std::string Form::text() const {
  std::string text = stringifyMemoryOrderingSemantics(ordering).str();
  return scope ? text + " " + stringifyMemoryScope(*scope).str() : text;
}

std::string api::tokenText(Value token, const ExploredProgram &program) {
  if (const std::string name = program.valueNames().lookup(token); !name.empty())
    return name;
  Operation *owner =
      token.getDefiningOp() ? token.getDefiningOp() : token.getParentBlock()->getParentOp();
  return "the token of " + owner->getName().stripDialect().str() + " (" +
         textOf(placeOf(owner->getLoc(), program.file())) + ")";
}

static Form formAfter(Operation *op, const SetOrdering &change) { return change.form; }

static Form formAfter(Operation *op, const SetScope &change) {
  return {llvm::cast<tile::MemoryAccessOpInterface>(op).getOrdering(), change.scope};
}

std::string Change::resultText(const ExploredProgram &program) const {
  return std::visit(
      Overloaded{
          [&](const DropToken &drop) -> std::string {
            return drop.keepsLater ? "no token, but later operations keep it" : "no token";
          },
          [&](const DropJoined &drop) {
            return "without " + tokenText(op->getOperand(drop.operand), program);
          },
          [&](const AddToken &add) { return "token=" + tokenText(add.token, program); },
          [&](const auto &form) { return formAfter(op, form).text(); },
      },
      what);
}

std::string Change::text(const ExploredProgram &program) const {
  const auto dropped = [&] {
    return tokenText(llvm::cast<tile::MemoryAccessOpInterface>(op).getTokenBefore(), program);
  };
  return std::visit(
      Overloaded{
          [&](const DropToken &drop) {
            return "remove token=" + dropped() +
                   (drop.keepsLater ? ", and join it with the result for later operations" : "");
          },
          [&](const DropJoined &drop) {
            return "remove " + tokenText(op->getOperand(drop.operand), program);
          },
          [&](const AddToken &add) { return "add token=" + tokenText(add.token, program); },
          [&](const auto &form) {
            return Form::of(llvm::cast<tile::MemoryAccessOpInterface>(op)).text() + " -> " +
                   formAfter(op, form).text();
          },
      },
      what);
}

//===-- Applying ----------------------------------------------------------------------------===//

static constexpr llvm::StringLiteral segmentSizes = "operandSegmentSizes";

/// The number of the operand group that is the token.
static std::optional<unsigned> tokenGroup(Operation *op) {
  const tile::OpRow *row = tile::findOp(op->getName().stripDialect());
  unsigned group = 0;
  for (const tile::FieldRow &field : row ? row->fields() : llvm::ArrayRef<tile::FieldRow>()) {
    if (field.kind == tile::FieldKind::Operand && field.name == "token")
      return group;
    group += field.kind == tile::FieldKind::Operand;
  }
  return std::nullopt;
}

bool api::takesToken(Operation *op) {
  return llvm::isa<tile::MemoryAccessOpInterface>(op) && op->getInherentAttr(segmentSizes) &&
         tokenGroup(op);
}

/// Null removes the token.
static void setToken(Operation *op, Value token) {
  const auto sizes = llvm::cast<mlir::DenseI32ArrayAttr>(*op->getInherentAttr(segmentSizes));
  llvm::SmallVector<int32_t> groups(sizes.asArrayRef());
  const unsigned group = *tokenGroup(op);
  unsigned first = 0;
  for (unsigned i = 0; i < group; ++i)
    first += groups[i];
  op->eraseOperands(first, groups[group]);
  groups[group] = token ? 1 : 0;
  if (token)
    op->insertOperands(first, token);
  op->setAttr(segmentSizes, mlir::DenseI32ArrayAttr::get(op->getContext(), groups));
}

static Value join(Value one, Value other, Operation *before) {
  mlir::OpBuilder builder(before);
  return tile::JoinTokensOp::create(builder, before->getLoc(), one.getType(),
                                    mlir::ValueRange{one, other});
}

static void apply(Operation *op, const SetOrdering &change, const mlir::IRMapping &) {
  mlir::MLIRContext *context = op->getContext();
  op->setAttr("memory_ordering_semantics",
              tile::MemoryOrderingSemanticsAttr::get(context, change.form.ordering));
  if (!change.form.scope)
    op->removeAttr("memory_scope");
  else if (!llvm::cast<tile::MemoryAccessOpInterface>(op).getScope())
    op->setAttr("memory_scope", tile::MemoryScopeAttr::get(context, *change.form.scope));
}

static void apply(Operation *op, const SetScope &change, const mlir::IRMapping &) {
  op->setAttr("memory_scope", tile::MemoryScopeAttr::get(op->getContext(), change.scope));
}

static void apply(Operation *op, const DropToken &change, const mlir::IRMapping &) {
  auto access = llvm::cast<tile::MemoryAccessOpInterface>(op);
  const Value dropped = access.getTokenBefore(), after = access.getTokenAfter();
  setToken(op, nullptr);
  if (!change.keepsLater || !dropped || !after)
    return;
  const Value both = join(after, dropped, op->getNextNode());
  Value(after).replaceAllUsesExcept(both, both.getDefiningOp());
}

/// A new token orders nothing. It takes the operand's place, so that those behind it keep their
/// numbers for other changes.
static void apply(Operation *op, const DropJoined &change, const mlir::IRMapping &) {
  mlir::OpBuilder builder(op);
  op->setOperand(change.operand,
                 tile::MakeTokenOp::create(builder, op->getLoc(), op->getResult(0).getType()));
}

static void apply(Operation *op, const AddToken &change, const mlir::IRMapping &copies) {
  const Value before = llvm::cast<tile::MemoryAccessOpInterface>(op).getTokenBefore(),
              added = copies.lookup(change.token);
  setToken(op, before ? join(before, added, op) : added);
}

std::unique_ptr<Variant> Variant::of(const ExploredProgram &program,
                                     llvm::ArrayRef<Change> changes) {
  mlir::IRMapping copies;
  auto variant = std::make_unique<Variant>();
  variant->contents = llvm::cast<mlir::ModuleOp>(program.contents()->clone(copies));
  variant->entryOp = llvm::cast<tile::EntryOp>(copies.lookup(program.entry().getOperation()));
  for (const Change &change : changes)
    std::visit([&](const auto &what) { apply(copies.lookup(change.op), what, copies); },
               change.what);
  mlir::ScopedDiagnosticHandler silence(variant->contents->getContext(),
                                        [](mlir::Diagnostic &) { return mlir::success(); });
  if (mlir::failed(mlir::verify(*variant->contents)))
    return nullptr;
  return variant;
}
