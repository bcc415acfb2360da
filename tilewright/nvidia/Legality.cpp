// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Legality.h.

#include "tilewright/nvidia/Legality.h"
#include "tilewright/tile/Misfits.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilewright;
using support::Failure;
using support::Result;

static Failure at(mlir::Operation *op, const llvm::Twine &what) {
  return {(llvm::Twine(tile::locationText(op->getLoc())) + ": error: " + what).str()};
}

//===-- Entries -------------------------------------------------------------------------------===//

/// What PTX accepts as the name of a function (PTX ISA, 4.4).
static bool isIdentifier(llvm::StringRef name) {
  auto isFollowing = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  bool beginsWell = !name.empty() && (llvm::isAlpha(name[0]) ||
                                      ((name[0] == '_' || name[0] == '$') && name.size() > 1));
  return beginsWell && llvm::all_of(name, isFollowing);
}

/// Ours, the functions of the driver, and what PTX takes for a number.
static bool isReserved(llvm::StringRef name) {
  static constexpr llvm::StringRef taken[] = {"vprintf", "__assertfail", "malloc", "free",
                                              "WARP_SZ"};
  return name.starts_with("tw_") || llvm::is_contained(taken, name);
}

static Result<void> checkEntry(tile::EntryOp entry) {
  if (!isIdentifier(entry.getSymName()))
    return at(entry, "entry @" + entry.getSymName() +
                         ": the name is none that PTX accepts for a function");
  if (isReserved(entry.getSymName()))
    return at(entry, "entry @" + entry.getSymName() +
                         ": the name is taken: by PTX, by a function of the driver, or for what "
                         "begins with 'tw_'");
  for (auto [number, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto tileType = llvm::dyn_cast<tile::TileType>(type);
    if (tileType && tileType.getRank() == 0)
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return at(entry, "entry @" + entry.getSymName() + ": nothing can be passed for parameter " +
                         llvm::Twine(number + 1) + " of type " + text);
  }
  return {};
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
  return version;
}
