// RUN: %check %s
// Powers of small integers and of two are exact (13.4, section 12): 2^-3, (-2)^3, 3^4, 10^0.
// CASE @f32_i32(f32[2.0, -2.0, 3.0, 10.0], i32[-3, 3, 4, 0]) -> f32[0.125, -8.0, 81.0, 1.0]
//
// x^0 is 1, that of a NaN too; zeros and infinities keep their sign for odd exponents (section 3).
// CASE @f32_i32(f32[nan, nan, 0.0, -0.0], i32[0, 1, 0, -1]) -> f32[1.0, nan, 1.0, -inf]
// CASE @f32_i32(f32[-0.0, -0.0, -0.0, 0.0], i32[1, 2, -2, -3]) -> f32[-0.0, 0.0, inf, inf]
// CASE @f32_i32(f32[-inf, -inf, -inf, -inf], i32[1, 2, -1, -2]) -> f32[-inf, inf, -0.0, 0.0]
// CASE @f32_i32(f32[inf, inf, inf, inf], i32[1, 2, -1, 0]) -> f32[inf, inf, 0.0, 1.0]
//
// The least exponents have no negation in their type: (-1)^-2^31 = 1, 2^-2^31 vanishes, and 0.5^-128
// is 2^128, beyond f32 and not beyond f64. An exponent of one bit is 0 or -1.
// CASE @f32_i32(f32[-1.0, 2.0, 0.5, -1.0], i32[-2147483648, -2147483648, -2147483648, 2147483647]) ->
//     f32[1.0, 0.0, inf, -1.0]
// CASE @f32_i8(f32[0.5, 2.0, -2.0, 0.5], i8[-128, -128, 127, 127]) ->
//     f32[inf, 2.938735877055719e-39, -1.7014118346046923e38, 5.877471754111438e-39]
// CASE @f64_i16(f64[0.5, -2.0, 2.0, 3.0], i16[-128, -1074, 1024, 33]) ->
//     f64[3.402823669209385e38, 5e-324, inf, 5559060566555523.0]
// CASE @f32_i1(f32[3.0, 3.0, nan, -4.0], i1[true, false, false, true]) -> f32[0.3333333432674408, 1.0, 1.0, -0.25]
//
// Near 1 a large exponent counts: (1 + 2^-23)^(2^23) is e, nearly; and the quotient that 1/x^n would
// lose is there: (2^-100)^-1 * ... = 2^127 from a base whose power 2^-127 is subnormal.
// CASE @f32_i32(f32[1.0000001192092896, 0.5, 0.0009765625, -3.0], i32[8388608, -127, -12, 5]) ->
//     f32[2.7182817, 1.7014118346046923e38, 1.329227995784916e36, -243.0]
//
// f16 and bf16 are computed in f32: 300^2 is 90000, beyond f16 and rounded in bf16 (to 90112).
// CASE @f16_i32(f16[300.0, 3.0, -0.5, 2.0], i32[2, 7, 3, -24]) -> f16[inf, 2188.0, -0.125, 5.960464477539063e-08]
// CASE @bf16_i32(bf16[300.0, 3.0, -0.5, 2.0], i32[2, 3, 3, 100]) -> bf16[90112.0, 27.0, -0.125, 1.2676506002282294e30]

!f32_4 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!f64_4 = !cuda_tile.tensor_view<4xf64, strides=[1]>
!f64_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf64, strides=[1]>>
!f16_4 = !cuda_tile.tensor_view<4xf16, strides=[1]>
!f16_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>
!bf16_4 = !cuda_tile.tensor_view<4xbf16, strides=[1]>
!bf16_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xbf16, strides=[1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i8_4 = !cuda_tile.tensor_view<4xi8, strides=[1]>
!i8_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi8, strides=[1]>>
!i16_4 = !cuda_tile.tensor_view<4xi16, strides=[1]>
!i16_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi16, strides=[1]>>
!i1_4 = !cuda_tile.tensor_view<4xi1, strides=[1]>
!i1_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi1, strides=[1]>>

cuda_tile.module @case {
  entry @f32_i32(%x_ptr: tile<ptr<f32>>, %n_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x_view = make_tensor_view %x_ptr, shape = [4], strides = [1] : !f32_4
    %x_tiles = make_partition_view %x_view : !f32_4_tiles
    %x, %x_token = load_view_tko weak %x_tiles[%zero] : !f32_4_tiles, tile<i32> -> tile<4xf32>, token
    %n_view = make_tensor_view %n_ptr, shape = [4], strides = [1] : !i32_4
    %n_tiles = make_partition_view %n_view : !i32_4_tiles
    %n, %n_token = load_view_tko weak %n_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = fpowi %x, %n : tile<4xf32>, tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f32_4
    %r_tiles = make_partition_view %r_view : !f32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
  }

  entry @f32_i8(%x_ptr: tile<ptr<f32>>, %n_ptr: tile<ptr<i8>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x_view = make_tensor_view %x_ptr, shape = [4], strides = [1] : !f32_4
    %x_tiles = make_partition_view %x_view : !f32_4_tiles
    %x, %x_token = load_view_tko weak %x_tiles[%zero] : !f32_4_tiles, tile<i32> -> tile<4xf32>, token
    %n_view = make_tensor_view %n_ptr, shape = [4], strides = [1] : !i8_4
    %n_tiles = make_partition_view %n_view : !i8_4_tiles
    %n, %n_token = load_view_tko weak %n_tiles[%zero] : !i8_4_tiles, tile<i32> -> tile<4xi8>, token
    %r = fpowi %x, %n : tile<4xf32>, tile<4xi8>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f32_4
    %r_tiles = make_partition_view %r_view : !f32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
  }

  entry @f32_i1(%x_ptr: tile<ptr<f32>>, %n_ptr: tile<ptr<i1>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x_view = make_tensor_view %x_ptr, shape = [4], strides = [1] : !f32_4
    %x_tiles = make_partition_view %x_view : !f32_4_tiles
    %x, %x_token = load_view_tko weak %x_tiles[%zero] : !f32_4_tiles, tile<i32> -> tile<4xf32>, token
    %n_view = make_tensor_view %n_ptr, shape = [4], strides = [1] : !i1_4
    %n_tiles = make_partition_view %n_view : !i1_4_tiles
    %n, %n_token = load_view_tko weak %n_tiles[%zero] : !i1_4_tiles, tile<i32> -> tile<4xi1>, token
    %r = fpowi %x, %n : tile<4xf32>, tile<4xi1>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f32_4
    %r_tiles = make_partition_view %r_view : !f32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf32>, !f32_4_tiles, tile<i32> -> token
  }

  entry @f64_i16(%x_ptr: tile<ptr<f64>>, %n_ptr: tile<ptr<i16>>, %r_ptr: tile<ptr<f64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x_view = make_tensor_view %x_ptr, shape = [4], strides = [1] : !f64_4
    %x_tiles = make_partition_view %x_view : !f64_4_tiles
    %x, %x_token = load_view_tko weak %x_tiles[%zero] : !f64_4_tiles, tile<i32> -> tile<4xf64>, token
    %n_view = make_tensor_view %n_ptr, shape = [4], strides = [1] : !i16_4
    %n_tiles = make_partition_view %n_view : !i16_4_tiles
    %n, %n_token = load_view_tko weak %n_tiles[%zero] : !i16_4_tiles, tile<i32> -> tile<4xi16>, token
    %r = fpowi %x, %n : tile<4xf64>, tile<4xi16>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f64_4
    %r_tiles = make_partition_view %r_view : !f64_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf64>, !f64_4_tiles, tile<i32> -> token
  }

  entry @f16_i32(%x_ptr: tile<ptr<f16>>, %n_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x_view = make_tensor_view %x_ptr, shape = [4], strides = [1] : !f16_4
    %x_tiles = make_partition_view %x_view : !f16_4_tiles
    %x, %x_token = load_view_tko weak %x_tiles[%zero] : !f16_4_tiles, tile<i32> -> tile<4xf16>, token
    %n_view = make_tensor_view %n_ptr, shape = [4], strides = [1] : !i32_4
    %n_tiles = make_partition_view %n_view : !i32_4_tiles
    %n, %n_token = load_view_tko weak %n_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = fpowi %x, %n : tile<4xf16>, tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !f16_4
    %r_tiles = make_partition_view %r_view : !f16_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xf16>, !f16_4_tiles, tile<i32> -> token
  }

  entry @bf16_i32(%x_ptr: tile<ptr<bf16>>, %n_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<bf16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %x_view = make_tensor_view %x_ptr, shape = [4], strides = [1] : !bf16_4
    %x_tiles = make_partition_view %x_view : !bf16_4_tiles
    %x, %x_token = load_view_tko weak %x_tiles[%zero] : !bf16_4_tiles, tile<i32> -> tile<4xbf16>, token
    %n_view = make_tensor_view %n_ptr, shape = [4], strides = [1] : !i32_4
    %n_tiles = make_partition_view %n_view : !i32_4_tiles
    %n, %n_token = load_view_tko weak %n_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = fpowi %x, %n : tile<4xbf16>, tile<4xi32>
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !bf16_4
    %r_tiles = make_partition_view %r_view : !bf16_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xbf16>, !bf16_4_tiles, tile<i32> -> token
  }
}
