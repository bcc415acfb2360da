// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics about bytecode, which has no source lines: the byte and the entry instead, and
// the line of the source language where the file knows it.

#ifndef TILEWRIGHT_REPORT_BYTECODEDIAGNOSTICS_H
#define TILEWRIGHT_REPORT_BYTECODEDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

namespace tilewright::report {

/// While alive, prints diagnostics about modules whose locations are marked with their places in
/// the file (tile::markPlace):
///
///   k.py:5:10: error: 'cuda_tile.cat' op ...
///     in k.tileirbc: byte 0x1C8, entry @k
///
/// Without a line of the source language, the place in the file comes first.
class BytecodeDiagnostics : public mlir::ScopedDiagnosticHandler {
public:
  BytecodeDiagnostics(llvm::StringRef file, mlir::MLIRContext *context, llvm::raw_ostream &out);

private:
  void show(mlir::Diagnostic &diagnostic);

  std::string file;
  llvm::raw_ostream &out;
};

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_BYTECODEDIAGNOSTICS_H
