// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics about bytecode. They give the byte offset and the entry, and the line of the source
// language if the debug information has it.

#ifndef TILEWRIGHT_REPORT_BYTECODEDIAGNOSTICS_H
#define TILEWRIGHT_REPORT_BYTECODEDIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"

namespace tilewright::report {

/// While alive, prints diagnostics about modules whose locations are marked with their positions in
/// the file (tile::markPlace):
///
///   k.py:5:10: error: 'cuda_tile.cat' op ...
///     in k.tileirbc: byte 0x1C8, entry @k
///
/// If there is no source line, the position in the file comes first.
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
