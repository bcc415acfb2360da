// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in memory, and which accesses race? Every element remembers who has read and
// who has written it since the last barrier that all threads passed: two threads of each
// are enough to notice every race. An access races with a remembered one of another
// thread when one of them writes and not both are atomic.

#ifndef TILEWRIGHT_SIMT_MEMORY_H
#define TILEWRIGHT_SIMT_MEMORY_H

#include "tilewright/simt/Register.h"

#include "mlir/IR/Operation.h"

#include <memory>
#include <string>

namespace tilewright::simt {

/// Who accesses, and how.
struct Access {
  mlir::Operation *op = nullptr;
  int64_t thread = 0;
  bool writes = false;
  bool isAtomic = false;
};

class Memory {
public:
  /// Row-major elements that nobody has written. Of private memory each of `copies` threads has
  /// one of its own, side by side.
  Memory(std::string name, numerics::Format format, llvm::ArrayRef<int64_t> shape, int64_t count,
         int64_t copies = 1);

  llvm::StringRef name() const { return label; }
  numerics::Format format() const { return elementFormat; }
  bool isPrivate() const { return copies > 1; }
  /// Elements that a thread can reach.
  int64_t reach() const { return count; }
  bool isWritten(int64_t place) const { return written[place]; }

  numerics::Element read(int64_t place) const {
    return numerics::Element{bits[place], elementFormat};
  }
  void write(int64_t place, numerics::Element element) {
    bits[place] = element.bits;
    written[place] = true;
  }
  /// Its values are gone; who accessed it is still known.
  void forgetValues() { std::fill(written.begin(), written.end(), false); }

  /// Remembers the access. Returns one that it races with, if there is one; barrier phases are
  /// numbered from 1, and a barrier begins the next.
  std::optional<Access> meet(int64_t place, const Access &access, uint32_t barrierPhase);

  /// The number of an element, in row-major order; of private memory, that of its thread.
  int64_t elementAt(int64_t place) const { return place % count; }

  /// `element [2, 3] of argument 0`.
  std::string nameOf(int64_t place) const;

private:
  struct Visitor {
    mlir::Operation *op = nullptr;
    int32_t thread = 0;
    bool isAtomic = false;
  };
  /// The first accesses by two different threads, and the last by either.
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
  /// In pages, of which only those that somebody accessed exist: visits take nine times the room of
  /// an element.
  std::vector<std::unique_ptr<Visits[]>> visits;
};

} // namespace tilewright::simt

#endif // TILEWRIGHT_SIMT_MEMORY_H
