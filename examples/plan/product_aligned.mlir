// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of product_f16.mlir for arrays that are known to be aligned: docs/plan.md shows that a producer
// warp copies operands.

!matrix = !cuda_tile.tensor_view<?x?xf16, strides=[?, 1]>
!tiles = !cuda_tile.partition_view<tile=(64x64), padding_value = zero, tensor_view<?x?xf16, strides=[?, 1]>>
cuda_tile.module @plan {
  entry @product(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c: tile<ptr<f16>>, %n0: tile<i32>, %steps: tile<i32>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %n = assume div_by<8>, %n0 : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<64x64xf32>
    %av = make_tensor_view %a, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %at = make_partition_view %av : !tiles
    %bv = make_tensor_view %b, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %bt = make_partition_view %bv : !tiles
    %cv = make_tensor_view %c, shape = [%n, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %ct = make_partition_view %cv : !tiles
    %i, %j, %z = get_tile_block_id : tile<i32>
    %sums = for %k in (%0 to %steps, step %1) : tile<i32> iter_values(%acc = %zeros) -> (tile<64x64xf32>) {
      %lhs, %t0 = load_view_tko weak %at[%i, %k] : !tiles, tile<i32> -> tile<64x64xf16>, token
      %rhs, %t1 = load_view_tko weak %bt[%k, %j] : !tiles, tile<i32> -> tile<64x64xf16>, token
      %next = mmaf %lhs, %rhs, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %rounded = ftof %sums : tile<64x64xf32> -> tile<64x64xf16>
    %t2 = store_view_tko weak %rounded, %ct[%i, %j] : tile<64x64xf16>, !tiles, tile<i32> -> token
  }
}
