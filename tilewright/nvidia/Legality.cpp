// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Legality.h.

#include "tilewright/nvidia/Legality.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/Misfits.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using nvidia::Refusal;
using nvidia::Target;
using support::Failure;
using support::Result;

static Failure at(mlir::Operation *op, const llvm::Twine &what) {
  return {(llvm::Twine(tile::locationText(op->getLoc())) + ": error: " + what).str()};
}

//===-- Entries -------------------------------------------------------------------------------===//

/// Whether PTX accepts the name for a function (PTX ISA, 4.4).
static bool isIdentifier(llvm::StringRef name) {
  auto isFollowing = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  bool beginsWell = !name.empty() && (llvm::isAlpha(name[0]) ||
                                      ((name[0] == '_' || name[0] == '$') && name.size() > 1));
  return beginsWell && llvm::all_of(name, isFollowing);
}

/// Names used by Tilewright or the driver, and names that PTX parses as numbers.
static bool isReserved(llvm::StringRef name) {
  static constexpr llvm::StringRef taken[] = {"vprintf", "__assertfail", "malloc", "free",
                                              "WARP_SZ"};
  return name.starts_with("tw_") || llvm::is_contained(taken, name);
}

/// Limits for the parameters of a kernel: before PTX 8.1, and since (as reported by `ptxas`).
static constexpr int64_t parameterBytesBefore81 = 4352, mostParameterBytes = 32764;

static int64_t parameterBytesOf(tile::EntryOp entry) {
  int64_t bytes = 0;
  for (mlir::Type type : entry.getArgumentTypes()) {
    int64_t word = elementwise::wordBytes(llvm::cast<tile::TileType>(type).getElementType());
    bytes = llvm::alignTo(bytes, word) + word;
  }
  return bytes;
}

static Result<void> checkEntry(tile::EntryOp entry) {
  if (!isIdentifier(entry.getSymName()))
    return at(entry, "entry @" + entry.getSymName() + ": not a valid PTX function name");
  if (isReserved(entry.getSymName()))
    return at(entry, "entry @" + entry.getSymName() +
                         ": reserved name (PTX, the driver, or the prefix 'tw_')");
  for (auto [number, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto tileType = llvm::dyn_cast<tile::TileType>(type);
    if (tileType && tileType.getRank() == 0)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return at(entry, "entry @" + entry.getSymName() + ": parameter " + llvm::Twine(number + 1) +
                         " has type " + text + ", which cannot be passed");
  }
  if (int64_t bytes = parameterBytesOf(entry); bytes > mostParameterBytes)
    return at(entry, "entry @" + entry.getSymName() + ": its parameters take " +
                         llvm::Twine(bytes) + " bytes, but a kernel has at most " +
                         llvm::Twine(mostParameterBytes));
  return {};
}

//===-- Operations ----------------------------------------------------------------------------===//

static bool isOnAll(const Target &) { return true; }
static bool isAny(mlir::Operation *) { return true; }

static constexpr llvm::StringLiteral anyOperation = "any operation";

/// Two elements share an address, so a pointer does not determine which one it means (operations,
/// 4.9).
static bool isOfHalfBytes(mlir::Operation *op) {
  auto pointers = llvm::cast<tile::TileType>(op->getOperand(0).getType());
  auto pointer = llvm::cast<tile::PointerType>(pointers.getElementType());
  return llvm::isa<mlir::Float4E2M1FNType>(pointer.getPointeeType());
}

static bool isInBody(mlir::Operation *op) { return tile::isAggregate(op->getParentOp()); }

static bool isTile(mlir::Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type && type.getRank() > 0;
}

static bool takesTileFromOutside(mlir::Operation *op) {
  return isInBody(op) && llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
           return isTile(operand) && operand.getParentBlock() != op->getBlock();
         });
}

static bool yieldsTile(mlir::Operation *op) {
  return isInBody(op) && llvm::any_of(op->getOperands(), isTile);
}

static constexpr Refusal table[] = {
    {"multimem_load_reduce_view_tko multimem_reduce_view_tko multimem_store_view_tko", "",
     "access to multicast memory", isAny, isOnAll},
    {"load_ptr_tko store_ptr_tko", "f4E2M1FN", "access to f4E2M1FN elements through pointers",
     isOfHalfBytes, isOnAll},
    {"mmaf mmaf_scaled mmai", "", "a product in the body of reduce or scan", isInBody, isOnAll,
     "reduce scan"},
    {anyOperation, "", "a tile from outside in the body of reduce or scan", takesTileFromOutside,
     isOnAll, "reduce scan"},
    {"yield", "", "a tile of rank 1 or more as result of the body of reduce or scan", yieldsTile,
     isOnAll, "reduce scan"},
};

llvm::ArrayRef<Refusal> nvidia::refusals() { return table; }

static std::string messageOf(const Refusal &refusal, llvm::StringRef target) {
  return (refusal.what + " is not supported on " + target).str();
}

static llvm::SmallVector<llvm::StringRef> namesIn(llvm::StringRef list) {
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ' ', -1, /*KeepEmpty=*/false);
  return names;
}

static bool isMeant(const Refusal &refusal, mlir::Operation *op) {
  bool isNamed = refusal.operations == anyOperation ||
                 llvm::is_contained(namesIn(refusal.operations), op->getName().stripDialect());
  return isNamed && refusal.isMeant(op);
}

Result<void> nvidia::checkOperations(tile::ModuleOp module, const Target &target) {
  std::string why;
  module.getBody().walk([&](mlir::Operation *op) {
    for (const Refusal &refusal : table)
      if (refusal.isMissing(target) && isMeant(refusal, op)) {
        why = at(op, op->getName().stripDialect() + ": " + messageOf(refusal, target.cpu)).message;
        return mlir::WalkResult::interrupt();
      }
    return mlir::WalkResult::advance();
  });
  return why.empty() ? Result<void>() : Failure{why};
}

//===-- The documentation page ----------------------------------------------------------------===//

/// Names separated by spaces, each formatted as code.
static std::string asCode(llvm::StringRef names) {
  return "`" + llvm::join(namesIn(names), "` `") + "`";
}

static std::string targetsOf(const Refusal &refusal) {
  std::string names;
  bool isEverywhere = true;
  for (const Target &target : Target::all()) {
    bool isMissing = refusal.isMissing(target);
    isEverywhere &= isMissing;
    if (isMissing)
      names += (names.empty() ? "`" : " `") + target.cpu + "`";
  }
  return isEverywhere ? "all" : names;
}

std::string nvidia::refusalPage() {
  std::string page =
      "# What the NVIDIA GPU compiler does not support\n\nThe NVIDIA GPU compiler supports all "
      "Tile IR operations and element types on every [target](nvidia.md), except for the\n"
      "following. An error before code generation reports the source line, the operation and the "
      "target: `k.mlir:5:7: error:\nload_ptr_tko: access to f4E2M1FN elements through pointers is "
      "not supported on sm_80`. If a program needs more shared\nor local memory, or more global "
      "memory for allocas, than available, the error gives the bytes and the limit.\n\n"
      "| operation | in the body of | element type | targets | what is not supported "
      "|\n|---|---|---|---|---|\n";
  for (const Refusal &refusal : table) {
    bool isAny = refusal.operations == anyOperation;
    page += "| " + (isAny ? refusal.operations.str() : asCode(refusal.operations)) + " | " +
            (refusal.within.empty() ? "" : asCode(refusal.within)) + " | " +
            (refusal.elementType.empty() ? "all" : asCode(refusal.elementType)) + " | " +
            targetsOf(refusal) + " | " + refusal.what.str() + " |\n";
  }
  return page;
}

//===-- Programs ------------------------------------------------------------------------------===//

Result<void> nvidia::checkLegality(tile::ModuleOp module) {
  if (std::optional<tile::Misfit> misfit = tile::findMisfit(module))
    return at(misfit->op, misfit->what);
  for (auto entry : module.getBody().getOps<tile::EntryOp>())
    if (Result<void> checked = checkEntry(entry); !checked)
      return checked;
  return {};
}

unsigned nvidia::ptxVersionFor(tile::ModuleOp module, const Target &target) {
  unsigned version = target.ptxVersion;
  module.walk([&](tile::MemoryFenceAliasOp) { version = std::max(version, 75u); });
  for (auto entry : module.getBody().getOps<tile::EntryOp>())
    if (parameterBytesOf(entry) > parameterBytesBefore81)
      version = std::max(version, 81u);
  return version;
}
