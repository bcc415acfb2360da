// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of all tile blocks on the same elements.
cuda_tile.module @m {
  entry @atomics(%a: tile<ptr<i32>>, %o: tile<ptr<i32>>, %count: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %width = constant <i32: 32> : tile<i32>
    %first = muli %x, %width : tile<i32>
    %f1 = reshape %first : tile<i32> -> tile<1xi32>
    %fs = broadcast %f1 : tile<1xi32> -> tile<32xi32>
    %n = iota : tile<32xi32>
    %at = addi %fs, %n : tile<32xi32>
    %a1 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %as = broadcast %a1 : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %pa = offset %as, %at : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>>
    %v, %k = load_ptr_tko weak %pa : tile<32xptr<i32>> -> tile<32xi32>, token
    %half = constant <i32: 1073741824> : tile<32xi32>
    %twice = addi %v, %half : tile<32xi32>
    %both = addi %twice, %twice : tile<32xi32>
    %o1 = reshape %o : tile<ptr<i32>> -> tile<1xptr<i32>>
    %os = broadcast %o1 : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %po = offset %os, %n : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>>
    %old, %k1 = atomic_rmw_tko relaxed device %po, umax, %both : tile<32xptr<i32>>, tile<32xi32> -> tile<32xi32>, token
    %one = constant <i32: 1> : tile<i32>
    %before, %k2 = atomic_rmw_tko relaxed device %count, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
