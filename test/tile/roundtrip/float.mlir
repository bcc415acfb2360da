// Floating-point arithmetic and comparison: every element type, every modifier. The file is
// written as it prints; forms in operations (arithmetic), 4.10 to 4.20. The flag
// flush_to_zero and the roundings approx and full exist for f32 only (2.4).
// RUN: %canonical %s

module {
  cuda_tile.module @float {
    entry @addf(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = addf %arg0, %arg0 : tile<f16>
      %1 = addf %arg1, %arg1 rounding<zero> : tile<bf16>
      %2 = addf %arg2, %arg2 rounding<negative_inf> : tile<f32>
      %3 = addf %arg3, %arg3 rounding<positive_inf> {note} : tile<f64>
      %4 = addf %arg2, %arg2 flush_to_zero : tile<f32>
      %5 = addf %arg2, %arg2 rounding<zero> flush_to_zero {note} : tile<f32>
      return
    }
    entry @subf(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = subf %arg0, %arg0 : tile<f16>
      %1 = subf %arg1, %arg1 rounding<zero> : tile<bf16>
      %2 = subf %arg2, %arg2 rounding<negative_inf> : tile<f32>
      %3 = subf %arg3, %arg3 rounding<positive_inf> {note} : tile<f64>
      %4 = subf %arg2, %arg2 flush_to_zero : tile<f32>
      %5 = subf %arg2, %arg2 rounding<zero> flush_to_zero : tile<f32>
      return
    }
    entry @mulf(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = mulf %arg0, %arg0 : tile<f16>
      %1 = mulf %arg1, %arg1 rounding<zero> : tile<bf16>
      %2 = mulf %arg2, %arg2 rounding<negative_inf> : tile<f32>
      %3 = mulf %arg3, %arg3 rounding<positive_inf> {note} : tile<f64>
      %4 = mulf %arg2, %arg2 flush_to_zero : tile<f32>
      %5 = mulf %arg2, %arg2 rounding<zero> flush_to_zero : tile<f32>
      return
    }
    entry @divf(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = divf %arg0, %arg0 : tile<f16>
      %1 = divf %arg1, %arg1 rounding<zero> : tile<bf16>
      %2 = divf %arg2, %arg2 rounding<negative_inf> : tile<f32>
      %3 = divf %arg3, %arg3 rounding<positive_inf> {note} : tile<f64>
      %4 = divf %arg2, %arg2 rounding<approx> : tile<f32>
      %5 = divf %arg2, %arg2 rounding<full> flush_to_zero : tile<f32>
      return
    }
    entry @fma(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = fma %arg0, %arg0, %arg0 : tile<f16>
      %1 = fma %arg1, %arg1, %arg1 rounding<zero> : tile<bf16>
      %2 = fma %arg2, %arg2, %arg2 rounding<negative_inf> : tile<f32>
      %3 = fma %arg3, %arg3, %arg3 rounding<positive_inf> {note} : tile<f64>
      %4 = fma %arg2, %arg2, %arg2 flush_to_zero : tile<f32>
      %5 = fma %arg2, %arg2, %arg2 rounding<zero> flush_to_zero : tile<f32>
      return
    }
    entry @sqrt(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = sqrt %arg0 : tile<f16>
      %1 = sqrt %arg1 rounding<zero> : tile<bf16>
      %2 = sqrt %arg2 rounding<negative_inf> : tile<f32>
      %3 = sqrt %arg3 rounding<positive_inf> {note} : tile<f64>
      %4 = sqrt %arg2 rounding<approx> : tile<f32>
      %5 = sqrt %arg2 rounding<approx> flush_to_zero : tile<f32>
      return
    }
    entry @rsqrt(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = rsqrt %arg0 : tile<f16>
      %1 = rsqrt %arg1 : tile<bf16>
      %2 = rsqrt %arg2 flush_to_zero : tile<f32>
      %3 = rsqrt %arg3 {note} : tile<f64>
      return
    }
    entry @exp(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = exp %arg0 : tile<f16>
      %1 = exp %arg1 : tile<bf16>
      %2 = exp %arg2 rounding<approx> : tile<f32>
      %3 = exp %arg3 {note} : tile<f64>
      return
    }
    entry @exp2(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = exp2 %arg0 : tile<f16>
      %1 = exp2 %arg1 : tile<bf16>
      %2 = exp2 %arg2 flush_to_zero : tile<f32>
      %3 = exp2 %arg3 {note} : tile<f64>
      return
    }
    entry @tanh(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = tanh %arg0 : tile<f16>
      %1 = tanh %arg1 : tile<bf16>
      %2 = tanh %arg2 rounding<approx> : tile<f32>
      %3 = tanh %arg3 {note} : tile<f64>
      return
    }
    entry @sign_and_integral(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = absf %arg0 : tile<f16>
      %1 = absf %arg3 {note} : tile<f64>
      %2 = negf %arg1 : tile<bf16>
      %3 = negf %arg2 {note} : tile<f32>
      %4 = ceil %arg0 : tile<f16>
      %5 = ceil %arg3 {note} : tile<f64>
      %6 = floor %arg1 : tile<bf16>
      %7 = floor %arg2 {note} : tile<f32>
      return
    }
    entry @functions(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = cos %arg0 : tile<f16>
      %1 = cosh %arg1 : tile<bf16>
      %2 = sin %arg2 : tile<f32>
      %3 = sinh %arg3 : tile<f64>
      %4 = tan %arg0 : tile<f16>
      %5 = log %arg1 : tile<bf16>
      %6 = log2 %arg2 {note} : tile<f32>
      %7 = pow %arg3, %arg3 : tile<f64>
      %8 = pow %arg2, %arg2 {note} : tile<f32>
      %9 = atan2 %arg0, %arg0 : tile<f16>
      %10 = atan2 %arg1, %arg1 {note} : tile<bf16>
      %11 = remf %arg2, %arg2 : tile<f32>
      %12 = remf %arg3, %arg3 {note} : tile<f64>
      return
    }
    entry @maxf(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = maxf %arg0, %arg0 : tile<f16>
      %1 = maxf %arg1, %arg1 propagate_nan : tile<bf16>
      %2 = maxf %arg2, %arg2 flush_to_zero : tile<f32>
      %3 = maxf %arg2, %arg2 flush_to_zero propagate_nan {note} : tile<f32>
      %4 = maxf %arg3, %arg3 propagate_nan : tile<f64>
      return
    }
    entry @minf(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = minf %arg0, %arg0 : tile<f16>
      %1 = minf %arg1, %arg1 propagate_nan : tile<bf16>
      %2 = minf %arg2, %arg2 flush_to_zero : tile<f32>
      %3 = minf %arg2, %arg2 flush_to_zero propagate_nan {note} : tile<f32>
      %4 = minf %arg3, %arg3 propagate_nan : tile<f64>
      return
    }
    entry @cmpf(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<f64>) {
      %0 = cmpf equal ordered %arg0, %arg0 : tile<f16> -> tile<i1>
      %1 = cmpf not_equal unordered %arg1, %arg1 : tile<bf16> -> tile<i1>
      %2 = cmpf less_than ordered %arg2, %arg2 : tile<f32> -> tile<i1>
      %3 = cmpf less_than_or_equal unordered %arg3, %arg3 : tile<f64> -> tile<i1>
      %4 = cmpf greater_than ordered %arg2, %arg2 {note} : tile<f32> -> tile<i1>
      %reshape = reshape %arg2 : tile<f32> -> tile<1x1xf32>
      %5 = cmpf greater_than_or_equal unordered %reshape, %reshape : tile<1x1xf32> -> tile<1x1xi1>
      return
    }
  }
}
