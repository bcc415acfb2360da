// Arrays are aligned to 16 bytes, and the kernel assumes the same of a slice that begins at element 1.
// RUN: %pair --grid 1 --arg "f32[1, 2, 3, 4]" --arg "zeros(2xf32),print" | FileCheck %s

!two = !cuda_tile.partition_view<tile=(2), tensor_view<2xf32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %slice = offset %in, %one : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    // CHECK: div-by-base.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): assume: the assumption is false: 0x{{.*}}4 is not divisible by 16 [assumption]
    %aligned = assume div_by<16>, %slice : tile<ptr<f32>>
    %in_view = make_tensor_view %aligned, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %from = make_partition_view %in_view : !two
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %to = make_partition_view %out_view : !two
    %v, %t0 = load_view_tko weak %from[%zero] : !two, tile<i32> -> tile<2xf32>, token
    %t1 = store_view_tko weak %v, %to[%zero] : tile<2xf32>, !two, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [2 3]
  entry @fixed(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %array = assume div_by<16>, %in : tile<ptr<f32>>
    %slice = offset %array, %one : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %aligned = assume div_by<4>, %slice : tile<ptr<f32>>
    %in_view = make_tensor_view %aligned, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %from = make_partition_view %in_view : !two
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %to = make_partition_view %out_view : !two
    %v, %t0 = load_view_tko weak %from[%zero] : !two, tile<i32> -> tile<2xf32>, token
    %t1 = store_view_tko weak %v, %to[%zero] : tile<2xf32>, !two, tile<i32> -> token
  }
}
