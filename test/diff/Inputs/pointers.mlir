// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Masked loads and stores through pointers, contiguous or not.
cuda_tile.module @m {
  entry @pointers(%a: tile<ptr<i32>>, %o: tile<ptr<i32>>, %m: tile<ptr<i32>>) {
    %n = iota : tile<64xi32>
    %limit = constant <i32: 50> : tile<64xi32>
    %mask = cmpi less_than %n, %limit, signed : tile<64xi32> -> tile<64xi1>
    %pad = constant <i32: -7> : tile<64xi32>
    %a1 = reshape %a : tile<ptr<i32>> -> tile<1xptr<i32>>
    %as = broadcast %a1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %pa = offset %as, %n : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %v, %k = load_ptr_tko weak %pa, %mask, %pad : tile<64xptr<i32>>, tile<64xi1>, tile<64xi32> -> tile<64xi32>, token
    %squares = muli %n, %n : tile<64xi32>
    %m63 = constant <i32: 63> : tile<64xi32>
    %mixed = andi %squares, %m63 : tile<64xi32>
    %pm = offset %as, %mixed : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %w, %k1 = load_ptr_tko weak %pm : tile<64xptr<i32>> -> tile<64xi32>, token
    %s = addi %v, %w : tile<64xi32>
    %o1 = reshape %o : tile<ptr<i32>> -> tile<1xptr<i32>>
    %os = broadcast %o1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %po = offset %os, %n : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %k2 = store_ptr_tko weak %po, %s : tile<64xptr<i32>>, tile<64xi32> -> token
    %m1 = reshape %m : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ms = broadcast %m1 : tile<1xptr<i32>> -> tile<64xptr<i32>>
    %some = offset %ms, %n : tile<64xptr<i32>>, tile<64xi32> -> tile<64xptr<i32>>
    %k3 = store_ptr_tko weak %some, %w, %mask : tile<64xptr<i32>>, tile<64xi32>, tile<64xi1> -> token
  }
}
