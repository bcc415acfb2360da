// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory contents and race detection. Every element remembers which threads have read and written
// it since the last barrier that all threads passed; two threads for each are enough to detect
// every race. An access races with a remembered access of another thread if at least one of them
// writes and not both are atomic.

#ifndef TILEWRIGHT_SIMT_MEMORY_H
#define TILEWRIGHT_SIMT_MEMORY_H

#include "tilewright/simt/Register.h"

#include "mlir/IR/Operation.h"

#include <memory>
#include <string>

namespace tilewright::simt {

/// The operation and the thread of an access, and its kind.
struct Access {
  mlir::Operation *op = nullptr;
  int64_t thread = 0;
  bool writes = false;
  bool isAtomic = false;
};

class Memory {
public:
  /// Uninitialised elements in row-major order. For private memory, each of `copies` threads has
  /// its own block of them.
  Memory(std::string name, numerics::Format format, llvm::ArrayRef<int64_t> shape, int64_t count,
         int64_t copies = 1);

  llvm::StringRef name() const { return label; }
  numerics::Format format() const { return elementFormat; }
  bool isPrivate() const { return copies > 1; }
  /// The number of elements that a thread can access.
  int64_t reach() const { return count; }
  bool isWritten(int64_t place) const { return written[place]; }

  numerics::Element read(int64_t place) const {
    return numerics::Element{bits[place], elementFormat};
  }
  void write(int64_t place, numerics::Element element) {
    bits[place] = element.bits;
    written[place] = true;
  }
  /// Makes the memory uninitialised, but keeps its access history.
  void forgetValues() { std::fill(written.begin(), written.end(), false); }

  /// Records the access. Returns an earlier access that it races with, if there is one. Barrier
  /// phases are numbered from 1; each barrier starts the next one.
  std::optional<Access> meet(int64_t place, const Access &access, uint32_t barrierPhase);

  /// Row-major index of an element; for private memory, within its thread's block.
  int64_t elementAt(int64_t place) const { return place % count; }

  /// `element [2, 3] of argument 0`.
  std::string nameOf(int64_t place) const;

private:
  struct Visitor {
    mlir::Operation *op = nullptr;
    int32_t thread = 0;
    bool isAtomic = false;
  };
  /// The first accesses by two different threads. A later access by the same thread replaces an
  /// atomic one.
  struct Visitors {
    Visitor visitors[2];
    const Visitor *rivalOf(const Access &access) const;
    void note(const Access &access);
  };
  struct Visits {
    uint32_t barrierPhase = 0;
    Visitors readers, writers;
  };
  static constexpr int64_t pageSize = 4096;

  Visits &visitsOf(int64_t place);

  std::string label;
  numerics::Format elementFormat;
  llvm::SmallVector<int64_t> shape;
  int64_t count, copies;
  std::vector<uint64_t> bits;
  std::vector<bool> written;
  /// In pages that are allocated on first access: visits take nine times as much memory as an
  /// element.
  std::vector<std::unique_ptr<Visits[]>> visits;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_MEMORY_H
