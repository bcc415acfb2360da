// Both accesses of a race are named by their lines in the language that the kernel was written in
// (types, 10), with columns from 1: debug information counts those of Python files from 0.
// RUN: %pair --grid 2 --arg "i32[1, 2]" --arg "zeros(1xi32),print" | FileCheck %s

#file = #cuda_tile.di_file<"total.py" in "/home/user">
#unit = #cuda_tile.di_compile_unit<file = #file>
#bug = #cuda_tile.di_subprogram<file = #file, line = 10, name = "total", linkageName = "bug", compileUnit = #unit, scopeLine = 10>
#load = loc(#cuda_tile.di_loc<loc("total.py":12:10) in #bug>)
#store = loc(#cuda_tile.di_loc<loc("total.py":14:5) in #bug>)
#else = loc(#cuda_tile.di_loc<loc("total.py":10:1) in #bug>)

cuda_tile.module @sanitizer {
  // CHECK: {{^}}total.py:12:11: error: block (1, 0, 0): load_ptr_tko: race on parameter 2 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): {{.*}} [race]
  // CHECK-NEXT: {{^}}total.py:14:6: note: the earlier access: store_ptr_tko by block (0, 0, 0)
  // CHECK-NEXT: {{^}}total.py:14:6: error: block (1, 0, 0): store_ptr_tko: race on parameter 2 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): {{.*}} [race]
  // CHECK-NEXT: {{^}}total.py:14:6: note: the earlier access: store_ptr_tko by block (0, 0, 0)
  entry @bug(%in: tile<ptr<i32>>, %total: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32> loc(#else)
    %at = offset %in, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>> loc(#else)
    %v, %t0 = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token loc(#else)
    %old, %t1 = load_ptr_tko weak %total : tile<ptr<i32>> -> tile<i32>, token loc(#load)
    %new = addi %old, %v : tile<i32> loc(#else)
    %t2 = store_ptr_tko weak %total, %new token=%t1 : tile<ptr<i32>>, tile<i32> -> token loc(#store)
    return loc(#else)
  } loc(#else)

  // CHECK: fixed:
  // CHECK: [3]
  entry @fixed(%in: tile<ptr<i32>>, %total: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %at = offset %in, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %old, %t1 = atomic_rmw_tko relaxed device %total, add, %v : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}
