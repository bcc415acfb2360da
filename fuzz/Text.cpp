// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzz target for the text parser, after the Loader's checks, as in every program. Valid programs
// are printed in both forms.

#include "Harness.h"

#include "tilewright/api/Prescan.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright;

static fuzz::Verdict examine(ArrayRef<uint8_t> input, MLIRContext *context) {
  // The parser's lexer stops at a null character after the text.
  std::string text(input.begin(), input.end());
  if (api::findHazard(text))
    return fuzz::Verdict::Refused;
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    return fuzz::Verdict::Refused;
  module->print(llvm::nulls());
  module->print(llvm::nulls(), OpPrintingFlags().printGenericOpForm().enableDebugInfo());
  return fuzz::Verdict::Valid;
}

const fuzz::Target fuzz::target = {"text", {/*base=*/1 << 20, /*factor=*/1024}, examine};
