// Address arithmetic on integers counts bytes, not elements: block 1 means element 1, and adds 1.
// RUN: %pair --grid 2 --arg "zeros(2xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %i = exti %x unsigned : tile<i32> -> tile<i64>
    %base = ptr_to_int %out : tile<ptr<i32>> -> tile<i64>
    %address = addi %base, %i : tile<i64>
    %to = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
    %mark = constant <i32: 1> : tile<i32>
    // CHECK: as-byte.mlir:[[#@LINE+1]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: address 0x{{.*}}1 is not a multiple of 4, the size of i32 [alignment]
    %t = store_ptr_tko weak %to, %mark : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [1 1]
  entry @fixed(%out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %i = exti %x unsigned : tile<i32> -> tile<i64>
    %bytes_per_element = constant <i64: 4> : tile<i64>
    %distance = muli %i, %bytes_per_element : tile<i64>
    %base = ptr_to_int %out : tile<ptr<i32>> -> tile<i64>
    %address = addi %base, %distance : tile<i64>
    %to = int_to_ptr %address : tile<i64> -> tile<ptr<i32>>
    %mark = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %to, %mark : tile<ptr<i32>>, tile<i32> -> token
  }
}
