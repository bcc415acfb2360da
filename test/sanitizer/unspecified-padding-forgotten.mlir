// The sum of six elements in tiles of four. Outside of the tensor the view has no padding value,
// so that the second tile ends with elements that are anything.
// RUN: %pair --status=0 --grid 1 --arg "f32[1, 2, 3, 4, 5, 6]" --arg "zeros(1xf32),print" | FileCheck %s

!bare = !cuda_tile.partition_view<tile=(4), tensor_view<6xf32, strides=[1]>>
!padded = !cuda_tile.partition_view<tile=(4), padding_value = zero, tensor_view<6xf32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %second = constant <i32: 1> : tile<i32>
    %view = make_tensor_view %in, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>
    %tiles = make_partition_view %view : !bare
    %a, %t0 = load_view_tko weak %tiles[%first] : !bare, tile<i32> -> tile<4xf32>, token
    %b, %t1 = load_view_tko weak %tiles[%second] : !bare, tile<i32> -> tile<4xf32>, token
    %both = addf %a, %b : tile<4xf32>
    %sum = reduce %both dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      %s = addf %x, %y : tile<f32>
      yield %s : tile<f32>
    }
    // CHECK: forgotten.mlir:[[#@LINE+2]]:{{.*}} warning: block (0, 0, 0): store_ptr_tko: an unspecified value is stored to parameter 2 (1xf32) [unspecified]
    // CHECK-NEXT: forgotten.mlir:[[#@LINE-7]]:{{.*}} note: unspecified from here: load_view_tko: element [2]: outside of the tensor, at 6 of 6 along dimension 0, and the view has no padding value
    %t2 = store_ptr_tko weak %out, %sum : tile<ptr<f32>>, tile<f32> -> token
  }

  // CHECK: fixed:
  // CHECK: [21]
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %second = constant <i32: 1> : tile<i32>
    %view = make_tensor_view %in, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>
    %tiles = make_partition_view %view : !padded
    %a, %t0 = load_view_tko weak %tiles[%first] : !padded, tile<i32> -> tile<4xf32>, token
    %b, %t1 = load_view_tko weak %tiles[%second] : !padded, tile<i32> -> tile<4xf32>, token
    %both = addf %a, %b : tile<4xf32>
    %sum = reduce %both dim=0 identities=[0.0 : f32] : tile<4xf32> -> tile<f32> (%x: tile<f32>, %y: tile<f32>) {
      %s = addf %x, %y : tile<f32>
      yield %s : tile<f32>
    }
    %t2 = store_ptr_tko weak %out, %sum : tile<ptr<f32>>, tile<f32> -> token
  }
}
