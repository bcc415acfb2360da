// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between formats.
cuda_tile.module @m {
  entry @conversions(%a_p: tile<ptr<i32>>, %f_p: tile<ptr<f32>>, %o0_p: tile<ptr<i32>>, %o1_p: tile<ptr<f32>>) {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %a_v = make_tensor_view %a_p, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %a_t = make_partition_view %a_v : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %a, %a_k = load_view_tko weak %a_t[%x] : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %f_v = make_tensor_view %f_p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %f_t = make_partition_view %f_v : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>
    %f, %f_k = load_view_tko weak %f_t[%x] : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %b8 = trunci %a : tile<64xi32> -> tile<64xi8>
    %wide = exti %b8 signed : tile<64xi8> -> tile<64xi32>
    %big = constant <f32: 1.0e4> : tile<64xf32>
    %half = constant <f32: 0.5> : tile<64xf32>
    %centred = subf %f, %half : tile<64xf32>
    %far = mulf %centred, %big : tile<64xf32>
    %clamped = ftoi %far signed saturating : tile<64xf32> -> tile<64xi8>
    %back = exti %clamped signed : tile<64xi8> -> tile<64xi32>
    %up = ftoi %far signed : tile<64xf32> -> tile<64xi32>
    %float = itof %wide signed : tile<64xi32> -> tile<64xf32>
    %narrow = ftof %centred : tile<64xf32> -> tile<64xf8E4M3FN>
    %again = ftof %narrow : tile<64xf8E4M3FN> -> tile<64xf32>
    %s0 = addi %wide, %back : tile<64xi32>
    %s1 = addi %s0, %up : tile<64xi32>
    %s2 = addf %float, %again : tile<64xf32>
    %o0_v = make_tensor_view %o0_p, shape = [128], strides = [1] : tensor_view<128xi32, strides=[1]>
    %o0_t = make_partition_view %o0_v : partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>
    %o0_k = store_view_tko weak %s1, %o0_t[%x] : tile<64xi32>, partition_view<tile=(64), tensor_view<128xi32, strides=[1]>>, tile<i32> -> token
    %o1_v = make_tensor_view %o1_p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %o1_t = make_partition_view %o1_v : partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>
    %o1_k = store_view_tko weak %s2, %o1_t[%x] : tile<64xf32>, partition_view<tile=(64), tensor_view<128xf32, strides=[1]>>, tile<i32> -> token
  }
}
