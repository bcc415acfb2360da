// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Remarks.h.

#include "tilewright/cpu/Remarks.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/Support/FormatVariadic.h"

#include <utility>

using namespace tilewright;
using namespace tilewright::cpu;
using llvm::formatv;

static thread_local Remarks *listener = nullptr;

bool cpu::areRemarksWanted() { return listener != nullptr; }

void cpu::remark(mlir::Location place, const llvm::Twine &what) {
  if (listener)
    listener->add(place, what.str());
}

Remarks::Remarks() : outer(std::exchange(listener, this)) {}

Remarks::~Remarks() { listener = outer; }

void Remarks::add(mlir::Location place, const std::string &what) {
  if (mlir::FileLineColLoc at = tile::sourcePosition(place))
    said.emplace(at.getFilename().str(), at.getLine(), at.getColumn(), what);
  else
    said.emplace(tile::locationText(place), 0, 0, what);
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
