// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints findings like diagnostics, with the source line and a caret below the column. The line is
// that of the program or, if debug information refers to it and it can be read, that of the source
// file in the original language.

#ifndef TILEWRIGHT_REPORT_SOURCELINES_H
#define TILEWRIGHT_REPORT_SOURCELINES_H

#include "tilewright/report/Finding.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace tilewright::report {

class SourceLines {
public:
  /// `text` is the contents of the program's file; empty for bytecode, which has no lines.
  SourceLines(llvm::StringRef file, llvm::StringRef text);

  /// Prints toString(finding), with the source line below each of its lines; in colour on a
  /// terminal.
  void print(const Finding &finding, llvm::raw_ostream &out);

private:
  void print(mlir::Location location, llvm::SourceMgr::DiagKind kind, const llvm::Twine &message,
             llvm::raw_ostream &out);
  /// Invalid if the line does not exist.
  llvm::SMLoc placeOf(mlir::Location location);
  /// 0 if the file cannot be read.
  unsigned bufferFor(llvm::StringRef name);

  llvm::SourceMgr sources;
  llvm::StringMap<unsigned> buffers;
  /// The last location shown; the next message about the same location omits the source line.
  llvm::SMLoc shown;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_SOURCELINES_H
