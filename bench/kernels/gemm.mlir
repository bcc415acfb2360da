// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a b, row-major, for extents that are unknown when the kernel is compiled. A block computes
// one tile of c; blocks that follow one another share a column of tiles of b.
//
// Filled in by bench/speed/kernels.py: $T the factors' type, $S the sums' type, $TM x $TN the
// tile, $TK how much of the common extent a step takes, $mma and $signs the operation.

!a = !cuda_tile.tensor_view<?x?x$T, strides=[?, 1]>
!c = !cuda_tile.tensor_view<?x?x$S, strides=[?, 1]>
!a_tiles = !cuda_tile.partition_view<tile=(${TM}x$TK), padding_value = zero, tensor_view<?x?x$T, strides=[?, 1]>>
!b_tiles = !cuda_tile.partition_view<tile=(${TK}x$TN), padding_value = zero, tensor_view<?x?x$T, strides=[?, 1]>>
!c_tiles = !cuda_tile.partition_view<tile=(${TM}x$TN), tensor_view<?x?x$S, strides=[?, 1]>>

cuda_tile.module @gemm {
  entry @gemm(%a: tile<ptr<$T>>, %b: tile<ptr<$T>>, %c: tile<ptr<$S>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {
    %a_view = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> !a
    %b_view = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> !a
    %c_view = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !c
    %a_tiles = make_partition_view %a_view : !a_tiles
    %b_tiles = make_partition_view %b_view : !b_tiles
    %c_tiles = make_partition_view %c_view : !c_tiles

    %x, %y, %z = get_tile_block_id : tile<i32>
    %rows, %steps = get_index_space_shape %a_tiles : !a_tiles -> tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %zeros = constant <$S: $nothing> : tile<${TM}x${TN}x$S>
    %sums = for %i in (%zero to %steps, step %one) : tile<i32>
        iter_values(%so_far = %zeros) -> (tile<${TM}x${TN}x$S>) {
      %a_tile, %a_token = load_view_tko weak %a_tiles[%x, %i] : !a_tiles, tile<i32> -> tile<${TM}x${TK}x$T>, token
      %b_tile, %b_token = load_view_tko weak %b_tiles[%i, %y] : !b_tiles, tile<i32> -> tile<${TK}x${TN}x$T>, token
      %more = $mma %a_tile, %b_tile, %so_far $signs : tile<${TM}x${TK}x$T>, tile<${TK}x${TN}x$T>, tile<${TM}x${TN}x$S>
      continue %more : tile<${TM}x${TN}x$S>
    }
    %c_token = store_view_tko weak %sums, %c_tiles[%x, %y] : tile<${TM}x${TN}x$S>, !c_tiles, tile<i32> -> token
    return
  }
}
