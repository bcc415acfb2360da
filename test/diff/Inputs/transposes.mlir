// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transposed matrix, and one with its halves exchanged.
cuda_tile.module @m {
  entry @transposes(%a: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %pav = make_tensor_view %a, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %pa = make_partition_view %pav : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %pov = make_tensor_view %o, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf32, strides=[32,1]>
    %po = make_partition_view %pov : partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>
    %t, %k0 = load_view_tko weak %pa[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> tile<32x64xf32>, token
    %e = absf %t : tile<32x64xf32>
    %turned = permute %e [1, 0] : tile<32x64xf32> -> tile<64x32xf32>
    %first = extract %turned[%zero, %zero] : tile<64x32xf32> -> tile<32x32xf32>
    %second = extract %turned[%one, %zero] : tile<64x32xf32> -> tile<32x32xf32>
    %swapped = cat %second, %first dim = 0 : tile<32x32xf32>, tile<32x32xf32> -> tile<64x32xf32>
    %k1 = store_view_tko weak %swapped, %po[%zero, %zero] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<64x32xf32, strides=[32,1]>>, tile<i32> -> token
  }
}
