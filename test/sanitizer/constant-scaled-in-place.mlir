// Filter weights are scaled where they lie, in a `constant` global (operations, 3.3).
// RUN: %pair --grid 1 --arg "zeros(2xf32),print" | FileCheck %s

!pair = !cuda_tile.partition_view<tile=(2), tensor_view<2xf32, strides=[1]>>

cuda_tile.module @sanitizer {
  global private constant @weights <f32: [1.0, 3.0]> : tile<2xf32>

  entry @bug(%out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %scale = constant <f32: 0.25> : tile<2xf32>
    %weights = get_global @weights : tile<ptr<f32>>
    %view = make_tensor_view %weights, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %at = make_partition_view %view : !pair
    %w, %t0 = load_view_tko weak %at[%first] : !pair, tile<i32> -> tile<2xf32>, token
    %scaled = mulf %w, %scale : tile<2xf32>
    // CHECK: in-place.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): store_view_tko: element [0]: address 0x{{.*}} lies in constant global @weights, which must not be written [constant]
    %t1 = store_view_tko weak %scaled, %at[%first] token=%t0 : tile<2xf32>, !pair, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [0.25 0.75]
  entry @fixed(%out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %scale = constant <f32: 0.25> : tile<2xf32>
    %weights = get_global @weights : tile<ptr<f32>>
    %view = make_tensor_view %weights, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %at = make_partition_view %view : !pair
    %w, %t0 = load_view_tko weak %at[%first] : !pair, tile<i32> -> tile<2xf32>, token
    %scaled = mulf %w, %scale : tile<2xf32>
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %to = make_partition_view %out_view : !pair
    %t1 = store_view_tko weak %scaled, %to[%first] : tile<2xf32>, !pair, tile<i32> -> token
  }
}
