// Conversions, packing and selection. The file is written as it prints; forms in
// operations (arithmetic), 4.21 to 4.29.
// RUN: %canonical %s

module {
  cuda_tile.module @conversion {
    // Partners are the number types of one width; identical types are allowed (4.22).
    entry @bitcast(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>, %arg5: tile<tf32>) {
      %0 = bitcast %arg0 : tile<i1> -> tile<i1>
      %1 = bitcast %arg1 : tile<i8> -> tile<f8E4M3FN>
      %2 = bitcast %1 : tile<f8E4M3FN> -> tile<f8E5M2>
      %3 = bitcast %2 : tile<f8E5M2> -> tile<f8E8M0FNU>
      %4 = bitcast %arg2 : tile<i16> -> tile<f16>
      %5 = bitcast %4 : tile<f16> -> tile<bf16>
      %6 = bitcast %arg3 {note} : tile<i32> -> tile<f32>
      %7 = bitcast %arg4 : tile<i64> -> tile<f64>
      %8 = bitcast %arg5 : tile<tf32> -> tile<tf32>
      %9 = iota : tile<8xi32>
      %10 = bitcast %9 : tile<8xi32> -> tile<8xf32>
      return
    }
    entry @exti(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>) {
      %0 = exti %arg0 unsigned : tile<i1> -> tile<i4>
      %1 = exti %0 signed : tile<i4> -> tile<i8>
      %2 = exti %arg1 unsigned {note} : tile<i8> -> tile<i16>
      %3 = exti %arg2 signed : tile<i16> -> tile<i32>
      %4 = exti %arg3 signed : tile<i32> -> tile<i64>
      %5 = exti %arg0 unsigned : tile<i1> -> tile<i64>
      return
    }
    entry @trunci(%arg0: tile<i64>) {
      %0 = trunci %arg0 : tile<i64> -> tile<i32>
      %1 = trunci %0 overflow<no_signed_wrap> : tile<i32> -> tile<i16>
      %2 = trunci %1 overflow<no_unsigned_wrap> : tile<i16> -> tile<i8>
      %3 = trunci %2 overflow<no_wrap> {note} : tile<i8> -> tile<i4>
      %4 = trunci %3 : tile<i4> -> tile<i1>
      return
    }
    // Only f8E8M0FNU has roundings to choose from, so only there one is printed (4.25).
    entry @ftof(%arg0: tile<f64>) {
      %0 = ftof %arg0 : tile<f64> -> tile<f32>
      %1 = ftof %0 : tile<f32> -> tile<tf32>
      %2 = ftof %1 : tile<tf32> -> tile<f16>
      %3 = ftof %2 {note} : tile<f16> -> tile<bf16>
      %4 = ftof %3 : tile<bf16> -> tile<f8E4M3FN>
      %5 = ftof %4 : tile<f8E4M3FN> -> tile<f8E5M2>
      %6 = ftof %5 rounding<zero> : tile<f8E5M2> -> tile<f8E8M0FNU>
      %7 = ftof %0 rounding<positive_inf> {note} : tile<f32> -> tile<f8E8M0FNU>
      %8 = ftof %6 : tile<f8E8M0FNU> -> tile<f64>
      %reshape = reshape %0 : tile<f32> -> tile<1xf32>
      %bcast = broadcast %reshape : tile<1xf32> -> tile<4xf32>
      %9 = ftof %bcast : tile<4xf32> -> tile<4xf4E2M1FN>
      %10 = ftof %9 : tile<4xf4E2M1FN> -> tile<4xf16>
      %11 = ftof %10 : tile<4xf16> -> tile<4xf8E5M3FNU>
      %12 = ftof %11 rounding<nearest_away> : tile<4xf8E5M3FNU> -> tile<4xbf16>
      %13 = ftof %11 rounding<zero> : tile<4xf8E5M3FNU> -> tile<4xf16>
      return
    }
    entry @ftoi(%arg0: tile<f16>, %arg1: tile<bf16>, %arg2: tile<f32>, %arg3: tile<tf32>, %arg4: tile<f64>, %arg5: tile<f8E4M3FN>, %arg6: tile<f8E5M2>, %arg7: tile<f8E8M0FNU>) {
      %0 = ftoi %arg0 signed : tile<f16> -> tile<i1>
      %1 = ftoi %arg1 unsigned : tile<bf16> -> tile<i8>
      %2 = ftoi %arg2 signed {note} : tile<f32> -> tile<i16>
      %3 = ftoi %arg3 unsigned : tile<tf32> -> tile<i32>
      %4 = ftoi %arg4 signed : tile<f64> -> tile<i64>
      %5 = ftoi %arg5 unsigned : tile<f8E4M3FN> -> tile<i32>
      %6 = ftoi %arg6 signed : tile<f8E5M2> -> tile<i32>
      %7 = ftoi %arg7 unsigned : tile<f8E8M0FNU> -> tile<i64>
      return
    }
    entry @itof(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<i16>, %arg3: tile<i32>, %arg4: tile<i64>) {
      %0 = itof %arg0 signed : tile<i1> -> tile<f16>
      %1 = itof %arg1 unsigned : tile<i8> -> tile<bf16>
      %2 = itof %arg2 signed {note} : tile<i16> -> tile<f32>
      %3 = itof %arg3 unsigned : tile<i32> -> tile<tf32>
      %4 = itof %arg4 signed : tile<i64> -> tile<f64>
      %5 = itof %arg4 unsigned : tile<i64> -> tile<f8E4M3FN>
      %6 = itof %arg4 signed : tile<i64> -> tile<f8E5M2>
      %7 = iota : tile<4xi8>
      %8 = itof %7 unsigned : tile<4xi8> -> tile<4xf4E2M1FN>
      return
    }
    entry @pointers(%arg0: tile<i64>) {
      %0 = int_to_ptr %arg0 : tile<i64> -> tile<ptr<bf16>>
      %1 = ptr_to_ptr %0 : tile<ptr<bf16>> -> tile<ptr<i8>>
      %2 = ptr_to_ptr %1 {note} : tile<ptr<i8>> -> tile<ptr<i8>>
      %3 = ptr_to_int %2 {note} : tile<ptr<i8>> -> tile<i64>
      %4 = iota : tile<8xi64>
      %5 = int_to_ptr %4 {note} : tile<8xi64> -> tile<8xptr<f4E2M1FN>>
      %6 = ptr_to_int %5 : tile<8xptr<f4E2M1FN>> -> tile<8xi64>
      return
    }
    // Bytes both ways; i1 counts one bit, i4 and f4E2M1FN four, tf32 thirty-two (4.29).
    entry @pack() {
      %0 = iota : tile<64xi8>
      %1 = unpack %0 : tile<64xi8> -> tile<512xi1>
      %2 = pack %1 : tile<512xi1> -> tile<64xi8>
      %3 = unpack %2 : tile<64xi8> -> tile<128xi4>
      %4 = pack %3 {note} : tile<128xi4> -> tile<64xi8>
      %5 = unpack %4 {note} : tile<64xi8> -> tile<128xf4E2M1FN>
      %6 = pack %5 : tile<128xf4E2M1FN> -> tile<64xi8>
      %7 = unpack %6 : tile<64xi8> -> tile<32xbf16>
      %8 = pack %7 : tile<32xbf16> -> tile<64xi8>
      %9 = unpack %8 : tile<64xi8> -> tile<16xtf32>
      %10 = pack %9 : tile<16xtf32> -> tile<64xi8>
      %11 = unpack %10 : tile<64xi8> -> tile<8xi64>
      %12 = pack %11 : tile<8xi64> -> tile<64xi8>
      return
    }
    // Any element but f4E2M1FN; i4 and pointers included (4.21).
    entry @select(%arg0: tile<i1>, %arg1: tile<i8>, %arg2: tile<f8E8M0FNU>, %arg3: tile<ptr<f32>>) {
      %0 = select %arg0, %arg1, %arg1 : tile<i1>, tile<i8>
      %1 = select %arg0, %arg2, %arg2 : tile<i1>, tile<f8E8M0FNU>
      %2 = select %arg0, %arg3, %arg3 {note} : tile<i1>, tile<ptr<f32>>
      %3 = trunci %arg1 : tile<i8> -> tile<i4>
      %4 = select %arg0, %3, %3 : tile<i1>, tile<i4>
      %5 = iota : tile<2xi1>
      %6 = iota : tile<2xi64>
      %7 = select %5, %6, %6 : tile<2xi1>, tile<2xi64>
      return
    }
  }
}
