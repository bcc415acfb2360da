// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for the tests of comparing: its values in each execution can be worked out by hand.

#ifndef TILEWRIGHT_API_DIFF_TESTING_H
#define TILEWRIGHT_API_DIFF_TESTING_H

#include "tilewright/api/devices/Testing.h"
#include "tilewright/api/diff/Observation.h"
#include "tilewright/api/explore/Program.h"

namespace tilewright::api::testing {

/// In block b, %d is b + 2 and b + 7 in the two iterations of the `for`, and %m is 1, 2 and 3 in
/// those of the `loop`. x[b] becomes b + 10.
inline constexpr const char counting[] = R"(cuda_tile.module @m {
  entry @count(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %3 = constant <i32: 3> : tile<i32>
    %8 = constant <i32: 8> : tile<i32>
    %sum = for %i in (%2 to %8, step %3) : tile<i32> iter_values(%c = %b) -> (tile<i32>) {
      %d = addi %c, %i : tile<i32>
      continue %d : tile<i32>
    }
    %n = loop iter_values(%k = %0) : tile<i32> -> tile<i32> {
      %m = addi %k, %1 : tile<i32>
      %done = cmpi equal %m, %3, signed : tile<i32> -> tile<i1>
      if %done {
        break %m : tile<i32>
      }
      continue %m : tile<i32>
    }
    %r = addi %sum, %n : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %u = store_ptr_tko weak %at, %r : tile<ptr<i32>>, tile<i32> -> token
  }
})";

/// The number-th operation with this name, in the order of the text.
inline mlir::Operation *operation(tile::EntryOp entry, llvm::StringRef name, int number = 0) {
  mlir::Operation *found = nullptr;
  entry.getBody().walk([&](mlir::Operation *op) {
    if (op->getName().stripDialect() == name && number-- == 0)
      found = op;
  });
  return found;
}

} // namespace tilewright::api::testing

#endif // TILEWRIGHT_API_DIFF_TESTING_H
