// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzz target for the PTX machine. Texts that the parser accepts are decoded, entry by entry, and
// executed.

#include "Harness.h"
#include "PtxExecution.h"

using namespace tilewright;

static fuzz::Verdict examine(llvm::ArrayRef<uint8_t> input, mlir::MLIRContext *) {
  const std::string refusal =
      fuzz::executeEntries(std::string(input.begin(), input.end()), input.size());
  if (refusal.empty())
    return fuzz::Verdict::Valid;
  fuzz::notice(refusal);
  return fuzz::Verdict::Refused;
}

/// An execution needs stacks, frames and shadow memory for each of 64 threads.
const fuzz::Target fuzz::target = {"ptx", {/*base=*/64 << 20, /*factor=*/4096}, examine};
