// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a * b for matrices of any size: f16 factors, f32 sums.
//
// Each tile block computes one 32x32 tile of c: it walks along a row of tiles of a
// and down a column of tiles of b, 32 elements of the common dimension K at a time.
//
//           K                 N                 N
//       +-------+         +---+---+         +---+---+
//     M |=======|  *    K |   | # |   =   M |   | x |   block (x, y): tile row x,
//       |       |         |   | # |         |   |   |                 tile column y
//       +-------+         +---+---+         +---+---+
//
// No extent need be a multiple of 32: tiles that reach past an edge are filled with
// zeros, which add nothing to the sums, and stores leave out what lies outside.

!a = !cuda_tile.tensor_view<?x?xf16, strides=[?, ?]>
!b = !cuda_tile.tensor_view<?x?xf16, strides=[?, ?]>
!c = !cuda_tile.tensor_view<?x?xf32, strides=[?, ?]>
!a_tiles = !cuda_tile.partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?, ?]>>
!b_tiles = !cuda_tile.partition_view<tile=(32x32), padding_value = zero, tensor_view<?x?xf16, strides=[?, ?]>>
!c_tiles = !cuda_tile.partition_view<tile=(32x32), tensor_view<?x?xf32, strides=[?, ?]>>

cuda_tile.module @examples {
  // An array arrives as its address, then its extents, then its strides in elements.
  entry @matmul(%a: tile<ptr<f16>>, %a_m: tile<i32>, %a_k: tile<i32>, %a_sm: tile<i32>, %a_sk: tile<i32>,
                %b: tile<ptr<f16>>, %b_k: tile<i32>, %b_n: tile<i32>, %b_sk: tile<i32>, %b_sn: tile<i32>,
                %c: tile<ptr<f32>>, %c_m: tile<i32>, %c_n: tile<i32>, %c_sm: tile<i32>, %c_sn: tile<i32>) {
    %a_view = make_tensor_view %a, shape = [%a_m, %a_k], strides = [%a_sm, %a_sk] : tile<i32> -> !a
    %b_view = make_tensor_view %b, shape = [%b_k, %b_n], strides = [%b_sk, %b_sn] : tile<i32> -> !b
    %c_view = make_tensor_view %c, shape = [%c_m, %c_n], strides = [%c_sm, %c_sn] : tile<i32> -> !c
    %a_tiles = make_partition_view %a_view : !a_tiles
    %b_tiles = make_partition_view %b_view : !b_tiles
    %c_tiles = make_partition_view %c_view : !c_tiles

    %x, %y, %z = get_tile_block_id : tile<i32>
    // The index space of a view counts tiles: a has ceil(M/32) rows and ceil(K/32) columns of them.
    %m_tiles, %k_tiles = get_index_space_shape %a_tiles : !a_tiles -> tile<i32>

    %first = constant <i32: 0> : tile<i32>
    %step = constant <i32: 1> : tile<i32>
    %zeros = constant <f32: 0.0> : tile<32x32xf32>
    // The sums so far are a value that each turn of the loop hands to the next.
    %sums = for %k in (%first to %k_tiles, step %step) : tile<i32>
        iter_values(%so_far = %zeros) -> (tile<32x32xf32>) {
      %a_tile, %a_token = load_view_tko weak %a_tiles[%x, %k] : !a_tiles, tile<i32> -> tile<32x32xf16>, token
      %b_tile, %b_token = load_view_tko weak %b_tiles[%k, %y] : !b_tiles, tile<i32> -> tile<32x32xf16>, token
      %more = mmaf %a_tile, %b_tile, %so_far : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      continue %more : tile<32x32xf32>
    }
    %c_token = store_view_tko weak %sums, %c_tiles[%x, %y] : tile<32x32xf32>, !c_tiles, tile<i32> -> token
    return
  }
}
