// Whoever finds a negative element says so in one common cell. All of them write the same, but a
// weak store still promises to be alone (memory model, 7).
// RUN: %pair --grid 3 --arg "i32[-1, 4, -2]" --arg "zeros(1xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %found: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %at = offset %in, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %is_negative = cmpi less_than %v, %zero, signed : tile<i32> -> tile<i1>
    if %is_negative {
      // CHECK: one-element.mlir:[[#@LINE+2]]:{{.*}} error: block (2, 0, 0): store_ptr_tko: race on parameter 2 (1xi32)[0] with store_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
      // CHECK-NEXT: one-element.mlir:[[#@LINE+1]]:{{.*}} note: the earlier access: store_ptr_tko by block (0, 0, 0)
      %t1 = store_ptr_tko weak %found, %one : tile<ptr<i32>>, tile<i32> -> token
    }
  }

  // CHECK: fixed:
  // CHECK: [1]
  entry @fixed(%in: tile<ptr<i32>>, %found: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %at = offset %in, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t0 = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
    %is_negative = cmpi less_than %v, %zero, signed : tile<i32> -> tile<i1>
    if %is_negative {
      %t1 = store_ptr_tko relaxed device %found, %one : tile<ptr<i32>>, tile<i32> -> token
    }
  }
}
