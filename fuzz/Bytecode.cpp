// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzz target for the bytecode reader. Every input is read and, if that succeeds, verified, as in
// the programs; for half of the inputs, operations are marked with their file offsets.

#include "Harness.h"

#include "tilewright/bytecode/Reader.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tilewright;

static fuzz::Verdict examine(ArrayRef<uint8_t> input, MLIRContext *context) {
  bool markPlaces = llvm::xxh3_64bits(input) & 1;
  auto module = bytecode::readModule(input, context, {markPlaces});
  if (!module) {
    if (!StringRef(module.failure().message).starts_with("byte 0x"))
      fuzz::broken("a failure without its place: " + module.failure().message);
    fuzz::notice(module.failure().message);
    return fuzz::Verdict::Refused;
  }
  (*module)->walk([](Operation *op) {
    fuzz::notice(op->getName().getStringRef());
    (void)bytecode::placeOf(op->getLoc());
  });
  return failed(verify(**module)) ? fuzz::Verdict::Refused : fuzz::Verdict::Valid;
}

const fuzz::Target fuzz::target = {"bytecode", {/*base=*/1 << 20, /*factor=*/256}, examine};
