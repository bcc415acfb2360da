// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of signed bytes.
cuda_tile.module @m {
  entry @bytes(%a: tile<ptr<i8>>, %b: tile<ptr<i8>>, %o: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <i32: 0> : tile<32x32xi32>
    %pav = make_tensor_view %a, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xi8, strides=[64,1]>
    %pa = make_partition_view %pav : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64,1]>>
    %pbv = make_tensor_view %b, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xi8, strides=[32,1]>
    %pb = make_partition_view %pbv : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32,1]>>
    %pov = make_tensor_view %o, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xi32, strides=[32,1]>
    %po = make_partition_view %pov : partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32,1]>>
    %ta, %k0 = load_view_tko weak %pa[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xi8, strides=[64,1]>>, tile<i32> -> tile<32x64xi8>, token
    %tb, %k1 = load_view_tko weak %pb[%zero, %zero] : partition_view<tile=(64x32), tensor_view<64x32xi8, strides=[32,1]>>, tile<i32> -> tile<64x32xi8>, token
    %less = constant <i8: 64> : tile<32x64xi8>
    %lhs = subi %ta, %less : tile<32x64xi8>
    %sum = mmai %lhs, %tb, %none signed signed : tile<32x64xi8>, tile<64x32xi8>, tile<32x32xi32>
    %k2 = store_view_tko weak %sum, %po[%zero, %zero] : tile<32x32xi32>, partition_view<tile=(32x32), tensor_view<32x32xi32, strides=[32,1]>>, tile<i32> -> token
  }
}
