// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a compiler say about its decisions? A line per decision, at the place in the program
// that it is about: where tiles are kept and why, which operations share loops, how memory is
// accessed, how matmuls are computed. All of them are in the plan, whose room says them. A remark
// costs nothing unless a Remarks object of this thread collects it.

#ifndef TILEWRIGHT_CODEGEN_REMARKS_H
#define TILEWRIGHT_CODEGEN_REMARKS_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace tilewright::codegen {

/// `addf at 12:5`, or without a place if there is none.
std::string nameAndPlace(mlir::Operation *op);
/// The first few of them.
std::string namesAndPlaces(llvm::ArrayRef<mlir::Operation *> operations);

/// Reports a decision about what is at this place, if a Remarks object of this thread exists.
void remark(mlir::Location place, const llvm::Twine &what);

/// Collects the remarks of this thread, for as long as it lives.
class Remarks {
public:
  Remarks();
  ~Remarks();
  Remarks(const Remarks &) = delete;

  void add(mlir::Location place, const std::string &what);
  /// In the order of the text, each once: `k.mlir:12:5: remark: addf: ...`.
  std::string text() const;

private:
  /// File, line, column, and what was said there.
  std::set<std::tuple<std::string, unsigned, unsigned, std::string>> said;
  Remarks *outer;
};

/// Collects remarks if they are wanted, and prints them at the end of its life.
class PrintedRemarks {
public:
  PrintedRemarks(bool areWanted, llvm::raw_ostream &out) : out(out) {
    if (areWanted)
      remarks.emplace();
  }
  ~PrintedRemarks() {
    if (remarks)
      out << remarks->text();
  }
  PrintedRemarks(const PrintedRemarks &) = delete;

private:
  std::optional<Remarks> remarks;
  llvm::raw_ostream &out;
};

/// Whether anybody listens.
bool areRemarksWanted();

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_REMARKS_H
