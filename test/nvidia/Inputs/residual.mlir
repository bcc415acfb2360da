// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = r (a b + r) + r of f16, element by element: sums and r together may need more registers than a thread
// has. Filled in: the tile is $M x $N, a step $K.

!matrix = !cuda_tile.tensor_view<?x?xf16, strides=[?, 1]>
!a_tiles = !cuda_tile.partition_view<tile=(${M}x$K), padding_value = zero, tensor_view<?x?xf16, strides=[?, 1]>>
!b_tiles = !cuda_tile.partition_view<tile=(${K}x$N), padding_value = zero, tensor_view<?x?xf16, strides=[?, 1]>>
!c_tiles = !cuda_tile.partition_view<tile=(${M}x$N), padding_value = zero, tensor_view<?x?xf16, strides=[?, 1]>>

cuda_tile.module @m {
  entry @residual(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %r: tile<ptr<f16>>, %c: tile<ptr<f16>>,
                  %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %a_view = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !matrix
    %b_view = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %c_view = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %a_tiles = make_partition_view %a_view : !a_tiles
    %b_tiles = make_partition_view %b_view : !b_tiles
    %c_tiles = make_partition_view %c_view : !c_tiles
    %rows, %steps = get_index_space_shape %a_tiles : !a_tiles -> tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<${M}x${N}xf32>
    %sums = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%so_far = %none) -> (tile<${M}x${N}xf32>) {
      %a_tile, %a_token = load_view_tko weak %a_tiles[%x, %i] : !a_tiles, tile<i32> -> tile<${M}x${K}xf16>, token
      %b_tile, %b_token = load_view_tko weak %b_tiles[%i, %y] : !b_tiles, tile<i32> -> tile<${K}x${N}xf16>, token
      %more = mmaf %a_tile, %b_tile, %so_far : tile<${M}x${K}xf16>, tile<${K}x${N}xf16>, tile<${M}x${N}xf32>
      continue %more : tile<${M}x${N}xf32>
    }
    %r_view = make_tensor_view %r, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !matrix
    %r_tiles = make_partition_view %r_view : !c_tiles
    %r_half, %r_token = load_view_tko weak %r_tiles[%x, %y] : !c_tiles, tile<i32> -> tile<${M}x${N}xf16>, token
    %r_tile = ftof %r_half : tile<${M}x${N}xf16> -> tile<${M}x${N}xf32>
    %sum = addf %sums, %r_tile : tile<${M}x${N}xf32>
    %scaled = fma %sum, %r_tile, %r_tile : tile<${M}x${N}xf32>
    %narrow = ftof %scaled : tile<${M}x${N}xf32> -> tile<${M}x${N}xf16>
    %token = store_view_tko weak %narrow, %c_tiles[%x, %y] : tile<${M}x${N}xf16>, !c_tiles, tile<i32> -> token
  }
}
