// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does every fuzz target promise about an input, whatever it holds? That it ends
// without a crash (libFuzzer and the sanitizers watch), holds no more heap than a fixed
// multiple of the input, and gives everything back. How long it takes goes into a ledger.

#ifndef TILEWRIGHT_FUZZ_HARNESS_H
#define TILEWRIGHT_FUZZ_HARNESS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace tilewright::fuzz {

enum class Verdict {
  Refused,
  Valid, ///< It was read and verified.
};

/// What one input may hold at once: base + factor * size bytes.
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

/// Tells libFuzzer of something that the input made happen: it keeps inputs that show it
/// something new. Digits are left out, so that two sizes of one error are the same.
void notice(llvm::StringRef what);

/// A promise is broken: prints which one and aborts, so that libFuzzer keeps the input.
[[noreturn]] void broken(const llvm::Twine &what);

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_HARNESS_H
