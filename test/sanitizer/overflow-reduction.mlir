// A sum of lengths, promised not to wrap, does: inside of a reduction.
// RUN: %pair --grid 1 --arg "i32[1000000000, 1000000000, 1000000000, 5]" --arg "zeros(1xi64),print" | FileCheck %s

!four = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i64>>) {
    %first = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %tiles = make_partition_view %view : !four
    %v, %t0 = load_view_tko weak %tiles[%first] : !four, tile<i32> -> tile<4xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      // Which partial sums meet, the order of the reduction decides (operations, 4.11).
      // CHECK: reduction.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): addi: {{[0-9]+}} and {{[0-9]+}} violate the assumption 'no_signed_wrap' [overflow]
      // CHECK-NEXT: reduction.mlir:[[#@LINE+5]]:{{.*}} note: used here: store_ptr_tko: an undefined value is stored to parameter 2 (1xi64)
      %s = addi %a, %b overflow<no_signed_wrap> : tile<i32>
      yield %s : tile<i32>
    }
    %wide = exti %sum signed : tile<i32> -> tile<i64>
    %t1 = store_ptr_tko weak %out, %wide : tile<ptr<i64>>, tile<i64> -> token
  }

  // CHECK: fixed:
  // CHECK: [3000000005]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i64>>) {
    %first = constant <i32: 0> : tile<i32>
    %view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %tiles = make_partition_view %view : !four
    %v, %t0 = load_view_tko weak %tiles[%first] : !four, tile<i32> -> tile<4xi32>, token
    %wide = exti %v signed : tile<4xi32> -> tile<4xi64>
    %sum = reduce %wide dim=0 identities=[0 : i64] : tile<4xi64> -> tile<i64> (%a: tile<i64>, %b: tile<i64>) {
      %s = addi %a, %b overflow<no_signed_wrap> : tile<i64>
      yield %s : tile<i64>
    }
    %t1 = store_ptr_tko weak %out, %sum : tile<ptr<i64>>, tile<i64> -> token
  }
}
