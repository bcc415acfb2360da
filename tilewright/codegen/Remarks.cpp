// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Remarks.h.

#include "tilewright/codegen/Remarks.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace tilewright;
using namespace tilewright::codegen;
using llvm::formatv;

std::string codegen::nameAndPlace(mlir::Operation *op) {
  std::string name = op->getName().stripDialect().str();
  std::optional<tile::SourcePosition> at = tile::sourcePosition(op->getLoc());
  return at ? formatv("{0} at {1}:{2}", name, at->line, at->column).str() : name;
}

std::string codegen::namesAndPlaces(llvm::ArrayRef<mlir::Operation *> operations) {
  constexpr size_t most = 4;
  std::string text = llvm::join(llvm::map_range(operations.take_front(most), nameAndPlace), ", ");
  if (operations.size() > most)
    text += formatv(" and {0} more", operations.size() - most);
  return text;
}

static thread_local Remarks *listener = nullptr;

bool codegen::areRemarksWanted() { return listener != nullptr; }

void codegen::remark(mlir::Location place, const llvm::Twine &what) {
  if (listener)
    listener->add(place, what.str());
}

Remarks::Remarks() : outer(std::exchange(listener, this)) {}

Remarks::~Remarks() { listener = outer; }

void Remarks::add(mlir::Location place, const std::string &what) {
  if (std::optional<tile::SourcePosition> at = tile::sourcePosition(place))
    said.insert({at->file.str(), at->line, at->column, what});
  else
    said.insert({tile::locationText(place), 0, 0, what});
}

std::string Remarks::text() const {
  std::string text;
  for (const auto &[file, line, column, what] : said) {
    text += file;
    if (line)
      text += formatv(":{0}:{1}", line, column);
    text += ": remark: " + what + "\n";
  }
  return text;
}
