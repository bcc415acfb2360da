// RUN: %check %s
// 0.3 is nearest to 0x2A; beyond 448 the result saturates (arithmetic, 10).
// CASE @saturating(f32[0.3, 464.0, -1000.0, 0.0]) -> f8E4M3FN[0x2A, 0x7E, 0xFE, 0x00]
//
// f16 has infinities: no saturation.
// CASE @half(f32[0.1, 65520.0, -1e10, nan]) -> f16[0x2E66, inf, -inf, nan]
//
// 1 + 2^-11 lies halfway between two tf32 and goes to the even one.
// CASE @tf32(f32[0x3F801000, 0x3F803000, 1.5, -inf]) -> tf32[1.0, 0x3F804000, 1.5, -inf]
//
// Widening is exact; 0x0001 is 2^-24.
// CASE @widening(f16[0x0001, 65504.0, -0.0, inf]) -> f32[0x33800000, 65504.0, -0.0, inf]
//
// f8E5M3FNU has no infinity: 118784 is a tie, and beyond it saturates, infinity too; 2^-18 is a tie
// with nothing. The second row is the way back (13.4, section 8.2).
// CASE @to_e5m3(f32[0.0, 7.62939453125e-06, 1.125, 65536.0, 118784.0, 200000.0, inf, nan]) -> f8E5M3FNU[0x00, 0x01, 0x79, 0xF8, 0xFE, 0xFE, 0xFE, 0xFF]
// CASE @from_e5m3(f8E5M3FNU[0x00, 0x01, 0x07, 0x08, 0x79, 0xF0, 0xFE, 0xFF]) -> f32[0.0, 7.62939453125e-06, 5.340576171875e-05, 6.103515625e-05, 1.125, 32768.0, 114688.0, nan]

!f32 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!f8E4M3FN = !cuda_tile.tensor_view<4xf8E4M3FN, strides=[1]>
!f8E4M3FN_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf8E4M3FN, strides=[1]>>
!f16 = !cuda_tile.tensor_view<4xf16, strides=[1]>
!f16_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>
!tf32 = !cuda_tile.tensor_view<4xtf32, strides=[1]>
!tf32_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xtf32, strides=[1]>>
!f32_8 = !cuda_tile.tensor_view<8xf32, strides=[1]>
!f32_8_tiles = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
!f8E5M3FNU = !cuda_tile.tensor_view<8xf8E5M3FNU, strides=[1]>
!f8E5M3FNU_tiles = !cuda_tile.partition_view<tile=(8), tensor_view<8xf8E5M3FNU, strides=[1]>>

cuda_tile.module @case {
  entry @to_e5m3(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f8E5M3FNU>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [8], strides = [1] : !f32_8
    %a_tiles = make_partition_view %a_view : !f32_8_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_8_tiles, tile<i32> -> tile<8xf32>, token
    %r = ftof %a : tile<8xf32> -> tile<8xf8E5M3FNU>
    %out_view = make_tensor_view %out_ptr, shape = [8], strides = [1] : !f8E5M3FNU
    %out_tiles = make_partition_view %out_view : !f8E5M3FNU_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<8xf8E5M3FNU>, !f8E5M3FNU_tiles, tile<i32> -> token
  }

  entry @from_e5m3(%a_ptr: tile<ptr<f8E5M3FNU>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [8], strides = [1] : !f8E5M3FNU
    %a_tiles = make_partition_view %a_view : !f8E5M3FNU_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f8E5M3FNU_tiles, tile<i32> -> tile<8xf8E5M3FNU>, token
    %r = ftof %a : tile<8xf8E5M3FNU> -> tile<8xf32>
    %out_view = make_tensor_view %out_ptr, shape = [8], strides = [1] : !f32_8
    %out_tiles = make_partition_view %out_view : !f32_8_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<8xf32>, !f32_8_tiles, tile<i32> -> token
  }

  entry @saturating(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f8E4M3FN>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = ftof %a : tile<4xf32> -> tile<4xf8E4M3FN>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f8E4M3FN
    %out_tiles = make_partition_view %out_view : !f8E4M3FN_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf8E4M3FN>, !f8E4M3FN_tiles, tile<i32> -> token
  }

  entry @half(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = ftof %a : tile<4xf32> -> tile<4xf16>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f16
    %out_tiles = make_partition_view %out_view : !f16_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf16>, !f16_tiles, tile<i32> -> token
  }

  entry @tf32(%a_ptr: tile<ptr<f32>>, %out_ptr: tile<ptr<tf32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32
    %a_tiles = make_partition_view %a_view : !f32_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_tiles, tile<i32> -> tile<4xf32>, token
    %r = ftof %a : tile<4xf32> -> tile<4xtf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !tf32
    %out_tiles = make_partition_view %out_view : !tf32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xtf32>, !tf32_tiles, tile<i32> -> token
  }

  entry @widening(%a_ptr: tile<ptr<f16>>, %out_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f16
    %a_tiles = make_partition_view %a_view : !f16_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f16_tiles, tile<i32> -> tile<4xf16>, token
    %r = ftof %a : tile<4xf16> -> tile<4xf32>
    %out_view = make_tensor_view %out_ptr, shape = [4], strides = [1] : !f32
    %out_tiles = make_partition_view %out_view : !f32_tiles
    %out_token = store_view_tko weak %r, %out_tiles[%zero] : tile<4xf32>, !f32_tiles, tile<i32> -> token
  }
}
