// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and functions of floats of both signs. One element in four is a NaN for the comparison.
cuda_tile.module @m {
  entry @floats(%a_p: tile<ptr<f32>>, %b_p: tile<ptr<f32>>, %o0_p: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a_p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %a_t = make_partition_view %a_v : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>
    %a, %a_k = load_view_tko weak %a_t[%x] : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %b_v = make_tensor_view %b_p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %b_t = make_partition_view %b_v : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>
    %b, %b_k = load_view_tko weak %b_t[%x] : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %half = constant <f32: 0.5> : tile<64xf32>
    %c = subf %a, %half : tile<64xf32>
    %zero = constant <f32: 0.0> : tile<64xf32>
    %small = constant <f32: 0.25> : tile<64xf32>
    %some = cmpf less_than ordered %b, %small : tile<64xf32> -> tile<64xi1>
    %nan = divf %zero, %zero : tile<64xf32>
    %maybe = select %some, %nan, %c : tile<64xi1>, tile<64xf32>
    %h = ftof %c : tile<64xf32> -> tile<64xf16>
    %habs = absf %h : tile<64xf16>
    %hneg = negf %habs : tile<64xf16>
    %up = ceil %c : tile<64xf32>
    %fused = fma %a, %b, %c : tile<64xf32>
    %below = subf %a, %b rounding<negative_inf> : tile<64xf32>
    %e = exp %c : tile<64xf32>
    %l = log %b : tile<64xf32>
    %t = tanh %c : tile<64xf32>
    %unordered = cmpf less_than unordered %maybe, %zero : tile<64xf32> -> tile<64xi1>
    %top = maxf %c, %below : tile<64xf32>
    %wide = ftof %hneg : tile<64xf16> -> tile<64xf32>
    %s0 = addf %wide, %up : tile<64xf32>
    %s1 = addf %fused, %below : tile<64xf32>
    %s2 = addf %e, %l : tile<64xf32>
    %s3 = addf %t, %top : tile<64xf32>
    %s4 = addf %s0, %s1 : tile<64xf32>
    %s5 = addf %s2, %s3 : tile<64xf32>
    %s6 = addf %s4, %s5 : tile<64xf32>
    %pick = select %unordered, %s6, %s4 : tile<64xi1>, tile<64xf32>
    %o0_v = make_tensor_view %o0_p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %o0_t = make_partition_view %o0_v : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>
    %o0_k = store_view_tko weak %pick, %o0_t[%x] : tile<64xf32>, partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>, tile<i32> -> token
  }
}
