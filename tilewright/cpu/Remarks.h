// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the compiler say about its decisions? A line per decision, at the place in the
// program that it is about: which tiles are computed by their users, which have a buffer and why,
// which operations share loops, how memory is accessed, how matmuls are computed. All of them are
// in the plan, and plan/PlanRemarks.cpp prints them. A remark costs nothing unless a Remarks object
// of this thread collects it.

#ifndef TILEWRIGHT_CPU_REMARKS_H
#define TILEWRIGHT_CPU_REMARKS_H

#include "mlir/IR/Location.h"

#include <set>
#include <string>
#include <tuple>

namespace tilewright::cpu {

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

/// Whether anybody listens.
bool areRemarksWanted();

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_REMARKS_H
