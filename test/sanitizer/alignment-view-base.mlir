// Two arrays in one buffer, the second right behind the first: three halves, then floats. The
// corrected kernel rounds the beginning up, as the one who filled the buffer did.
// RUN: %pair --grid 1 --arg "f16[1, 2, 3, 0, 0, 1, 0, 2]" --arg "zeros(2xf32),print" | FileCheck %s

!floats = !cuda_tile.partition_view<tile=(2), tensor_view<2xf32, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%buffer: tile<ptr<f16>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %halves = constant <i32: 3> : tile<i32>
    %end = offset %buffer, %halves : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %second = ptr_to_ptr %end : tile<ptr<f16>> -> tile<ptr<f32>>
    %in_view = make_tensor_view %second, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %in = make_partition_view %in_view : !floats
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %to = make_partition_view %out_view : !floats
    // CHECK: view-base.mlir:[[#@LINE+1]]:{{.*}} error: block (0, 0, 0): load_view_tko: element [0]: address 0x{{.*}}6 is not a multiple of 4, the size of f32 [alignment]
    %v, %t0 = load_view_tko weak %in[%first] : !floats, tile<i32> -> tile<2xf32>, token
    %t1 = store_view_tko weak %v, %to[%first] : tile<2xf32>, !floats, tile<i32> -> token
  }

  // The floats have the bits 0x3C000000 = 2^-7 and 0x40000000 = 2: an f16 of 1 or 2 above one of 0.
  // CHECK: fixed:
  // CHECK: [0.0078125         2]
  entry @fixed(%buffer: tile<ptr<f16>>, %out: tile<ptr<f32>>) {
    %first = constant <i32: 0> : tile<i32>
    %halves = constant <i32: 4> : tile<i32>
    %end = offset %buffer, %halves : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %second = ptr_to_ptr %end : tile<ptr<f16>> -> tile<ptr<f32>>
    %in_view = make_tensor_view %second, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %in = make_partition_view %in_view : !floats
    %out_view = make_tensor_view %out, shape = [2], strides = [1] : tensor_view<2xf32, strides=[1]>
    %to = make_partition_view %out_view : !floats
    %v, %t0 = load_view_tko weak %in[%first] : !floats, tile<i32> -> tile<2xf32>, token
    %t1 = store_view_tko weak %v, %to[%first] : tile<2xf32>, !floats, tile<i32> -> token
  }
}
