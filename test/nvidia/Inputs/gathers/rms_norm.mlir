// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuTile makes of `rms_norm` in bench/kernels/pointers.py, for arrays of f32 and tiles of 1024.

module {
  cuda_tile.module @kernels {
    entry @rms_norm(%arg0: tile<ptr<f32>>, %arg1: tile<i32>, %arg2: tile<i32>, %arg3: tile<i32>, %arg4: tile<i32>, %arg5: tile<ptr<f32>>, %arg6: tile<i32>, %arg7: tile<i32>, %arg8: tile<ptr<f32>>, %arg9: tile<i32>, %arg10: tile<i32>, %arg11: tile<i32>, %arg12: tile<i32>) optimization_hints=<default = {}> {
      %0 = make_token : token
      %assume = assume div_by<16>, %arg0 : tile<ptr<f32>>
      %assume_0 = assume div_by<16>, %arg2 : tile<i32>
      %assume_1 = assume div_by<4>, %arg3 : tile<i32>
      %assume_2 = assume div_by<16>, %arg5 : tile<ptr<f32>>
      %assume_3 = assume div_by<16>, %arg6 : tile<i32>
      %assume_4 = assume div_by<16>, %arg8 : tile<ptr<f32>>
      %assume_5 = assume div_by<16>, %arg10 : tile<i32>
      %assume_6 = assume div_by<4>, %arg11 : tile<i32>
      %cst_1_i64 = constant <i64: 1> : tile<1024xi64>
      %cst_2_i32 = constant <i32: 2> : tile<1024xi32>
      %cst_1_i64_7 = constant <i64: 1> : tile<1024xi64>
      %cst_1_i64_8 = constant <i64: 1> : tile<1024xi64>
      %assume_9 = assume bounded<0, ?>, %arg1 : tile<i32>
      %assume_assume = assume bounded<0, ?>, %assume_0 : tile<i32>
      %assume_assume_10 = assume bounded<0, ?>, %assume_1 : tile<i32>
      %assume_assume_11 = assume bounded<0, ?>, %assume_3 : tile<i32>
      %assume_12 = assume bounded<0, ?>, %arg9 : tile<i32>
      %assume_assume_13 = assume bounded<0, ?>, %assume_5 : tile<i32>
      %assume_assume_14 = assume bounded<0, ?>, %assume_6 : tile<i32>
      %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
      %1 = iota : tile<1024xi32>
      %2 = exti %blockId_x signed : tile<i32> -> tile<i64>
      %reshape = reshape %2 : tile<i64> -> tile<1xi64>
      %bcast = broadcast %reshape : tile<1xi64> -> tile<1024xi64>
      %3 = exti %assume_9 signed : tile<i32> -> tile<i64>
      %reshape_15 = reshape %3 : tile<i64> -> tile<1xi64>
      %bcast_16 = broadcast %reshape_15 : tile<1xi64> -> tile<1024xi64>
      %4 = cmpi less_than %bcast, %bcast_16, unsigned : tile<1024xi64> -> tile<1024xi1>
      %5 = exti %assume_assume_10 signed : tile<i32> -> tile<i64>
      %reshape_17 = reshape %5 : tile<i64> -> tile<1xi64>
      %bcast_18 = broadcast %reshape_17 : tile<1xi64> -> tile<1024xi64>
      %6 = muli %bcast, %bcast_18 : tile<1024xi64>
      %7 = exti %1 signed : tile<1024xi32> -> tile<1024xi64>
      %8 = exti %assume_assume signed : tile<i32> -> tile<i64>
      %reshape_19 = reshape %8 : tile<i64> -> tile<1xi64>
      %bcast_20 = broadcast %reshape_19 : tile<1xi64> -> tile<1024xi64>
      %9 = cmpi less_than %7, %bcast_20, unsigned : tile<1024xi64> -> tile<1024xi1>
      %10 = andi %4, %9 : tile<1024xi1>
      %11 = muli %7, %cst_1_i64 : tile<1024xi64>
      %12 = addi %6, %11 : tile<1024xi64>
      %reshape_21 = reshape %assume : tile<ptr<f32>> -> tile<1xptr<f32>>
      %bcast_22 = broadcast %reshape_21 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
      %13 = offset %bcast_22, %12 : tile<1024xptr<f32>>, tile<1024xi64> -> tile<1024xptr<f32>>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<f32>
      %reshape_23 = reshape %cst_0_f32 : tile<f32> -> tile<1xf32>
      %bcast_24 = broadcast %reshape_23 : tile<1xf32> -> tile<1024xf32>
      %result, %result_token = load_ptr_tko weak %13, %10, %bcast_24 token=%0 : tile<1024xptr<f32>>, tile<1024xi1>, tile<1024xf32> -> tile<1024xf32>, token
      %14 = join_tokens %0, %result_token : token
      %15 = fpowi %result, %cst_2_i32 : tile<1024xf32>, tile<1024xi32>
      %reduce = reduce %15 dim=0 identities=[0.000000e+00 : f32] : tile<1024xf32> -> tile<f32>
      (%reduce_lhs: tile<f32>, %reduce_rhs: tile<f32>) {
        %39 = addf %reduce_lhs, %reduce_rhs : tile<f32>
        yield %39 : tile<f32>
      }
      %cst_1024_f32 = constant <f32: 1.024000e+03> : tile<f32>
      %16 = divf %reduce, %cst_1024_f32 : tile<f32>
      %cst_f32 = constant <f32: 9.99999974E-6> : tile<f32>
      %17 = addf %16, %cst_f32 : tile<f32>
      %18 = rsqrt %17 : tile<f32>
      %reshape_25 = reshape %18 : tile<f32> -> tile<1xf32>
      %bcast_26 = broadcast %reshape_25 : tile<1xf32> -> tile<1024xf32>
      %19 = mulf %result, %bcast_26 : tile<1024xf32>
      %20 = exti %1 signed : tile<1024xi32> -> tile<1024xi64>
      %21 = exti %assume_assume_11 signed : tile<i32> -> tile<i64>
      %reshape_27 = reshape %21 : tile<i64> -> tile<1xi64>
      %bcast_28 = broadcast %reshape_27 : tile<1xi64> -> tile<1024xi64>
      %22 = cmpi less_than %20, %bcast_28, unsigned : tile<1024xi64> -> tile<1024xi1>
      %23 = muli %20, %cst_1_i64_7 : tile<1024xi64>
      %reshape_29 = reshape %assume_2 : tile<ptr<f32>> -> tile<1xptr<f32>>
      %bcast_30 = broadcast %reshape_29 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
      %24 = offset %bcast_30, %23 : tile<1024xptr<f32>>, tile<1024xi64> -> tile<1024xptr<f32>>
      %cst_0_f32_31 = constant <f32: 0.000000e+00> : tile<f32>
      %reshape_32 = reshape %cst_0_f32_31 : tile<f32> -> tile<1xf32>
      %bcast_33 = broadcast %reshape_32 : tile<1xf32> -> tile<1024xf32>
      %result_34, %result_token_35 = load_ptr_tko weak %24, %22, %bcast_33 token=%0 : tile<1024xptr<f32>>, tile<1024xi1>, tile<1024xf32> -> tile<1024xf32>, token
      %25 = mulf %19, %result_34 : tile<1024xf32>
      %26 = exti %blockId_x signed : tile<i32> -> tile<i64>
      %reshape_36 = reshape %26 : tile<i64> -> tile<1xi64>
      %bcast_37 = broadcast %reshape_36 : tile<1xi64> -> tile<1024xi64>
      %27 = exti %assume_12 signed : tile<i32> -> tile<i64>
      %reshape_38 = reshape %27 : tile<i64> -> tile<1xi64>
      %bcast_39 = broadcast %reshape_38 : tile<1xi64> -> tile<1024xi64>
      %28 = cmpi less_than %bcast_37, %bcast_39, unsigned : tile<1024xi64> -> tile<1024xi1>
      %29 = exti %assume_assume_14 signed : tile<i32> -> tile<i64>
      %reshape_40 = reshape %29 : tile<i64> -> tile<1xi64>
      %bcast_41 = broadcast %reshape_40 : tile<1xi64> -> tile<1024xi64>
      %30 = muli %bcast_37, %bcast_41 : tile<1024xi64>
      %31 = exti %1 signed : tile<1024xi32> -> tile<1024xi64>
      %32 = exti %assume_assume_13 signed : tile<i32> -> tile<i64>
      %reshape_42 = reshape %32 : tile<i64> -> tile<1xi64>
      %bcast_43 = broadcast %reshape_42 : tile<1xi64> -> tile<1024xi64>
      %33 = cmpi less_than %31, %bcast_43, unsigned : tile<1024xi64> -> tile<1024xi1>
      %34 = andi %28, %33 : tile<1024xi1>
      %35 = muli %31, %cst_1_i64_8 : tile<1024xi64>
      %36 = addi %30, %35 : tile<1024xi64>
      %reshape_44 = reshape %assume_4 : tile<ptr<f32>> -> tile<1xptr<f32>>
      %bcast_45 = broadcast %reshape_44 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
      %37 = offset %bcast_45, %36 : tile<1024xptr<f32>>, tile<1024xi64> -> tile<1024xptr<f32>>
      %38 = store_ptr_tko weak %37, %25, %34 token=%14 : tile<1024xptr<f32>>, tile<1024xf32>, tile<1024xi1> -> token
      return
    }
  }
}
