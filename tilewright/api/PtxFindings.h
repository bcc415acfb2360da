// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are the findings of the PTX machine written? As findings of report/: at the place in the
// PTX text, with the line of the source that `.loc` names.

#ifndef TILEWRIGHT_API_PTXFINDINGS_H
#define TILEWRIGHT_API_PTXFINDINGS_H

#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/report/Report.h"

namespace tilewright::api {

/// The rules of the machine, then the kinds that have none.
llvm::ArrayRef<report::Rule> ptxRules();

/// The rules of findings at the source: those above, `assert` and `promise`.
llvm::ArrayRef<report::Rule> ptxRulesAtSource();

/// Whether one is of what a kernel must not do; a step limit and a failed assertion are not.
bool misbehaved(llvm::ArrayRef<ptx::Finding> findings);

/// A line for each, with the help for their rules, and how many more there were.
std::string textOf(llvm::ArrayRef<report::Finding> findings, uint64_t unlisted);

class PtxFindings {
public:
  PtxFindings(const ptx::Module &module, llvm::StringRef file, mlir::MLIRContext &context)
      : module(module), file(file), context(context) {}

  report::Finding convert(const ptx::Finding &finding, const ptx::Function &entry) const;
  /// The same for a kernel that was compiled from Tile IR: at the line of the source, if it is
  /// known; the place in the PTX text is related. An assumption that is false is misbehaviour.
  report::Finding convertAtSource(const ptx::Finding &finding, const ptx::Function &entry) const;
  /// What is not supported, before anything runs.
  report::Finding refusal(const ptx::Refusal &refusal, const ptx::Function &entry) const;

private:
  report::Finding failedAssert(const ptx::Finding &finding, const ptx::Function &entry) const;
  mlir::Location at(ptx::Place place) const;
  mlir::Location at(ptx::Site site) const;
  /// The lines of the source that the site belongs to, innermost first.
  void addSource(ptx::Site site, std::vector<report::Related> &related) const;

  const ptx::Module &module;
  llvm::StringRef file;
  mlir::MLIRContext &context;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_PTXFINDINGS_H
