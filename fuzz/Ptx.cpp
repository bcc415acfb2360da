// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does the PTX machine survive any text? What the parser accepts is decoded, entry by entry.

#include "Harness.h"

#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/text/Parser.h"

using namespace tilewright;

static fuzz::Verdict examine(llvm::ArrayRef<uint8_t> input, mlir::MLIRContext *) {
  const auto parsed = ptx::parse(std::string(input.begin(), input.end()));
  if (const auto *refusal = std::get_if<ptx::Refusal>(&parsed)) {
    fuzz::notice(refusal->message);
    return fuzz::Verdict::Refused;
  }
  const ptx::Module &module = std::get<ptx::Module>(parsed);
  bool isRefused = false;
  for (const ptx::Function &function : module.functions)
    if (function.isEntry && function.hasBody) {
      const auto prepared = ptx::prepare(module, function);
      if (const auto *refusal = std::get_if<ptx::Refusal>(&prepared)) {
        fuzz::notice(refusal->message);
        isRefused = true;
      }
    }
  return isRefused ? fuzz::Verdict::Refused : fuzz::Verdict::Valid;
}

const fuzz::Target fuzz::target = {"ptx", {/*base=*/1 << 20, /*factor=*/4096}, examine};
