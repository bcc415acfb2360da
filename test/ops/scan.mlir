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

!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!bf16_2 = !cuda_tile.tensor_view<2xbf16, strides=[1]>
!bf16_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xbf16, strides=[1]>>
!i32_2x2 = !cuda_tile.tensor_view<2x2xi32, strides=[2, 1]>
!i32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2, 1]>>

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
}
