// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of f16 matrices, in steps of 16 along k.
cuda_tile.module @m {
  entry @products(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %o: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %pav = make_tensor_view %a, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %pa = make_partition_view %pav : partition_view<tile=(64x16), tensor_view<64x64xf16, strides=[64,1]>>
    %pbv = make_tensor_view %b, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf16, strides=[64,1]>
    %pb = make_partition_view %pbv : partition_view<tile=(16x64), tensor_view<64x64xf16, strides=[64,1]>>
    %pov = make_tensor_view %o, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %po = make_partition_view %pov : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %sum = for %i in (%zero to %four, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<64x64xf32>) {
      %ta, %k0 = load_view_tko weak %pa[%zero, %i] : partition_view<tile=(64x16), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x16xf16>, token
      %tb, %k1 = load_view_tko weak %pb[%i, %zero] : partition_view<tile=(16x64), tensor_view<64x64xf16, strides=[64,1]>>, tile<i32> -> tile<16x64xf16>, token
      %next = mmaf %ta, %tb, %acc : tile<64x16xf16>, tile<16x64xf16>, tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %k2 = store_view_tko weak %sum, %po[%zero, %zero] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
  }
}
