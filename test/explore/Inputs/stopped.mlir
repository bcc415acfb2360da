// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another version of limits.mlir that never ends, and so fails no assertion.

cuda_tile.module @explore {
  entry @stopped(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %at = offset %x, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %u = store_ptr_tko weak %at, %b : tile<ptr<i32>>, tile<i32> -> token
    loop {
      continue
    }
  }
}
