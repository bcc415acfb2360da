// Illegal arithmetic, comparisons and conversions (operations (arithmetic), 2.4, 4 and 11).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 2.1: integer operations take i1 to i64 only
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
    %0 = addi %x, %x : tile<f32>
  }
}

// -----

// 2.1: i4 is for conversions and packing
cuda_tile.module @m {
  entry @k(%x: tile<i4>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<i4>'}}
    %0 = subi %x, %x : tile<i4>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = muli %x, %x : tile<ptr<i8>>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = shli %x, %x : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = shri %x, %x signed : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = negi %x : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = absi %x : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = mulhii %x, %x : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = divi %x, %x signed : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = remi %x, %x signed : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = maxi %x, %x signed : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = mini %x, %x signed : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = andi %x, %x : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = ori %x, %x : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = xori %x, %x : tile<f16>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = cmpi equal %x, %x, signed : tile<f16> -> tile<i1>
  }
}

// -----

// 2.1: float operations take f16, bf16, f32 and f64 only
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<i32>'}}
    %0 = addf %x, %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<tf32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<tf32>'}}
    %0 = subf %x, %x : tile<tf32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f8E4M3FN>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<f8E4M3FN>'}}
    %0 = mulf %x, %x : tile<f8E4M3FN>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f8E5M2>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = divf %x, %x : tile<f8E5M2>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<f8E8M0FNU>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = fma %x, %x, %x : tile<f8E8M0FNU>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k() {
    %x = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = absf %x : tile<2xf4E2M1FN>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = negf %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = ceil %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = floor %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = cos %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = cosh %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = sin %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = sinh %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = tan %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = tanh %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = log %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = log2 %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = exp %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = exp2 %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = sqrt %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = rsqrt %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = pow %x, %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = atan2 %x, %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = remf %x, %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = maxf %x, %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = minf %x, %x : tile<i32>
  }
}

// -----

// 2.1
cuda_tile.module @m {
  entry @k(%x: tile<tf32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values}}
    %0 = cmpf equal ordered %x, %x : tile<tf32> -> tile<i1>
  }
}

// -----

// 2.2: one type for all; another operand type is a use with two types
cuda_tile.module @m {
  // expected-note @+1 {{prior use here}}
  entry @k(%x: tile<f32>, %y: tile<f16>) {
    // expected-error @+1 {{use of value '%y' expects different type than prior uses}}
    %0 = addf %x, %y : tile<f32>
  }
}

// -----

// 2.2: in generic form the same is the operation's own rule
cuda_tile.module @m {
  entry @k(%x: tile<f32>, %y: tile<f16>) {
    // expected-error @+1 {{same type}}
    %0 = "cuda_tile.addf"(%x, %y) <{rounding_mode = #cuda_tile.rounding<zero>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f16>) -> !cuda_tile.tile<f32>
  }
}

// -----

// 2.4: some roundings have no default as attribute
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{requires attribute 'rounding_mode'}}
    %0 = "cuda_tile.addf"(%x, %x) : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{requires attribute 'rounding_mode'}}
    %0 = "cuda_tile.sqrt"(%x) : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{requires attribute 'rounding_mode'}}
    %0 = "cuda_tile.ftoi"(%x) <{signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{requires attribute 'signedness'}}
    %0 = "cuda_tile.remi"(%x, %x) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 11: unknown rounding keywords
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'up'}}
    %0 = addf %x, %x rounding<up> : tile<f32>
  }
}

// -----

// 11
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'approx'}}
    %0 = mulf %x, %x rounding<approx> : tile<f32>
  }
}

// -----

// 11
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'full'}}
    %0 = fma %x, %x, %x rounding<full> : tile<f32>
  }
}

// -----

// 11
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'approx', 'full'}}
    %0 = divf %x, %x rounding<up> : tile<f32>
  }
}

// -----

// 11
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'approx'}}
    %0 = sqrt %x rounding<up> : tile<f32>
  }
}

// -----

// 11
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'approx', 'full'}}
    %0 = exp %x rounding<up> : tile<f32>
  }
}

// -----

// 11
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'approx', 'full'}}
    %0 = tanh %x rounding<up> : tile<f32>
  }
}

// -----

// 11
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected rounding mode to be one of: 'nearest_int_to_zero', got: 'zero'}}
    %0 = ftoi %x signed rounding<zero> : tile<f32> -> tile<i32>
  }
}

// -----

// 2.4: one mode only
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected '>'}}
    %0 = exp %x rounding<approx, full> : tile<f32>
  }
}

// -----

// 4.11: no rounding here
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected ':'}}
    %0 = ceil %x rounding<zero> : tile<f32>
  }
}

// -----

// 2.4: members that parse and are not allowed
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx, full]}}
    %0 = divf %x, %x rounding<nearest_int_to_zero> : tile<f32>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx]}}
    %0 = sqrt %x rounding<full> : tile<f32>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified, expect one of [approx, full]}}
    %0 = exp %x rounding<zero> : tile<f32>
  }
}

// -----

// 2.4, 9.7: counted as rejected
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified, expect one of [approx, full]}}
    %0 = tanh %x rounding<zero> : tile<f32>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]}}
    %0 = divi %x, %x signed rounding<nearest_even> : tile<i32>
  }
}

// -----

// 2.4: the four IEEE modes only, whatever the form
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
    %0 = "cuda_tile.subf"(%x, %x) <{rounding_mode = #cuda_tile.rounding<approx>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

// 4.4
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{rounding mode 'negative_inf' is not allowed with 'unsigned' flag}}
    %0 = divi %x, %x unsigned rounding<negative_inf> : tile<i32>
  }
}

// -----

// 2.4: flush_to_zero is for f32
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = addf %x, %x flush_to_zero : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f64>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f64'}}
    %0 = subf %x, %x flush_to_zero : tile<f64>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<bf16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'bf16'}}
    %0 = mulf %x, %x flush_to_zero : tile<bf16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = divf %x, %x flush_to_zero : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = fma %x, %x, %x flush_to_zero : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = sqrt %x flush_to_zero : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = rsqrt %x flush_to_zero : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = exp2 %x flush_to_zero : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = maxf %x, %x flush_to_zero : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = minf %x, %x flush_to_zero propagate_nan : tile<f16>
  }
}

// -----

// 2.4: approx and full are for f32
cuda_tile.module @m {
  entry @k(%x: tile<f64>) {
    // expected-error @+1 {{approx modifier only supported for f32 data type, but got: 'f64'}}
    %0 = divf %x, %x rounding<approx> : tile<f64>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{full modifier only supported for f32 data type, but got: 'f16'}}
    %0 = divf %x, %x rounding<full> : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{approx modifier only supported for f32 data type, but got: 'f16'}}
    %0 = sqrt %x rounding<approx> : tile<f16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<bf16>) {
    // expected-error @+1 {{approx modifier only supported for f32 data type, but got: 'bf16'}}
    %0 = exp %x rounding<approx> : tile<bf16>
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%x: tile<f64>) {
    // expected-error @+1 {{approx modifier only supported for f32 data type, but got: 'f64'}}
    %0 = tanh %x rounding<approx> : tile<f64>
  }
}

// -----

// 4.15: the flag is checked before the mode
cuda_tile.module @m {
  entry @k(%x: tile<f16>) {
    // expected-error @+1 {{flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
    %0 = divf %x, %x rounding<approx> flush_to_zero : tile<f16>
  }
}

// -----

// 4.13: the order of the modifiers is fixed
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected ':'}}
    %0 = addf %x, %x flush_to_zero rounding<zero> : tile<f32>
  }
}

// -----

// 4.20: each flag once
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{`propagate_nan` clause can appear at most once in the expansion of the oilist directive}}
    %0 = maxf %x, %x propagate_nan propagate_nan : tile<f32>
  }
}

// -----

// 4.20
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{`flush_to_zero` clause can appear at most once in the expansion of the oilist directive}}
    %0 = minf %x, %x flush_to_zero flush_to_zero : tile<f32>
  }
}

// -----

// 4.2
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{'no_unsigned_wrap' overflow flag is not supported}}
    %0 = negi %x overflow<no_unsigned_wrap> : tile<i32>
  }
}

// -----

// 4.9: the result is the i1 tile of the operands' shape
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{failed to verify that Result type has i1 element type and same shape as operands}}
    %0 = cmpi equal %x, %x, signed : tile<i32> -> tile<1xi1>
  }
}

// -----

// 4.9
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{result #0 must be tile of i1 values, but got '!cuda_tile.tile<i32>'}}
    %0 = cmpi equal %x, %x, signed : tile<i32> -> tile<i32>
  }
}

// -----

// 4.9
cuda_tile.module @m {
  entry @k(%x: tile<i32>, %y: tile<i64>) {
    // expected-error @+1 {{failed to verify that all of {lhs, rhs} have same type}}
    %0 = "cuda_tile.cmpi"(%x, %y) <{comparison_predicate = #cuda_tile.comparison_predicate<equal>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tile<i1>
  }
}

// -----

// 4.9: an ordering is no signedness
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{expected signedness to be one of: {'signed', 'unsigned'}}}
    %0 = cmpi equal %x, %x, ordered : tile<i32> -> tile<i1>
  }
}

// -----

// 4.9: the comma
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{expected ','}}
    %0 = cmpi equal %x, %x signed : tile<i32> -> tile<i1>
  }
}

// -----

// 4.10
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{failed to verify that Result type has i1 element type and same shape as operands}}
    %0 = cmpf equal ordered %x, %x : tile<f32> -> tile<2xi1>
  }
}

// -----

// 4.10
cuda_tile.module @m {
  entry @k(%x: tile<f32>, %y: tile<f16>) {
    // expected-error @+1 {{failed to verify that all of {lhs, rhs} have same type}}
    %0 = "cuda_tile.cmpf"(%x, %y) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<equal>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f16>) -> !cuda_tile.tile<i1>
  }
}

// -----

// 4.21: the condition does not broadcast
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{failed to verify that all of {cond, val_if_true, val_if_false, result} have same shape}}
    %0 = select %c, %v, %v : tile<i1>, tile<4xi32>
  }
}

// -----

// 4.21
cuda_tile.module @m {
  entry @k(%c: tile<i8>) {
    // expected-error @+1 {{operand #0 must be tile of i1 values, but got '!cuda_tile.tile<i8>'}}
    %0 = select %c, %c, %c : tile<i8>, tile<i8>
  }
}

// -----

// 4.21
cuda_tile.module @m {
  entry @k() {
    %c = constant <i1: true> : tile<2xi1>
    %v = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>
    // expected-error @+1 {{cannot operate on sub-byte type F4E2M1FN}}
    %0 = select %c, %v, %v : tile<2xi1>, tile<2xf4E2M1FN>
  }
}

// -----

// 4.22: equal widths; tf32 counts 19
cuda_tile.module @m {
  entry @k(%x: tile<tf32>) {
    // expected-error @+1 {{types must be equal width, cannot convert}}
    %0 = bitcast %x : tile<tf32> -> tile<i32>
  }
}

// -----

// 4.22
cuda_tile.module @m {
  entry @k(%x: tile<i16>) {
    // expected-error @+1 {{types must be equal width, cannot convert}}
    %0 = bitcast %x : tile<i16> -> tile<f32>
  }
}

// -----

// 4.22
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi32>
    // expected-error @+1 {{failed to verify that all of {source, result} have same shape}}
    %0 = bitcast %x : tile<4xi32> -> tile<2x2xf32>
  }
}

// -----

// 4.22: no pointers
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>) {
    // expected-error @+1 {{operand #0 must be}}
    %0 = bitcast %x : tile<ptr<i8>> -> tile<i64>
  }
}

// -----

// 4.22: no i4
cuda_tile.module @m {
  entry @k(%x: tile<i4>) {
    // expected-error @+1 {{operand #0 must be}}
    %0 = bitcast %x : tile<i4> -> tile<i4>
  }
}

// -----

// 4.23
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{extending to smaller or identical integer}}
    %0 = exti %x signed : tile<i32> -> tile<i32>
  }
}

// -----

// 4.23
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{failed to verify that all of {from, to} have same shape}}
    %0 = exti %x signed : tile<i8> -> tile<1xi32>
  }
}

// -----

// 4.23
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{operand #0 must be}}
    %0 = exti %x signed : tile<f32> -> tile<i64>
  }
}

// -----

// 4.23
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{expected signedness, one of: 'signed', 'unsigned'}}
    %0 = exti %x : tile<i8> -> tile<i32>
  }
}

// -----

// 4.24
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{truncating to larger or identical integer}}
    %0 = trunci %x : tile<i8> -> tile<i16>
  }
}

// -----

// 4.24
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{failed to verify that all of {from, to} have same shape}}
    %0 = trunci %x : tile<i8> -> tile<1xi1>
  }
}

// -----

// 4.24
cuda_tile.module @m {
  entry @k(%x: tile<i64>) {
    // expected-error @+1 {{result #0 must be}}
    %0 = trunci %x : tile<i64> -> tile<f32>
  }
}

// -----

// 4.25
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{converting tiles must not be a no-op}}
    %0 = ftof %x : tile<f32> -> tile<f32>
  }
}

// -----

// 4.25
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified for conversion from f32 to f16. Only 'nearest_even' and 'zero' are supported}}
    %0 = ftof %x rounding<positive_inf> : tile<f32> -> tile<f16>
  }
}

// -----

// 13.4, section 7.3; all other pairs and modes are in Conversion_test.cpp
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified for conversion from f32 to f8E5M3FNU. Only 'nearest_even' is supported}}
    %0 = ftof %x rounding<zero> : tile<f32> -> tile<f8E5M3FNU>
  }
}

// -----

// 13.4, section 7.3: its range is larger than that of f16
cuda_tile.module @m {
  entry @k(%x: tile<f8E5M3FNU>) {
    // expected-error @+1 {{invalid rounding mode specified for conversion from f8E5M3FNU to f16. Only 'nearest_even' and 'zero' are supported}}
    %0 = ftof %x rounding<positive_inf> : tile<f8E5M3FNU> -> tile<f16>
  }
}

// -----

// 13.4, section 8.2
cuda_tile.module @m {
  entry @k(%x: tile<f8E5M3FNU>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<f8E5M3FNU>'}}
    %0 = addf %x, %x : tile<f8E5M3FNU>
  }
}

// -----

// 13.4, section 8.2
cuda_tile.module @m {
  entry @k(%x: tile<f8E5M3FNU>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<f8E5M3FNU>'}}
    %0 = negf %x : tile<f8E5M3FNU>
  }
}

// -----

// 13.4, section 8.2
cuda_tile.module @m {
  entry @k(%x: tile<f8E5M3FNU>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<f8E5M3FNU>'}}
    %0 = absf %x : tile<f8E5M3FNU>
  }
}

// -----

// 13.4, section 8.2
cuda_tile.module @m {
  entry @k(%x: tile<f8E5M3FNU>, %n: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 values, but got '!cuda_tile.tile<f8E5M3FNU>'}}
    %0 = fpowi %x, %n : tile<f8E5M3FNU>, tile<i32>
  }
}

// -----

// 13.4, section 8.2: a constant has no sign, not even that of a zero
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected a number without sign, which f8E5M3FNU does not have}}
    %0 = constant <f8E5M3FNU: [1.0, -1.0]> : tile<2xf8E5M3FNU>
  }
}

// -----

// 13.4, section 8.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected a number without sign, which f8E5M3FNU does not have}}
    %0 = constant <f8E5M3FNU: -0.0> : tile<f8E5M3FNU>
  }
}

// -----

// 4.25
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported}}
    %0 = ftof %x : tile<f32> -> tile<f8E8M0FNU>
  }
}

// -----

// 4.25
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported}}
    %0 = ftof %x rounding<negative_inf> : tile<f32> -> tile<f8E8M0FNU>
  }
}

// -----

// 4.25
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{failed to verify that all of {from, to} have same shape}}
    %0 = ftof %x : tile<f32> -> tile<1xf16>
  }
}

// -----

// 4.25
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or f8E5M3FNU values}}
    %0 = ftof %x : tile<i32> -> tile<f16>
  }
}

// -----

// 4.25
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{result #0 must be tile of f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or f8E5M3FNU values}}
    %0 = ftof %x : tile<f32> -> tile<i32>
  }
}

// -----

// 4.26
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<i4>'}}
    %0 = ftoi %x signed : tile<f32> -> tile<i4>
  }
}

// -----

// 4.26
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or f64 or tf32}}
    %0 = ftoi %x signed : tile<i32> -> tile<i32>
  }
}

// -----

// 4.26
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{failed to verify that all of {from, to} have same shape}}
    %0 = ftoi %x signed : tile<f32> -> tile<1xi32>
  }
}

// -----

// 4.26
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{nearest_int_to_zero}}
    %0 = "cuda_tile.ftoi"(%x) <{rounding_mode = #cuda_tile.rounding<zero>, signedness = #cuda_tile.signedness<signed>}> : (!cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 4.27
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{integer to f8E8M0FNU conversion is not supported, please first convert to another float type}}
    %0 = itof %x signed : tile<i32> -> tile<f8E8M0FNU>
  }
}

// -----

// 4.27
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{invalid rounding mode specified. Only 'nearest_even' is supported}}
    %0 = itof %x signed rounding<zero> : tile<i32> -> tile<f32>
  }
}

// -----

// 4.27
cuda_tile.module @m {
  entry @k(%x: tile<i4>) {
    // expected-error @+1 {{operand #0 must be tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = itof %x signed : tile<i4> -> tile<f32>
  }
}

// -----

// 4.27
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{failed to verify that all of {from, to} have same shape}}
    %0 = itof %x signed : tile<i32> -> tile<1xf32>
  }
}

// -----

// 4.27
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{result #0 must be}}
    %0 = itof %x signed : tile<i32> -> tile<i64>
  }
}

// -----

// 4.28: addresses are i64
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{operand #0 must be}}
    %0 = int_to_ptr %x : tile<i32> -> tile<ptr<i8>>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<i64>) {
    // expected-error @+1 {{result #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i64>'}}
    %0 = int_to_ptr %x : tile<i64> -> tile<i64>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<i64>) {
    // expected-error @+1 {{same shape}}
    %0 = int_to_ptr %x : tile<i64> -> tile<1xptr<i8>>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>) {
    // expected-error @+1 {{result #0 must be}}
    %0 = ptr_to_int %x : tile<ptr<i8>> -> tile<i32>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<i64>) {
    // expected-error @+1 {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i64>'}}
    %0 = ptr_to_int %x : tile<i64> -> tile<i64>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>) {
    // expected-error @+1 {{same shape}}
    %0 = ptr_to_int %x : tile<ptr<i8>> -> tile<1xi64>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<i64>) {
    // expected-error @+1 {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i64>'}}
    %0 = ptr_to_ptr %x : tile<i64> -> tile<ptr<i8>>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>) {
    // expected-error @+1 {{same shape}}
    %0 = ptr_to_ptr %x : tile<ptr<i8>> -> tile<1xptr<i16>>
  }
}

// -----

// 4.28
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>) {
    // expected-error @+1 {{result #0 must be tile of Pointer type values}}
    %0 = ptr_to_ptr %x : tile<ptr<i8>> -> tile<i64>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k(%x: tile<i32>) {
    // expected-error @+1 {{expects source and result to be rank-1 tiles}}
    %0 = pack %x : tile<i32> -> tile<i8>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi8>
    // expected-error @+1 {{expects source and result to have different element type widths}}
    %0 = pack %x : tile<4xi8> -> tile<4xi8>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<2xi1>
    // expected-error @+1 {{expects source tile to be byte-aligned}}
    %0 = pack %x : tile<2xi1> -> tile<1xi8>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi32>
    // expected-error @+1 {{expects source and result to have the same size in bytes, but got source tile size 16 bytes and result tile size 8 bytes}}
    %0 = pack %x : tile<4xi32> -> tile<8xi8>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi32>
    // expected-error @+1 {{result #0 must be}}
    %0 = pack %x : tile<4xi32> -> tile<8xi16>
  }
}

// -----

// 4.29: ranks agree
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi32>
    // expected-error @+1 {{failed to verify that all of {source, result} have same rank}}
    %0 = pack %x : tile<4xi32> -> tile<4x4xi8>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi8>
    %y = reshape %x : tile<4xi8> -> tile<2x2xi8>
    // expected-error @+1 {{expects source and result to be rank-1 tiles}}
    %0 = unpack %y : tile<2x2xi8> -> tile<1x1xi32>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi8>
    // expected-error @+1 {{failed to verify that all of {source, result} have same rank}}
    %0 = unpack %x : tile<4xi8> -> tile<i32>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi8>
    // expected-error @+1 {{expects source and result to have different element type widths}}
    %0 = unpack %x : tile<4xi8> -> tile<4xf8E5M2>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<2xi8>
    // expected-error @+1 {{expects source and result to have the same size in bytes, but got source tile size 2 bytes and result tile size 8 bytes}}
    %0 = unpack %x : tile<2xi8> -> tile<2xi32>
  }
}

// -----

// 4.29
cuda_tile.module @m {
  entry @k() {
    %x = iota : tile<4xi16>
    // expected-error @+1 {{operand #0 must be}}
    %0 = unpack %x : tile<4xi16> -> tile<2xi32>
  }
}

// -----

// 4.10: generic form needs both words
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{requires attribute 'comparison_ordering'}}
    %0 = "cuda_tile.cmpf"(%x, %x) <{comparison_predicate = #cuda_tile.comparison_predicate<equal>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i1>
  }
}

// -----

// 4.10
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{requires attribute 'comparison_predicate'}}
    %0 = "cuda_tile.cmpf"(%x, %x) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i1>
  }
}

// -----

// 4.29: pointers do not pack
cuda_tile.module @m {
  entry @k() {
    %n = iota : tile<4xi64>
    %x = int_to_ptr %n : tile<4xi64> -> tile<4xptr<i8>>
    // expected-error @+1 {{operand #0 must be tile of f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or f8E5M3FNU or i1 or i8 or i16 or i32 or i64 or i4 values, but got '!cuda_tile.tile<4xptr<i8>>'}}
    %0 = pack %x : tile<4xptr<i8>> -> tile<32xi8>
  }
}
