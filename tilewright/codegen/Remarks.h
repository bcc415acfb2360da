// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remarks: the decisions of a compiler, a line each, with the source position that they are about:
// where tiles are placed and why, which operations share loops, how memory is accessed, how matmuls
// are computed. The plan makes all decisions, and its room emits the remarks. A remark costs
// nothing unless a Remarks object of this thread collects it.

#ifndef TILEWRIGHT_CODEGEN_REMARKS_H
#define TILEWRIGHT_CODEGEN_REMARKS_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/raw_ostream.h"

#include <compare>
#include <optional>
#include <set>
#include <string>

namespace tilewright::codegen {

/// `addf at 12:5`, or only the name if there is no position.
std::string nameAndPlace(mlir::Operation *op);
/// The first few operations.
std::string namesAndPlaces(llvm::ArrayRef<mlir::Operation *> operations);

/// Reports a decision about the operation at this place, if a Remarks object of this thread exists.
void remark(mlir::Location place, const llvm::Twine &what);

/// A decision, and the source position that it is about. Without a position, `line` is 0 and `file`
/// is the location as text.
struct Remark {
  std::string file;
  unsigned line, column;
  std::string what;

  auto operator<=>(const Remark &) const = default;
};

/// Collects the remarks of this thread during its life.
class Remarks {
public:
  Remarks();
  ~Remarks();
  Remarks(const Remarks &) = delete;

  void add(mlir::Location place, const std::string &what);
  /// The remarks in source order, without duplicates.
  const std::set<Remark> &all() const { return said; }
  /// A line for each: `k.mlir:12:5: remark: addf: ...`.
  std::string text() const;

private:
  std::set<Remark> said;
  Remarks *outer;
};

/// Collects remarks if `areWanted`, and prints them on destruction.
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

/// Whether a Remarks object of this thread exists.
bool areRemarksWanted();

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_REMARKS_H
