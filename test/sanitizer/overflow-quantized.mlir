// Rounded values are narrowed to bytes with the promise that they fit; one does not, since nobody
// clamped it.
// RUN: %pair --grid 1 --arg "i32[100, -128, 130, 5]" --arg "zeros(4xi8),print" | FileCheck %s

!words = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!bytes = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>

cuda_tile.module @sanitizer {
  entry @bug(%in: tile<ptr<i32>>, %out: tile<ptr<i8>>) {
    %first = constant <i32: 0> : tile<i32>
    %in_view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %from = make_partition_view %in_view : !words
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi8, strides=[1]>
    %to = make_partition_view %out_view : !bytes
    %v, %t0 = load_view_tko weak %from[%first] : !words, tile<i32> -> tile<4xi32>, token
    // CHECK: quantized.mlir:[[#@LINE+2]]:{{.*}} error: block (0, 0, 0): trunci: element [2]: 130 violates the assumption 'no_signed_wrap' [overflow]
    // CHECK-NEXT: quantized.mlir:[[#@LINE+2]]:{{.*}} note: used here: store_view_tko: element [2]: an undefined value is stored to parameter 2 (4xi8)
    %narrow = trunci %v overflow<no_signed_wrap> : tile<4xi32> -> tile<4xi8>
    %t1 = store_view_tko weak %narrow, %to[%first] : tile<4xi8>, !bytes, tile<i32> -> token
  }

  // CHECK: fixed:
  // CHECK: [ 100 -128  127    5]
  entry @fixed(%in: tile<ptr<i32>>, %out: tile<ptr<i8>>) {
    %first = constant <i32: 0> : tile<i32>
    %least = constant <i32: -128> : tile<4xi32>
    %most = constant <i32: 127> : tile<4xi32>
    %in_view = make_tensor_view %in, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %from = make_partition_view %in_view : !words
    %out_view = make_tensor_view %out, shape = [4], strides = [1] : tensor_view<4xi8, strides=[1]>
    %to = make_partition_view %out_view : !bytes
    %v, %t0 = load_view_tko weak %from[%first] : !words, tile<i32> -> tile<4xi32>, token
    %low = maxi %v, %least signed : tile<4xi32>
    %clamped = mini %low, %most signed : tile<4xi32>
    %narrow = trunci %clamped overflow<no_signed_wrap> : tile<4xi32> -> tile<4xi8>
    %t1 = store_view_tko weak %narrow, %to[%first] : tile<4xi8>, !bytes, tile<i32> -> token
  }
}
