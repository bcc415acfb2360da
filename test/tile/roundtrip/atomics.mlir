// Atomics on pointers and on views (operations (core), 9): every mode, ordering, scope and
// element type. Written as they print.
// RUN: %canonical %s

module {
  cuda_tile.module @atomics {
    entry @rmw_i32(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
      %result, %result_token = atomic_rmw_tko relaxed tl_blk %arg0, and, %arg1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %result_0, %result_token_1 = atomic_rmw_tko acquire device %arg0, or, %arg1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %result_2, %result_token_3 = atomic_rmw_tko release sys %arg0, xor, %arg1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %result_4, %result_token_5 = atomic_rmw_tko acq_rel device %arg0, add, %arg1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %result_6, %result_token_7 = atomic_rmw_tko relaxed device %arg0, max, %arg1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %result_8, %result_token_9 = atomic_rmw_tko relaxed device %arg0, min, %arg1 token=%result_token : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      return
    }
    entry @rmw_i64(%arg0: tile<ptr<i64>>, %arg1: tile<i64>, %arg2: tile<i1>) {
      %result, %result_token = atomic_rmw_tko relaxed sys %arg0, umax, %arg1, %arg2 : tile<ptr<i64>>, tile<i64>, tile<i1> -> tile<i64>, token
      %result_0, %result_token_1 = atomic_rmw_tko relaxed sys %arg0, umin, %arg1 {note} : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
      %result_2, %result_token_3 = atomic_rmw_tko relaxed sys %arg0, xchg, %arg1, %arg2 token=%result_token {note} : tile<ptr<i64>>, tile<i64>, tile<i1> -> tile<i64>, token
      return
    }
    entry @rmw_float(%arg0: tile<ptr<f16>>, %arg1: tile<f16>, %arg2: tile<ptr<bf16>>, %arg3: tile<bf16>, %arg4: tile<ptr<f32>>, %arg5: tile<f32>, %arg6: tile<ptr<f64>>, %arg7: tile<f64>) {
      %result, %result_token = atomic_rmw_tko relaxed device %arg0, addf, %arg1 : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
      %result_0, %result_token_1 = atomic_rmw_tko relaxed device %arg2, addf, %arg3 : tile<ptr<bf16>>, tile<bf16> -> tile<bf16>, token
      %result_2, %result_token_3 = atomic_rmw_tko relaxed device %arg4, addf, %arg5 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
      %result_4, %result_token_5 = atomic_rmw_tko relaxed device %arg6, addf, %arg7 : tile<ptr<f64>>, tile<f64> -> tile<f64>, token
      %result_6, %result_token_7 = atomic_rmw_tko relaxed device %arg4, xchg, %arg5 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
      %result_8, %result_token_9 = atomic_rmw_tko relaxed device %arg6, xchg, %arg7 : tile<ptr<f64>>, tile<f64> -> tile<f64>, token
      return
    }
    entry @rmw_shaped(%arg0: tile<ptr<i32>>) {
      %0 = iota : tile<16xi32>
      %reshape = reshape %arg0 : tile<ptr<i32>> -> tile<1xptr<i32>>
      %bcast = broadcast %reshape : tile<1xptr<i32>> -> tile<16xptr<i32>>
      %true = constant <i1: true> : tile<16xi1>
      %result, %result_token = atomic_rmw_tko relaxed device %bcast, add, %0, %true : tile<16xptr<i32>>, tile<16xi32>, tile<16xi1> -> tile<16xi32>, token
      return
    }
    entry @cas(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<i1>) {
      %result, %result_token = atomic_cas_tko relaxed tl_blk %arg0, %arg1, %arg1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %result_0, %result_token_1 = atomic_cas_tko acquire device %arg0, %arg1, %arg1, %arg2 : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
      %result_2, %result_token_3 = atomic_cas_tko release sys %arg0, %arg1, %arg1 token=%result_token : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %result_4, %result_token_5 = atomic_cas_tko acq_rel sys %arg0, %arg1, %arg1, %arg2 token=%result_token {note} : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
      return
    }
    entry @cas_types(%arg0: tile<ptr<i64>>, %arg1: tile<i64>, %arg2: tile<ptr<f32>>, %arg3: tile<f32>, %arg4: tile<ptr<f64>>, %arg5: tile<f64>) {
      %result, %result_token = atomic_cas_tko relaxed sys %arg0, %arg1, %arg1 : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
      %result_0, %result_token_1 = atomic_cas_tko relaxed sys %arg2, %arg3, %arg3 {note} : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
      %result_2, %result_token_3 = atomic_cas_tko relaxed sys %arg4, %arg5, %arg5 : tile<ptr<f64>>, tile<f64> -> tile<f64>, token
      return
    }
    // Unlike loads and stores, the index types may differ from each other (9.3).
    entry @red(%arg0: tile<ptr<i32>>, %arg1: tile<i32>, %arg2: tile<i8>) {
      %tview = make_tensor_view %arg0, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
      %pview = make_partition_view %tview : partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>
      %sview = make_strided_view %tview : strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<64x64xi32, strides=[64,1]>>
      %cst_1_i32 = constant <i32: 1> : tile<4x8xi32>
      %0 = atomic_red_view_tko relaxed device %pview[%arg1, %arg1], and, %cst_1_i32 : tile<4x8xi32>, partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
      %1 = atomic_red_view_tko relaxed tl_blk %pview[%arg1, %arg2], or, %cst_1_i32 token = %0 : tile<4x8xi32>, partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32>, tile<i8> -> token
      %2 = atomic_red_view_tko relaxed device %sview[%arg2, %arg2], xor, %cst_1_i32 : tile<4x8xi32>, strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<64x64xi32, strides=[64,1]>>, tile<i8> -> token
      %3 = atomic_red_view_tko relaxed device %pview[%arg1, %arg1], add, %cst_1_i32 attributes {note} : tile<4x8xi32>, partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
      %4 = atomic_red_view_tko relaxed device %pview[%arg1, %arg1], max, %cst_1_i32 token = %3 attributes {note} : tile<4x8xi32>, partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
      %5 = atomic_red_view_tko relaxed device %pview[%arg1, %arg1], min, %cst_1_i32 : tile<4x8xi32>, partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
      %6 = atomic_red_view_tko relaxed device %pview[%arg1, %arg1], umax, %cst_1_i32 : tile<4x8xi32>, partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
      %7 = atomic_red_view_tko relaxed device %pview[%arg1, %arg1], umin, %cst_1_i32 : tile<4x8xi32>, partition_view<tile=(4x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32> -> token
      return
    }
    entry @red_float(%arg0: tile<ptr<bf16>>, %arg1: tile<i64>) {
      %tview = make_tensor_view %arg0, shape = [64], strides = [1] : tensor_view<64xbf16, strides=[1]>
      %pview = make_partition_view %tview : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>
      %cst_1_bf16 = constant <bf16: 1.000000e+00> : tile<8xbf16>
      %0 = atomic_red_view_tko relaxed device %pview[%arg1], addf, %cst_1_bf16 : tile<8xbf16>, partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>, tile<i64> -> token
      return
    }
  }
}
