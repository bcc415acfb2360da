// Each element becomes the sum of itself and its right neighbour, in place, a block per element:
// a block reads what the next one writes.
// RUN: %pair --grid 3 --arg "i32[1, 2, 3, 4]" --arg "zeros(4xi32),print" | FileCheck %s

cuda_tile.module @sanitizer {
  entry @bug(%array: tile<ptr<i32>>, %unused: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %here = offset %array, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %right = offset %here, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %a, %t0 = load_ptr_tko weak %here : tile<ptr<i32>> -> tile<i32>, token
    %b, %t1 = load_ptr_tko weak %right : tile<ptr<i32>> -> tile<i32>, token
    %sum = addi %a, %b : tile<i32>
    %both = join_tokens %t0, %t1 : token
    // CHECK: in-place.mlir:[[#@LINE+2]]:{{.*}} error: block (1, 0, 0): store_ptr_tko: race on parameter 1 (4xi32)[1] with load_ptr_tko by block (0, 0, 0): nothing orders the two, and both are weak [race]
    // CHECK-NEXT: in-place.mlir:[[#@LINE-4]]:{{.*}} note: the earlier access: load_ptr_tko by block (0, 0, 0)
    %t2 = store_ptr_tko weak %here, %sum token=%both : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [3 5 7 0]
  entry @fixed(%array: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %here = offset %array, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %right = offset %here, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %a, %t0 = load_ptr_tko weak %here : tile<ptr<i32>> -> tile<i32>, token
    %b, %t1 = load_ptr_tko weak %right : tile<ptr<i32>> -> tile<i32>, token
    %sum = addi %a, %b : tile<i32>
    %to = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t2 = store_ptr_tko weak %to, %sum : tile<ptr<i32>>, tile<i32> -> token
  }
}
