// RUN: %check %s
// Inclusive prefixes (operations, 4.12).
// CASE @forward(i32[1, 2, 3, 4]) -> i32[1, 3, 6, 10]
//
// Reversed: results stay where their elements are.
// CASE @backward(i32[1, 2, 3, 4]) -> i32[10, 9, 7, 4]
//
// Down the columns of [[1, 2], [3, 4]].
// CASE @columns(i32[1, 2, 3, 4]) -> i32[1, 2, 4, 6]
//
// Our order: a left fold that combines the identity once, at the first element:
// body(x, acc) = 10 * acc + x gives 51, 512, 5123, 51234.
// CASE @order(i32[1, 2, 3, 4]) -> i32[51, 512, 5123, 51234]
//
// An identity of f16 may stand for one of bf16: it is the number that counts.
// CASE @exchanged(bf16[1, 2]) -> bf16[1, 2]
//
// Several vectors of quarters, whose sums are exact in any order: forwards, and backwards in f64.
// CASE @quarters(f32[6, -8.5, -6.5, -5.5, -6.5, 6, 7.25, 1.5, -9.25, -8.25, -3.5, -1.5, 2.25, -0.5, -4.75, -7, 3.75, 4.5, -9.5, -7.75, -1, -2.25, 7.75, 0.25, -1.75, -1.5, 3.25, 1.5, -6.75, 4.75, 5, 9, 5.5, -4.5, -3.75, 2.75, 3, 3.75, 7.25, -4.25, 8.75, -10, -8.5, 9.25, 8.75, -4.25, -7.25, -3.75, -9.25, 7.75, 3.25, 1.5, -5.25, -0.75, -6.25, 5.25, -0.75, -9.5, -5, 4, 0.25, -2.75, -5, -8.25]) -> f32[6, -2.5, -9, -14.5, -21, -15, -7.75, -6.25, -15.5, -23.75, -27.25, -28.75, -26.5, -27, -31.75, -38.75, -35, -30.5, -40, -47.75, -48.75, -51, -43.25, -43, -44.75, -46.25, -43, -41.5, -48.25, -43.5, -38.5, -29.5, -24, -28.5, -32.25, -29.5, -26.5, -22.75, -15.5, -19.75, -11, -21, -29.5, -20.25, -11.5, -15.75, -23, -26.75, -36, -28.25, -25, -23.5, -28.75, -29.5, -35.75, -30.5, -31.25, -40.75, -45.75, -41.75, -41.5, -44.25, -49.25, -57.5]
// CASE @doubles(f64[6, -8.5, -6.5, -5.5, -6.5, 6, 7.25, 1.5, -9.25, -8.25, -3.5, -1.5, 2.25, -0.5, -4.75, -7, 3.75, 4.5, -9.5, -7.75, -1, -2.25, 7.75, 0.25, -1.75, -1.5, 3.25, 1.5, -6.75, 4.75, 5, 9, 5.5, -4.5, -3.75, 2.75, 3, 3.75, 7.25, -4.25, 8.75, -10, -8.5, 9.25, 8.75, -4.25, -7.25, -3.75, -9.25, 7.75, 3.25, 1.5, -5.25, -0.75, -6.25, 5.25, -0.75, -9.5, -5, 4, 0.25, -2.75, -5, -8.25]) -> f64[-57.5, -63.5, -55, -48.5, -43, -36.5, -42.5, -49.75, -51.25, -42, -33.75, -30.25, -28.75, -31, -30.5, -25.75, -18.75, -22.5, -27, -17.5, -9.75, -8.75, -6.5, -14.25, -14.5, -12.75, -11.25, -14.5, -16, -9.25, -14, -19, -28, -33.5, -29, -25.25, -28, -31, -34.75, -42, -37.75, -46.5, -36.5, -28, -37.25, -46, -41.75, -34.5, -30.75, -21.5, -29.25, -32.5, -34, -28.75, -28, -21.75, -27, -26.25, -16.75, -11.75, -15.75, -16, -13.25, -8.25]
//
// -0 and the identity 0 are 0.
// CASE @zeros(f32[-0, -0, -0, -0, -0, -0, -0, -0, 1, -1, -0, -0, -0, -0, -0, -0]) -> f32[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!bf16_2 = !cuda_tile.tensor_view<2xbf16, strides=[1]>
!bf16_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xbf16, strides=[1]>>
!i32_2x2 = !cuda_tile.tensor_view<2x2xi32, strides=[2, 1]>
!i32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2, 1]>>
!f32_64 = !cuda_tile.tensor_view<64xf32, strides=[1]>
!f32_64_tiles = !cuda_tile.partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
!f64_64 = !cuda_tile.tensor_view<64xf64, strides=[1]>
!f64_64_tiles = !cuda_tile.partition_view<tile=(64), tensor_view<64xf64, strides=[1]>>
!f32_16 = !cuda_tile.tensor_view<16xf32, strides=[1]>
!f32_16_tiles = !cuda_tile.partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>

cuda_tile.module @case {
  entry @forward(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32_4
    %a_tiles = make_partition_view %a_view : !i32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = scan %a dim=0 reverse=false identities=[0 : i32] : tile<4xi32> -> tile<4xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      yield %sum : tile<i32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @backward(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32_4
    %a_tiles = make_partition_view %a_view : !i32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %r = scan %a dim=0 reverse=true identities=[0 : i32] : tile<4xi32> -> tile<4xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      yield %sum : tile<i32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @columns(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %a_tiles = make_partition_view %a_view : !i32_2x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_2x2_tiles, tile<i32> -> tile<2x2xi32>, token
    %r = scan %a dim=0 reverse=false identities=[0 : i32] : tile<2x2xi32> -> tile<2x2xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      yield %sum : tile<i32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %r_tiles = make_partition_view %r_view : !i32_2x2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero, %zero] : tile<2x2xi32>, !i32_2x2_tiles, tile<i32> -> token
  }

  entry @order(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32_4
    %a_tiles = make_partition_view %a_view : !i32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %ten = constant <i32: 10> : tile<i32>
    %r = scan %a dim=0 reverse=false identities=[5 : i32] : tile<4xi32> -> tile<4xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %tens = muli %acc, %ten : tile<i32>
      %sum = addi %tens, %x : tile<i32>
      yield %sum : tile<i32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [4], strides = [1] : !i32_4
    %r_tiles = make_partition_view %r_view : !i32_4_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
  }

  entry @exchanged(%a_ptr: tile<ptr<bf16>>, %r_ptr: tile<ptr<bf16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2], strides = [1] : !bf16_2
    %a_tiles = make_partition_view %a_view : !bf16_2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !bf16_2_tiles, tile<i32> -> tile<2xbf16>, token
    %r = scan %a dim=0 reverse=false identities=[1.0 : f16] : tile<2xbf16> -> tile<2xbf16>
    (%x: tile<bf16>, %acc: tile<bf16>) {
      %product = mulf %x, %acc rounding<nearest_even> : tile<bf16>
      yield %product : tile<bf16>
    }
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !bf16_2
    %r_tiles = make_partition_view %r_view : !bf16_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xbf16>, !bf16_2_tiles, tile<i32> -> token
  }

  entry @quarters(%a_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [64], strides = [1] : !f32_64
    %a_tiles = make_partition_view %a_view : !f32_64_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_64_tiles, tile<i32> -> tile<64xf32>, token
    %r = scan %a dim=0 reverse=false identities=[0.0 : f32] : tile<64xf32> -> tile<64xf32>
    (%x: tile<f32>, %acc: tile<f32>) {
      %sum = addf %x, %acc : tile<f32>
      yield %sum : tile<f32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [64], strides = [1] : !f32_64
    %r_tiles = make_partition_view %r_view : !f32_64_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<64xf32>, !f32_64_tiles, tile<i32> -> token
  }

  entry @doubles(%a_ptr: tile<ptr<f64>>, %r_ptr: tile<ptr<f64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [64], strides = [1] : !f64_64
    %a_tiles = make_partition_view %a_view : !f64_64_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f64_64_tiles, tile<i32> -> tile<64xf64>, token
    %r = scan %a dim=0 reverse=true identities=[0.0 : f64] : tile<64xf64> -> tile<64xf64>
    (%x: tile<f64>, %acc: tile<f64>) {
      %sum = addf %x, %acc : tile<f64>
      yield %sum : tile<f64>
    }
    %r_view = make_tensor_view %r_ptr, shape = [64], strides = [1] : !f64_64
    %r_tiles = make_partition_view %r_view : !f64_64_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<64xf64>, !f64_64_tiles, tile<i32> -> token
  }

  entry @zeros(%a_ptr: tile<ptr<f32>>, %r_ptr: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [16], strides = [1] : !f32_16
    %a_tiles = make_partition_view %a_view : !f32_16_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_16_tiles, tile<i32> -> tile<16xf32>, token
    %r = scan %a dim=0 reverse=false identities=[0.0 : f32] : tile<16xf32> -> tile<16xf32>
    (%x: tile<f32>, %acc: tile<f32>) {
      %sum = addf %x, %acc : tile<f32>
      yield %sum : tile<f32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [16], strides = [1] : !f32_16
    %r_tiles = make_partition_view %r_view : !f32_16_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<16xf32>, !f32_16_tiles, tile<i32> -> token
  }
}
