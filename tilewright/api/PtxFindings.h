// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts findings of the PTX machine to findings of report/: at the place in the PTX text, with
// the source line from `.loc`.

#ifndef TILEWRIGHT_API_PTXFINDINGS_H
#define TILEWRIGHT_API_PTXFINDINGS_H

#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/report/Report.h"

namespace tilewright::api {

/// The rules of the PTX machine, then `unsupported`.
llvm::ArrayRef<report::Rule> ptxRules();

/// The rules of findings at source lines: those above, `assert` and `assumption`.
llvm::ArrayRef<report::Rule> ptxRulesAtSource();

/// Is one of the findings misbehaviour? Step limits and failed assertions are not.
bool misbehaved(llvm::ArrayRef<ptx::Finding> findings);

/// One line per finding, then the help for their rules and the number of unlisted findings.
std::string textOf(llvm::ArrayRef<report::Finding> findings, uint64_t unlisted);

class PtxFindings {
public:
  PtxFindings(const ptx::Module &module, llvm::StringRef file, mlir::MLIRContext &context)
      : module(module), file(file), context(context) {}

  report::Finding convert(const ptx::Finding &finding, const ptx::Function &entry) const;
  /// The same for a kernel that was compiled from Tile IR: at the source line, if it is known, with
  /// the place in the PTX text as a related one. A false assumption is misbehaviour.
  report::Finding convertAtSource(const ptx::Finding &finding, const ptx::Function &entry) const;
  /// Something unsupported, found before anything ran.
  report::Finding refusal(const ptx::Refusal &refusal, const ptx::Function &entry) const;

private:
  report::Finding failedAssert(const ptx::Finding &finding, const ptx::Function &entry) const;
  mlir::Location at(ptx::Place place) const;
  mlir::Location at(ptx::Site site) const;
  /// Adds the source lines of the site, innermost first.
  void addSource(ptx::Site site, std::vector<report::Related> &related) const;

  const ptx::Module &module;
  llvm::StringRef file;
  mlir::MLIRContext &context;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PTXFINDINGS_H
