// Reductions and scans (operations (core), 4.11, 4.12), written as they print: the arguments
// stand on a line of their own, identities carry their types unless i64 or f64.
// RUN: %canonical %s

module {
  cuda_tile.module @aggregates {
    entry @reduce() {
      %0 = iota : tile<16xi32>
      %reduce = reduce %0 dim=0 identities=[0 : i32] : tile<16xi32> -> tile<i32>
      (%reduce_lhs: tile<i32>, %reduce_rhs: tile<i32>) {
        %1 = addi %reduce_lhs, %reduce_rhs : tile<i32>
        yield %1 : tile<i32>
      }
      return
    }
    entry @reduce_rows(%arg0: tile<f64>) {
      %cst_f64 = constant <f64: -1.500000e+00> : tile<4x8xf64>
      %reduce = reduce %cst_f64 {note} dim=1 identities=[0.000000e+00] : tile<4x8xf64> -> tile<4xf64>
      (%reduce_lhs: tile<f64>, %reduce_rhs: tile<f64>) {
        // Values from outside may be used (4.11).
        %0 = fma %reduce_lhs, %arg0, %reduce_rhs : tile<f64>
        yield %0 : tile<f64>
      }
      return
    }
    entry @reduce_two() {
      %0 = iota : tile<16xi64>
      %cst_0_f32 = constant <f32: 0.000000e+00> : tile<16xf32>
      %reduce:2 = reduce %cst_0_f32, %0 dim=0 identities=[0xFF800000 : f32, 7] : tile<16xf32>, tile<16xi64> -> tile<f32>, tile<i64>
      (%reduce_lhs0: tile<f32>, %reduce_rhs0: tile<f32>, %reduce_lhs1: tile<i64>, %reduce_rhs1: tile<i64>) {
        %1 = cmpf greater_than ordered %reduce_lhs0, %reduce_rhs0 : tile<f32> -> tile<i1>
        %2 = select %1, %reduce_lhs0, %reduce_rhs0 : tile<i1>, tile<f32>
        %3 = select %1, %reduce_lhs1, %reduce_rhs1 : tile<i1>, tile<i64>
        yield %2, %3 : tile<f32>, tile<i64>
      }
      return
    }
    entry @reduce_mask() {
      %true = constant <i1: true> : tile<2x4xi1>
      %reduce = reduce %true dim=0 identities=[true] : tile<2x4xi1> -> tile<4xi1>
      (%reduce_lhs: tile<i1>, %reduce_rhs: tile<i1>) {
        %0 = andi %reduce_lhs, %reduce_rhs : tile<i1>
        yield %0 : tile<i1>
      }
      return
    }
    // The halves may lend each other their identities (4.11); i4 has its own.
    entry @reduce_small() {
      %cst_1_f16 = constant <f16: 1.000000e+00> : tile<8xf16>
      %reduce = reduce %cst_1_f16 dim=0 identities=[0.000000e+00 : bf16] : tile<8xf16> -> tile<f16>
      (%reduce_lhs: tile<f16>, %reduce_rhs: tile<f16>) {
        %2 = addf %reduce_lhs, %reduce_rhs : tile<f16>
        yield %2 : tile<f16>
      }
      %0 = iota : tile<8xi8>
      %1 = trunci %0 : tile<8xi8> -> tile<8xi4>
      %reduce_0 = reduce %1 dim=0 identities=[0 : i4] : tile<8xi4> -> tile<i4>
      (%reduce_lhs: tile<i4>, %reduce_rhs: tile<i4>) {
        yield %reduce_lhs : tile<i4>
      }
      %cst_1_f8E5M3FNU = constant <f8E5M3FNU: 1.000000e+00> : tile<8xf8E5M3FNU>
      %reduce_1:2 = reduce %cst_1_f8E5M3FNU, %0 dim=0 identities=[5.000000e-01 : f8E5M3FNU, 7 : i8] : tile<8xf8E5M3FNU>, tile<8xi8> -> tile<f8E5M3FNU>, tile<i8>
      (%reduce_lhs0: tile<f8E5M3FNU>, %reduce_rhs0: tile<f8E5M3FNU>, %reduce_lhs1: tile<i8>, %reduce_rhs1: tile<i8>) {
        yield %reduce_lhs0, %reduce_rhs1 : tile<f8E5M3FNU>, tile<i8>
      }
      return
    }
    // Anything pure may stand in the body (textual format, 7).
    entry @reduce_body() {
      %0 = iota : tile<4xi32>
      %reduce = reduce %0 dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>
      (%reduce_lhs: tile<i32>, %reduce_rhs: tile<i32>) {
        %1 = make_token : token
        %blockId_x, %blockId_y, %blockId_z = get_tile_block_id : tile<i32>
        %cst_3_i32 = constant <i32: 3> : tile<i32>
        yield {note} %reduce_rhs : tile<i32>
      }
      return
    }
    entry @scan() {
      %0 = iota : tile<16xi32>
      %1 = scan %0 dim=0 reverse=false identities=[0 : i32] : tile<16xi32> -> tile<16xi32>
      (%arg0: tile<i32>, %arg1: tile<i32>) {
        %2 = addi %arg0, %arg1 : tile<i32>
        yield %2 : tile<i32>
      }
      return
    }
    entry @scan_two() {
      %cst_1_f32 = constant <f32: 1.000000e+00> : tile<4x8xf32>
      %cst_1_i16 = constant <i16: 1> : tile<4x8xi16>
      %0:2 = scan %cst_1_f32, %cst_1_i16 {note} dim=1 reverse=true identities=[1.000000e+00 : f32, -1 : i16] : tile<4x8xf32>, tile<4x8xi16> -> tile<4x8xf32>, tile<4x8xi16>
      (%arg0: tile<f32>, %arg1: tile<f32>, %arg2: tile<i16>, %arg3: tile<i16>) {
        %1 = mulf %arg0, %arg1 : tile<f32>
        yield %1, %arg2 : tile<f32>, tile<i16>
      }
      return
    }
  }
}
