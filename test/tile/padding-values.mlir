// A padding value that the format of the view lacks is unspecified (types, 6). The verifier warns at
// the view if the kernel loads from it.
// RUN: tilewright-opt %s --verify-diagnostics

cuda_tile.module @m {
  entry @f8e4m3fn(%p: tile<ptr<f8E4M3FN>>) {
    %0 = constant <i32: 0> : tile<i32>
    %rows = iota : tile<4xi32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf8E4M3FN, strides=[1]>
    // expected-warning @+1 {{padding_value pos_inf is unspecified, because f8E4M3FN has no Inf}}
    %bad0 = make_partition_view %v : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E4M3FN, strides=[1]>>
    %l_bad0, %t_bad0 = load_view_tko weak %bad0[%0] : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<4xf8E4M3FN>, token
    // expected-warning @+1 {{padding_value neg_inf is unspecified, because f8E4M3FN has no Inf}}
    %bad1 = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E4M3FN, strides=[1]>>
    %l_bad1, %t_bad1 = load_view_tko weak %bad1[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<4xf8E4M3FN>, token
    %good_zero = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E4M3FN, strides=[1]>>
    %l_good_zero, %t_good_zero = load_view_tko weak %good_zero[%0] : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<4xf8E4M3FN>, token
    %good_neg_zero = make_partition_view %v : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E4M3FN, strides=[1]>>
    %l_good_neg_zero, %t_good_neg_zero = load_view_tko weak %good_neg_zero[%0] : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<4xf8E4M3FN>, token
    %good_nan = make_partition_view %v : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E4M3FN, strides=[1]>>
    %l_good_nan, %t_good_nan = load_view_tko weak %good_nan[%0] : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<4xf8E4M3FN>, token
    // expected-warning @+1 {{padding_value pos_inf is unspecified, because f8E4M3FN has no Inf}}
    %strided = make_strided_view %v : strided_view<tile=(4), traversal_strides=[3], padding_value = pos_inf, tensor_view<6xf8E4M3FN, strides=[1]>>
    %l_strided, %t_strided = load_view_tko weak %strided[%0] : strided_view<tile=(4), traversal_strides=[3], padding_value = pos_inf, tensor_view<6xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<4xf8E4M3FN>, token
    // expected-warning @+1 {{padding_value pos_inf is unspecified, because f8E4M3FN has no Inf}}
    %gathered = make_gather_scatter_view %v : gather_scatter_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E4M3FN, strides=[1]>, sparse_dim=0>
    %l_gathered, %t_gathered = load_view_tko weak %gathered[%rows] : gather_scatter_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E4M3FN, strides=[1]>, sparse_dim=0>, tile<4xi32> -> tile<4xf8E4M3FN>, token
  }
  // Stores leave out what lies outside.
  entry @stored(%p: tile<ptr<f8E4M3FN>>, %y: tile<f8E4M3FN>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf8E4M3FN, strides=[1]>
    %tiles = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E4M3FN, strides=[1]>>
    %y1 = reshape %y : tile<f8E4M3FN> -> tile<1xf8E4M3FN>
    %x = broadcast %y1 : tile<1xf8E4M3FN> -> tile<4xf8E4M3FN>
    %t = store_view_tko weak %x, %tiles[%0] : tile<4xf8E4M3FN>, partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E4M3FN, strides=[1]>>, tile<i32> -> token
  }
  entry @f8e8m0fnu(%p: tile<ptr<f8E8M0FNU>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf8E8M0FNU, strides=[1]>
    // expected-warning @+1 {{padding_value neg_zero is unspecified, because f8E8M0FNU has no -0}}
    %bad0 = make_partition_view %v : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E8M0FNU, strides=[1]>>
    %l_bad0, %t_bad0 = load_view_tko weak %bad0[%0] : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<4xf8E8M0FNU>, token
    // expected-warning @+1 {{padding_value pos_inf is unspecified, because f8E8M0FNU has no Inf}}
    %bad1 = make_partition_view %v : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E8M0FNU, strides=[1]>>
    %l_bad1, %t_bad1 = load_view_tko weak %bad1[%0] : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<4xf8E8M0FNU>, token
    // expected-warning @+1 {{padding_value neg_inf is unspecified, because f8E8M0FNU has no -Inf}}
    %bad2 = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E8M0FNU, strides=[1]>>
    %l_bad2, %t_bad2 = load_view_tko weak %bad2[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<4xf8E8M0FNU>, token
    %good_zero = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E8M0FNU, strides=[1]>>
    %l_good_zero, %t_good_zero = load_view_tko weak %good_zero[%0] : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<4xf8E8M0FNU>, token
    %good_nan = make_partition_view %v : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E8M0FNU, strides=[1]>>
    %l_good_nan, %t_good_nan = load_view_tko weak %good_nan[%0] : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<4xf8E8M0FNU>, token
  }
  entry @f4e2m1fn(%p: tile<ptr<f4E2M1FN>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf4E2M1FN, strides=[1]>
    // expected-warning @+1 {{padding_value nan is unspecified, because f4E2M1FN has no NaN}}
    %bad0 = make_partition_view %v : partition_view<tile=(4), padding_value = nan, tensor_view<6xf4E2M1FN, strides=[1]>>
    %l_bad0, %t_bad0 = load_view_tko weak %bad0[%0] : partition_view<tile=(4), padding_value = nan, tensor_view<6xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token
    // expected-warning @+1 {{padding_value pos_inf is unspecified, because f4E2M1FN has no Inf}}
    %bad1 = make_partition_view %v : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf4E2M1FN, strides=[1]>>
    %l_bad1, %t_bad1 = load_view_tko weak %bad1[%0] : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token
    // expected-warning @+1 {{padding_value neg_inf is unspecified, because f4E2M1FN has no Inf}}
    %bad2 = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf4E2M1FN, strides=[1]>>
    %l_bad2, %t_bad2 = load_view_tko weak %bad2[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token
    %good_zero = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<6xf4E2M1FN, strides=[1]>>
    %l_good_zero, %t_good_zero = load_view_tko weak %good_zero[%0] : partition_view<tile=(4), padding_value = zero, tensor_view<6xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token
    %good_neg_zero = make_partition_view %v : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf4E2M1FN, strides=[1]>>
    %l_good_neg_zero, %t_good_neg_zero = load_view_tko weak %good_neg_zero[%0] : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<4xf4E2M1FN>, token
  }
  entry @f8e5m3fnu(%p: tile<ptr<f8E5M3FNU>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf8E5M3FNU, strides=[1]>
    // expected-warning @+1 {{padding_value neg_zero is unspecified, because f8E5M3FNU has no -0}}
    %bad0 = make_partition_view %v : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E5M3FNU, strides=[1]>>
    %l_bad0, %t_bad0 = load_view_tko weak %bad0[%0] : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E5M3FNU, strides=[1]>>, tile<i32> -> tile<4xf8E5M3FNU>, token
    // expected-warning @+1 {{padding_value pos_inf is unspecified, because f8E5M3FNU has no Inf}}
    %bad1 = make_partition_view %v : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E5M3FNU, strides=[1]>>
    %l_bad1, %t_bad1 = load_view_tko weak %bad1[%0] : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E5M3FNU, strides=[1]>>, tile<i32> -> tile<4xf8E5M3FNU>, token
    // expected-warning @+1 {{padding_value neg_inf is unspecified, because f8E5M3FNU has no -Inf}}
    %bad2 = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E5M3FNU, strides=[1]>>
    %l_bad2, %t_bad2 = load_view_tko weak %bad2[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E5M3FNU, strides=[1]>>, tile<i32> -> tile<4xf8E5M3FNU>, token
    %good_zero = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E5M3FNU, strides=[1]>>
    %l_good_zero, %t_good_zero = load_view_tko weak %good_zero[%0] : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E5M3FNU, strides=[1]>>, tile<i32> -> tile<4xf8E5M3FNU>, token
    %good_nan = make_partition_view %v : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E5M3FNU, strides=[1]>>
    %l_good_nan, %t_good_nan = load_view_tko weak %good_nan[%0] : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E5M3FNU, strides=[1]>>, tile<i32> -> tile<4xf8E5M3FNU>, token
  }
  entry @f8e5m2(%p: tile<ptr<f8E5M2>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf8E5M2, strides=[1]>
    %good_zero = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E5M2, strides=[1]>>
    %l_good_zero, %t_good_zero = load_view_tko weak %good_zero[%0] : partition_view<tile=(4), padding_value = zero, tensor_view<6xf8E5M2, strides=[1]>>, tile<i32> -> tile<4xf8E5M2>, token
    %good_neg_zero = make_partition_view %v : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E5M2, strides=[1]>>
    %l_good_neg_zero, %t_good_neg_zero = load_view_tko weak %good_neg_zero[%0] : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf8E5M2, strides=[1]>>, tile<i32> -> tile<4xf8E5M2>, token
    %good_nan = make_partition_view %v : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E5M2, strides=[1]>>
    %l_good_nan, %t_good_nan = load_view_tko weak %good_nan[%0] : partition_view<tile=(4), padding_value = nan, tensor_view<6xf8E5M2, strides=[1]>>, tile<i32> -> tile<4xf8E5M2>, token
    %good_pos_inf = make_partition_view %v : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E5M2, strides=[1]>>
    %l_good_pos_inf, %t_good_pos_inf = load_view_tko weak %good_pos_inf[%0] : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf8E5M2, strides=[1]>>, tile<i32> -> tile<4xf8E5M2>, token
    %good_neg_inf = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E5M2, strides=[1]>>
    %l_good_neg_inf, %t_good_neg_inf = load_view_tko weak %good_neg_inf[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf8E5M2, strides=[1]>>, tile<i32> -> tile<4xf8E5M2>, token
  }
  entry @f16(%p: tile<ptr<f16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf16, strides=[1]>
    %good_zero = make_partition_view %v : partition_view<tile=(4), padding_value = zero, tensor_view<6xf16, strides=[1]>>
    %l_good_zero, %t_good_zero = load_view_tko weak %good_zero[%0] : partition_view<tile=(4), padding_value = zero, tensor_view<6xf16, strides=[1]>>, tile<i32> -> tile<4xf16>, token
    %good_neg_zero = make_partition_view %v : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf16, strides=[1]>>
    %l_good_neg_zero, %t_good_neg_zero = load_view_tko weak %good_neg_zero[%0] : partition_view<tile=(4), padding_value = neg_zero, tensor_view<6xf16, strides=[1]>>, tile<i32> -> tile<4xf16>, token
    %good_nan = make_partition_view %v : partition_view<tile=(4), padding_value = nan, tensor_view<6xf16, strides=[1]>>
    %l_good_nan, %t_good_nan = load_view_tko weak %good_nan[%0] : partition_view<tile=(4), padding_value = nan, tensor_view<6xf16, strides=[1]>>, tile<i32> -> tile<4xf16>, token
    %good_pos_inf = make_partition_view %v : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf16, strides=[1]>>
    %l_good_pos_inf, %t_good_pos_inf = load_view_tko weak %good_pos_inf[%0] : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xf16, strides=[1]>>, tile<i32> -> tile<4xf16>, token
    %good_neg_inf = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf16, strides=[1]>>
    %l_good_neg_inf, %t_good_neg_inf = load_view_tko weak %good_neg_inf[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf16, strides=[1]>>, tile<i32> -> tile<4xf16>, token
  }
  entry @bf16(%p: tile<ptr<bf16>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xbf16, strides=[1]>
    %good_pos_inf = make_partition_view %v : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xbf16, strides=[1]>>
    %l_good_pos_inf, %t_good_pos_inf = load_view_tko weak %good_pos_inf[%0] : partition_view<tile=(4), padding_value = pos_inf, tensor_view<6xbf16, strides=[1]>>, tile<i32> -> tile<4xbf16>, token
  }
  entry @tf32(%p: tile<ptr<tf32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xtf32, strides=[1]>
    %good_neg_inf = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xtf32, strides=[1]>>
    %l_good_neg_inf, %t_good_neg_inf = load_view_tko weak %good_neg_inf[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xtf32, strides=[1]>>, tile<i32> -> tile<4xtf32>, token
  }
  entry @f32(%p: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf32, strides=[1]>
    %good_neg_inf = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf32, strides=[1]>>
    %l_good_neg_inf, %t_good_neg_inf = load_view_tko weak %good_neg_inf[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  }
  entry @f64(%p: tile<ptr<f64>>) {
    %0 = constant <i32: 0> : tile<i32>
    %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xf64, strides=[1]>
    %good_neg_inf = make_partition_view %v : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf64, strides=[1]>>
    %l_good_neg_inf, %t_good_neg_inf = load_view_tko weak %good_neg_inf[%0] : partition_view<tile=(4), padding_value = neg_inf, tensor_view<6xf64, strides=[1]>>, tile<i32> -> tile<4xf64>, token
  }
}
