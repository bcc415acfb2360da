// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every fuzz target guarantees for any input: it ends without a crash (libFuzzer and the
// sanitizers detect crashes), holds no more heap than a fixed multiple of the input, and frees all
// of it. Its time is recorded in a ledger.

#ifndef TILEWRIGHT_FUZZ_HARNESS_H
#define TILEWRIGHT_FUZZ_HARNESS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace tilewright::fuzz {

enum class Verdict {
  Refused,
  Valid, ///< Read and verified.
};

/// The most that one input may hold at once: base + factor * size bytes.
struct HeapLimit {
  int64_t base, factor;
};

struct Target {
  const char *name;
  HeapLimit heap;
  Verdict (*examine)(llvm::ArrayRef<uint8_t> input, mlir::MLIRContext *context);
};

/// Defined by each program.
extern const Target target;

/// Reports to libFuzzer that the input caused this: libFuzzer keeps inputs that cause something
/// new. Digits are ignored, so that an error with two sizes counts as one.
void notice(llvm::StringRef what);

/// A guarantee is violated: prints which one and aborts, so that libFuzzer keeps the input.
[[noreturn]] void broken(const llvm::Twine &what);

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_HARNESS_H
