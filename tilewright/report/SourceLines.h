// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings with the source line that each is about, and a caret below the column, as diagnostics
// have them. The line is that of the program, or of the file of the source language that its debug
// information names, where that can be read.

#ifndef TILEWRIGHT_REPORT_SOURCELINES_H
#define TILEWRIGHT_REPORT_SOURCELINES_H

#include "tilewright/report/Finding.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::report {

class SourceLines {
public:
  /// `text` is what the program's file holds; empty for bytecode, which has no lines.
  SourceLines(llvm::StringRef file, llvm::StringRef text);

  /// What toString(finding) says, each line of it with its source line; coloured on a terminal.
  void print(const Finding &finding, llvm::raw_ostream &out);

private:
  void print(mlir::Location location, llvm::SourceMgr::DiagKind kind, const llvm::Twine &message,
             llvm::raw_ostream &out);
  /// Invalid if there is no such line.
  llvm::SMLoc placeOf(mlir::Location location);
  /// 0 if the file cannot be read.
  unsigned bufferFor(llvm::StringRef name);

  llvm::SourceMgr sources;
  llvm::StringMap<unsigned> buffers;
  /// What was shown last: the next message about the same place needs no line.
  llvm::SMLoc shown;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_SOURCELINES_H
