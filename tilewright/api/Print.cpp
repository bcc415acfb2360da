// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Print.h.

#include "tilewright/api/Print.h"

#include "llvm/Support/raw_ostream.h"

using namespace tilewright;

std::string api::toText(mlir::ModuleOp module, TextForm form) {
  mlir::OpPrintingFlags flags;
  flags.printGenericOpForm(form.generic);
  flags.enableDebugInfo(form.locations);
  // Print constants completely: text with elided elements could not be read again.
  flags.elideLargeElementsAttrs(std::numeric_limits<int64_t>::max());
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, flags);
  return text;
}
