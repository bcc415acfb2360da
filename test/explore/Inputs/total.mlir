// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The locations name lines of total.py, as a cuTile compiler writes them.

#file = #cuda_tile.di_file<"total.py" in ".">
#unit = #cuda_tile.di_compile_unit<file = #file>
#total = #cuda_tile.di_subprogram<file = #file, line = 7, name = "total", linkageName = "total", compileUnit = #unit, scopeLine = 7>
#block = loc(#cuda_tile.di_loc<loc("total.py":8:12) in #total>)
#value = loc(#cuda_tile.di_loc<loc("total.py":9:12) in #total>)
#old = loc(#cuda_tile.di_loc<loc("total.py":10:10) in #total>)
#store = loc(#cuda_tile.di_loc<loc("total.py":11:4) in #total>)
#def = loc(#cuda_tile.di_loc<loc("total.py":7:0) in #total>)

cuda_tile.module @explore {
  entry @total(%values: tile<ptr<i32>>, %result: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32> loc(#block)
    %at = offset %values, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>> loc(#value)
    %value, %t0 = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token loc(#value)
    %old, %t1 = load_ptr_tko weak %result : tile<ptr<i32>> -> tile<i32>, token loc(#old)
    %new = addi %old, %value : tile<i32> loc(#store)
    %t2 = store_ptr_tko weak %result, %new token=%t1 : tile<ptr<i32>>, tile<i32> -> token loc(#store)
    return loc(#store)
  } loc(#def)
}
