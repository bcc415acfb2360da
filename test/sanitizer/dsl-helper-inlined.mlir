// A quotient without a value is named by the line that divides, and the store that makes it matter,
// in a helper that was inlined, by the line that calls the helper (types, 10).
// RUN: %pair --grid 1 --arg 5 --arg "zeros(1xi32),print" | FileCheck %s

#file = #cuda_tile.di_file<"mean.py" in "/home/user">
#unit = #cuda_tile.di_compile_unit<file = #file>
#bug = #cuda_tile.di_subprogram<file = #file, line = 30, name = "mean", linkageName = "bug", compileUnit = #unit, scopeLine = 30>
#divide = loc(#cuda_tile.di_loc<loc("mean.py":31:9) in #bug>)
#call = loc(#cuda_tile.di_loc<loc("mean.py":32:5) in #bug>)
#else = loc(#cuda_tile.di_loc<loc("mean.py":30:1) in #bug>)

cuda_tile.module @sanitizer {
  // CHECK: {{^}}mean.py:31:10: error: block (0, 0, 0): divi: 5 by 0 has no result [division]
  // CHECK-NEXT: {{^}}mean.py:32:6: note: used here: store_ptr_tko: an undefined value is stored to parameter 2 (1xi32)
  entry @bug(%sum: tile<i32>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32> loc(#else)
    %mean = divi %sum, %x signed : tile<i32> loc(#divide)
    %t = store_ptr_tko weak %out, %mean : tile<ptr<i32>>, tile<i32> -> token loc(callsite("helpers.py":7:3 at #call))
    return loc(#else)
  } loc(#else)

  // CHECK: fixed:
  // CHECK: [5]
  entry @fixed(%sum: tile<i32>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %count = addi %x, %one : tile<i32>
    %mean = divi %sum, %count signed : tile<i32>
    %t = store_ptr_tko weak %out, %mean : tile<ptr<i32>>, tile<i32> -> token
  }
}
