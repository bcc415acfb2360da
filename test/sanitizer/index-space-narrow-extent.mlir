// The extent of a vector as a byte: it had fewer than 256 elements so far (operations, 8.4).
// RUN: %pair --grid 1 --arg "zeros(300xi32)" --arg 300 --arg "zeros(1xi32),print" | FileCheck %s

!vector = !cuda_tile.tensor_view<?xi32, strides=[1]>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %view = make_tensor_view %in, shape = [%n], strides = [1] : tile<i32> -> !vector
    // CHECK: narrow-extent.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): get_tensor_shape: extent 300 of dimension 0 does not fit i8 [index-space]
    %byte = get_tensor_shape %view : !vector -> tile<i8>
    %extent = exti %byte unsigned : tile<i8> -> tile<i32>
    %t = store_ptr_tko weak %out, %extent : tile<ptr<i32>>, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [300]
  entry @fixed(%in: tile<ptr<i32>>, %n: tile<i32>, %out: tile<ptr<i32>>) {
    %view = make_tensor_view %in, shape = [%n], strides = [1] : tile<i32> -> !vector
    %extent = get_tensor_shape %view : !vector -> tile<i32>
    %t = store_ptr_tko weak %out, %extent : tile<ptr<i32>>, tile<i32> -> token
  }
}
