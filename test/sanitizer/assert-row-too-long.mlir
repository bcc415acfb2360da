// A kernel for rows of up to eight elements says so itself. The launch fails, but the kernel has
// not misbehaved: the exit status is 1, not 3.
// RUN: %pair --status=1 --grid 1 --arg "iota(9xi32)" --arg 9 --arg "zeros(1xi32),print" | FileCheck %s

!vector = !cuda_tile.tensor_view<?xi32, strides=[1]>
!short = !cuda_tile.partition_view<tile=(8), padding_value = zero, tensor_view<?xi32, strides=[1]>>
!long = !cuda_tile.partition_view<tile=(16), padding_value = zero, tensor_view<?xi32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %most = constant <i32: 8> : tile<i32>
    %fits = cmpi less_than_or_equal %n, %most, signed : tile<i32> -> tile<i1>
    // CHECK: too-long.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): assertion failed: the row has more than 8 elements
    assert %fits, "the row has more than 8 elements" : tile<i1>
    %view = make_tensor_view %in, shape = [%n], strides = [1] : tile<i32> -> !vector
    %tiles = make_partition_view %view : !short
    %v, %t0 = load_view_tko weak %tiles[%first] : !short, tile<i32> -> tile<8xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %t1 = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [36]
  entry @fixed(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %first = constant <i32: 0> : tile<i32>
    %most = constant <i32: 16> : tile<i32>
    %fits = cmpi less_than_or_equal %n, %most, signed : tile<i32> -> tile<i1>
    assert %fits, "the row has more than 16 elements" : tile<i1>
    %view = make_tensor_view %in, shape = [%n], strides = [1] : tile<i32> -> !vector
    %tiles = make_partition_view %view : !long
    %v, %t0 = load_view_tko weak %tiles[%first] : !long, tile<i32> -> tile<16xi32>, token
    %sum = reduce %v dim=0 identities=[0 : i32] : tile<16xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %s = addi %a, %b : tile<i32>
      yield %s : tile<i32>
    }
    %t1 = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
  }
}
