// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = gelu(a b) of f16, as kernels that stay on a multiprocessor compute it: a block takes tiles of c
// in turn, with a loop over the common extent for each. Filled in: the tile is $M x $N, a step $K.

!a = !cuda_tile.tensor_view<?x?xf16, strides=[?, 1]>
!a_tiles = !cuda_tile.partition_view<tile=(${M}x$K), padding_value = zero, tensor_view<?x?xf16, strides=[?, 1]>>
!b_tiles = !cuda_tile.partition_view<tile=(${K}x$N), padding_value = zero, tensor_view<?x?xf16, strides=[?, 1]>>
!c_tiles = !cuda_tile.partition_view<tile=(${M}x$N), tensor_view<?x?xf16, strides=[?, 1]>>

cuda_tile.module @m {
  entry @persistent(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f16>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %a_view = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !a
    %b_view = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !a
    %c_view = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !a
    %a_tiles = make_partition_view %a_view : !a_tiles
    %b_tiles = make_partition_view %b_view : !b_tiles
    %c_tiles = make_partition_view %c_view : !c_tiles
    %rows, %columns = get_index_space_shape %c_tiles : !c_tiles -> tile<i32>
    %same_rows, %steps = get_index_space_shape %a_tiles : !a_tiles -> tile<i32>
    %all = muli %rows, %columns : tile<i32>
    %first, %first_y, %first_z = get_tile_block_id : tile<i32>
    %blocks, %blocks_y, %blocks_z = get_num_tile_blocks : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<${M}x${N}xf32>
    %half = constant <f32: 0.5> : tile<${M}x${N}xf32>
    %unit = constant <f32: 1.0> : tile<${M}x${N}xf32>
    %cubed = constant <f32: 0.035677407> : tile<${M}x${N}xf32>
    %linear = constant <f32: 0.797884583> : tile<${M}x${N}xf32>
    for %tile in (%first to %all, step %blocks) : tile<i32> {
      %x = divi %tile, %columns signed : tile<i32>
      %y = remi %tile, %columns signed : tile<i32>
      %sums = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%so_far = %none) -> (tile<${M}x${N}xf32>) {
        %a_tile, %a_token = load_view_tko weak %a_tiles[%x, %i] : !a_tiles, tile<i32> -> tile<${M}x${K}xf16>, token
        %b_tile, %b_token = load_view_tko weak %b_tiles[%i, %y] : !b_tiles, tile<i32> -> tile<${K}x${N}xf16>, token
        %more = mmaf %a_tile, %b_tile, %so_far : tile<${M}x${K}xf16>, tile<${K}x${N}xf16>, tile<${M}x${N}xf32>
        continue %more : tile<${M}x${N}xf32>
      }
      %square = mulf %sums, %sums : tile<${M}x${N}xf32>
      %factor = fma %square, %cubed, %linear : tile<${M}x${N}xf32>
      %inner = mulf %factor, %sums : tile<${M}x${N}xf32>
      %tangent = tanh %inner : tile<${M}x${N}xf32>
      %above = addf %tangent, %unit : tile<${M}x${N}xf32>
      %scaled = mulf %above, %half : tile<${M}x${N}xf32>
      %gelu = mulf %scaled, %sums : tile<${M}x${N}xf32>
      %narrow = ftof %gelu : tile<${M}x${N}xf32> -> tile<${M}x${N}xf16>
      %token = store_view_tko weak %narrow, %c_tiles[%x, %y] : tile<${M}x${N}xf16>, !c_tiles, tile<i32> -> token
    }
  }
}
