// The names that operations suggest for their values, and how they are made unique (textual
// format, 12.2): all results of a block first, then its regions; one counter for suffixes.
// RUN: %canonical %s

module {
  cuda_tile.module @names {
    entry @constants() {
      %true = constant <i1: true> : tile<4xi1>
      %false = constant <i1: false> : tile<i1>
      %cst_i1 = constant <i1: [true, false]> : tile<2xi1>
      %cst_-7_i32 = constant <i32: -7> : tile<2x2xi32>
      %cst_-1_i8 = constant <i8: -1> : tile<i8>
      %cst_i16 = constant <i16: [1, 2]> : tile<2xi16>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<f32>
      %cst_4_tf32 = constant <tf32: 4.000000e+00> : tile<8xtf32>
      %cst_10000000000_f32 = constant <f32: 1.000000e+10> : tile<f32>
      %cst_NaN_f16 = constant <f16: 0x7E00> : tile<f16>
      // Negative, -0.0, fractional, infinite, 2^64 and not uniform: just the type.
      %cst_bf16 = constant <bf16: -1.000000e+00> : tile<bf16>
      %cst_f64 = constant <f64: -0.000000e+00> : tile<f64>
      %cst_f8E5M2 = constant <f8E5M2: 5.000000e-01> : tile<f8E5M2>
      %cst_f16 = constant <f16: 0x7C00> : tile<f16>
      %cst_f32 = constant <f32: 1.84467441E+19> : tile<f32>
      %cst_f4E2M1FN = constant <f4E2M1FN: [1.000000e+00, 2.000000e+00]> : tile<2xf4E2M1FN>
      return
    }
    // The third conflict takes 2, whatever its name.
    entry @conflicts(%arg0: tile<i32>) {
      %cst_0_i32 = constant <i32: 0> : tile<i32>
      %cst_0_i32_0 = constant <i32: 0> : tile<i32>
      %cst_0_i32_1 = constant <i32: 0> : tile<2xi32>
      %reshape = reshape %arg0 : tile<i32> -> tile<1xi32>
      %reshape_2 = reshape %arg0 : tile<i32> -> tile<1x1xi32>
      return
    }
    entry @assume(%arg0: tile<i32>, %arg1: tile<ptr<i32>>, %arg2: tile<i1>) {
      %assume = assume div_by<2>, %arg0 : tile<i32>
      %assume_assume = assume div_by<4>, %assume : tile<i32>
      %0 = addi %arg0, %arg0 : tile<i32>
      %assume_0 = assume div_by<2>, %0 : tile<i32>
      %cst_3_i32 = constant <i32: 3> : tile<i32>
      %assume_cst_3_i32 = assume bounded<0, ?>, %cst_3_i32 : tile<i32>
      %assume_assume_cst_3_i32 = assume bounded<?, 5>, %assume_cst_3_i32 : tile<i32>
      %result, %result_token = load_ptr_tko weak %arg1 : tile<ptr<i32>> -> tile<i32>, token
      %assume_result = assume bounded<0, 9>, %result : tile<i32>
      %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
      %assume_blockId_y = assume bounded<0, ?>, %blockId_y : tile<i32>
      %for:2 = for %loopIdx in (%arg0 to %arg0, step %arg0) : tile<i32> iter_values(%iterArg0 = %arg0, %iterArg1 = %arg0) -> (tile<i32>, tile<i32>) {
        continue %iterArg0, %iterArg1 : tile<i32>, tile<i32>
      }
      %assume_for = assume bounded<0, ?>, %for#0 : tile<i32>
      // An operation that names no result of that number leaves the underscore bare.
      %assume_ = assume bounded<0, ?>, %for#1 : tile<i32>
      %1 = if %arg2 -> (tile<i32>) {
        yield %arg0 : tile<i32>
      } else {
        yield %0 : tile<i32>
      }
      %assume__1 = assume bounded<0, ?>, %1 : tile<i32>
      return
    }
    // The specification's own example: names of the block come before those of its regions.
    entry @show(%arg0: tile<i32>, %arg1: tile<ptr<f32>>) {
      %cst_2_i32 = constant <i32: 2> : tile<i32>
      %cst_f32 = constant <f32: 2.500000e-01> : tile<f32>
      %cst_f32_0 = constant <f32: -1.000000e+00> : tile<f32>
      %0 = muli %arg0, %cst_2_i32 : tile<i32>
      %assume = assume bounded<0, ?>, %0 : tile<i32>
      %assume_assume = assume div_by<4>, %assume : tile<i32>
      %1 = loop iter_values(%arg2 = %cst_f32) : tile<f32> -> tile<f32> {
        %result_3, %result_token_4 = load_ptr_tko weak %arg1 : tile<ptr<f32>> -> tile<f32>, token
        break %result_3 : tile<f32>
      }
      %result, %result_token = load_ptr_tko weak %arg1 : tile<ptr<f32>> -> tile<f32>, token
      %for:2 = for %loopIdx in (%0 to %assume_assume, step %cst_2_i32) : tile<i32> iter_values(%iterArg0 = %cst_f32, %iterArg1 = %0) -> (tile<f32>, tile<i32>) {
        %cst_2_i32_3 = constant <i32: 2> : tile<i32>
        continue %iterArg0, %cst_2_i32_3 : tile<f32>, tile<i32>
      }
      %assume_ = assume bounded<?, 9>, %for#1 : tile<i32>
      %cst_2_i32_1 = constant <i32: 2> : tile<i32>
      %cst_2_i32_2 = constant <i32: 2> : tile<i32>
      return
    }
  }
}
