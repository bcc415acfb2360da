// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Misfits.h.

#include "tilewright/tile/Misfits.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace {

/// Checks operations one after the other. Types repeat, so each is checked once.
class Finder {
public:
  std::optional<std::string> misfitOf(Operation *op);

private:
  bool isKnown(Type type);

  llvm::DenseSet<Type> known;
};

} // namespace

static bool isPartOfTileIR(Type type) {
  return isa<FunctionType>(type) || isa<TileDialect>(type.getDialect()) || formatOf(type);
}

bool Finder::isKnown(Type type) {
  if (known.contains(type))
    return true;
  bool foreign =
      type.walk([](Type part) {
            return isPartOfTileIR(part) ? WalkResult::advance() : WalkResult::interrupt();
          })
          .wasInterrupted();
  if (!foreign)
    known.insert(type);
  return !foreign;
}

/// The types that an operation introduces: those of its results and of its block arguments.
static SmallVector<Type> typesIntroducedBy(Operation *op) {
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  return types;
}

template <typename Printable> static std::string quoted(const Printable &printable) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << printable << "'";
  return text;
}

std::optional<std::string> Finder::misfitOf(Operation *op) {
  std::string operation = "operation " + quoted(op->getName());
  Operation *parent = op->getParentOp();
  bool isInModule = isa_and_present<tile::ModuleOp>(parent);
  if (!isa_and_present<TileDialect>(op->getDialect()))
    return operation + " is not part of Tile IR";
  if (isInModule && !isa<EntryOp, GlobalOp>(op))
    return operation + " cannot stand in a module: only entries and globals can";
  if (isa<tile::ModuleOp>(op) && !isa_and_present<mlir::ModuleOp>(parent))
    return operation + " cannot stand in an entry";
  for (Type type : typesIntroducedBy(op))
    if (!isKnown(type))
      return "type " + quoted(type) + " is not part of Tile IR";
  return std::nullopt;
}

std::optional<Misfit> tile::findMisfit(Operation *root) {
  Finder finder;
  std::optional<Misfit> misfit;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == root)
      return WalkResult::advance();
    std::optional<std::string> what = finder.misfitOf(op);
    if (!what)
      return WalkResult::advance();
    misfit = Misfit{op, *what};
    return WalkResult::interrupt();
  });
  return misfit;
}

LogicalResult tile::verifyHasNoMisfit(Operation *root) {
  std::optional<Misfit> misfit = findMisfit(root);
  return misfit ? LogicalResult(misfit->op->emitError() << misfit->what) : success();
}
