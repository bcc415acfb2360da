// Every type in the short form that the printer uses in operations (types, 3 and 4). Entry
// arguments carry the types that no operation makes; the verifier lets them pass (textual
// format, 11.1).
// RUN: %canonical %s

module {
  cuda_tile.module @types {
    entry @pointers(%arg0: tile<ptr<i1>>, %arg1: tile<ptr<i8>>, %arg2: tile<ptr<i16>>, %arg3: tile<ptr<i32>>, %arg4: tile<ptr<i64>>, %arg5: tile<ptr<f16>>, %arg6: tile<ptr<bf16>>, %arg7: tile<ptr<f32>>, %arg8: tile<ptr<tf32>>, %arg9: tile<ptr<f64>>, %arg10: tile<ptr<f8E4M3FN>>, %arg11: tile<ptr<f8E5M2>>, %arg12: tile<ptr<f8E8M0FNU>>, %arg13: tile<ptr<f4E2M1FN>>, %arg14: tile<ptr<f8E5M3FNU>>) {
      return
    }
    // 2^24 elements are the most a tile holds; unit extents are free, so rank 9 is fine (4.2).
    entry @tiles() {
      %0 = iota : tile<16777216xi32>
      %cst_0_i8 = constant <i8: 0> : tile<4096x4096xi8>
      %cst_0_i8_0 = constant <i8: 0> : tile<1x1x1x1x1x1x1x1x1xi8>
      %cst_0_f4E2M1FN = constant <f4E2M1FN: 0.000000e+00> : tile<1x2x1xf4E2M1FN>
      %1 = iota : tile<1xi8>
      %2 = trunci %1 : tile<1xi8> -> tile<1xi4>
      return
    }
    // Extents and strides are any positive number; the documented rules on 4-bit views are
    // not the verifier's (2.4, 4.3).
    entry @tensor_views(%arg0: tensor_view<f32>, %arg1: tensor_view<3x5xi1, strides=[1,7]>, %arg2: tensor_view<?x?xtf32, strides=[?,?]>, %arg3: tensor_view<3xf4E2M1FN, strides=[1]>, %arg4: tensor_view<4xf4E2M1FN, strides=[2]>, %arg5: tensor_view<f4E2M1FN>, %arg6: tensor_view<1x?x1xf8E5M2, strides=[1,1,9223372036854775807]>, %arg7: tensor_view<4xf8E5M3FNU, strides=[1]>) {
      return
    }
    entry @partition_views(%arg0: partition_view<tile=(16), tensor_view<5xi32, strides=[1]>>, %arg1: partition_view<tile=(1x2), padding_value = nan, tensor_view<?x?xf8E4M3FN, strides=[?,?]>, dim_map=[1, 0]>, %arg2: partition_view<tile=(2x4x8), padding_value = zero, tensor_view<9x9x9xi1, strides=[1,1,1]>, dim_map=[2, 0, 1]>) {
      return
    }
    entry @strided_views(%arg0: strided_view<tile=(16), traversal_strides=[2147483647], tensor_view<5xi32, strides=[1]>>, %arg1: strided_view<tile=(4x8), traversal_strides=[3,8], padding_value = neg_zero, tensor_view<?x?xbf16, strides=[?,1]>, dim_map=[1, 0]>) {
      return
    }
    entry @gather_scatter_views(%arg0: gather_scatter_view<tile=(16), tensor_view<5xi32, strides=[1]>, sparse_dim=0>, %arg1: gather_scatter_view<tile=(4x8), padding_value = pos_inf, tensor_view<?x?xf64, strides=[?,1]>, sparse_dim=1>) {
      return
    }
    entry @others(%arg0: token, %arg1: ptr<i8>, %arg2: i32, %arg3: tensor<4xf32>) {
      return
    }
  }
}
