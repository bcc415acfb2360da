// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records the time per input, and compares it with valid inputs of about the same size, which occur
// in every run anyway. The ledger has one page for each power of two. It ends with the slowest
// input: how many times the time of a valid one it took, and its bytes in a file.

#ifndef TILEWRIGHT_FUZZ_LEDGER_H
#define TILEWRIGHT_FUZZ_LEDGER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::fuzz {

/// The cost of one input.
struct Cost {
  double seconds;
  int64_t heap; ///< The most bytes held at once.
};

class Ledger {
public:
  /// Whether this is more time than any input of about this size has taken.
  bool isRecord(size_t size, double seconds) const;

  void note(llvm::ArrayRef<uint8_t> input, Cost cost, bool valid);

  /// Prints all pages to standard error, and writes the slowest input to
  /// `<prefix>slowest-<name>`.
  void close(llvm::StringRef name, llvm::StringRef prefix) const;

private:
  struct Page {
    uint64_t inputs = 0, valid = 0;
    double validSeconds = 0, slowestSeconds = 0;
    int64_t mostHeap = 0;
    std::vector<uint8_t> slowest;
  };

  static size_t pageOf(size_t size);
  double validSecondsNear(size_t page) const;

  std::array<Page, 32> pages;
};

} // namespace tilewright::fuzz

#endif // TILEWRIGHT_FUZZ_LEDGER_H
