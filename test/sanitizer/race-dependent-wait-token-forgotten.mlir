// A launch that depends on another one overwrites what that one reads. It waits, but the token of
// the wait does not come to the store: where the two stand in the program orders nothing (13.4,
// section 4).
// RUN: %pair --after read --grid 2 --arg "i32[5]" --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @read(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %to = offset %y, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    // Any launch before this one has ended.
    %begun = gdc_wait_tko -> token
    %v, %loaded = load_ptr_tko weak %x token=%begun : tile<ptr<i32>> -> tile<i32>, token
    %t = store_ptr_tko weak %to, %v : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @bug(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %is_first = cmpi equal %b, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %done = gdc_wait_tko -> token
      // CHECK: token-forgotten.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): store_ptr_tko: race on parameter 1 (1xi32)[0] with load_ptr_tko by block (1, 0, 0) of the launch before: nothing orders the two, and no token comes here from a gdc_wait_tko [race]
      // CHECK-NEXT: token-forgotten.mlir:12:{{.*}} note: the earlier access: load_ptr_tko by block (1, 0, 0) of the launch before
      %t = store_ptr_tko weak %x, %zero : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [5 5]
  entry @fixed(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %is_first = cmpi equal %b, %zero, signed : tile<i32> -> tile<i1>
    if %is_first {
      %done = gdc_wait_tko -> token
      %t = store_ptr_tko weak %x, %zero token=%done : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
