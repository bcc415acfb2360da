// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// softmax(q transposed(k)) v for each head: block (x, y) computes one tile of the queries of head y. Arrays are
// [head, position, element] and contiguous; the number of positions is a multiple of both tiles.
//
// Filled in by test/gpu/timed.py: the element type T, TM queries and TN keys in a tile, D elements in a head, the
// scale of scores for exp2, how many tiles of keys a block reads, and which scores count.

!array = !cuda_tile.tensor_view<?x?x${D}x$T, strides=[?, $D, 1]>
!result = !cuda_tile.tensor_view<?x?x${D}xf32, strides=[?, $D, 1]>
!q_tiles = !cuda_tile.partition_view<tile=(1x${TM}x${D}), tensor_view<?x?x${D}x$T, strides=[?, $D, 1]>>
!k_tiles = !cuda_tile.partition_view<tile=(1x${D}x${TN}), tensor_view<?x?x${D}x$T, strides=[?, $D, 1]>, dim_map=[0, 2, 1]>
!v_tiles = !cuda_tile.partition_view<tile=(1x${TN}x${D}), tensor_view<?x?x${D}x$T, strides=[?, $D, 1]>>
!out_tiles = !cuda_tile.partition_view<tile=(1x${TM}x${D}), tensor_view<?x?x${D}xf32, strides=[?, $D, 1]>>

cuda_tile.module @attention {
  entry @attention(%q_given: tile<ptr<$T>>, %k_given: tile<ptr<$T>>, %v_given: tile<ptr<$T>>, %out_given: tile<ptr<f32>>, %heads: tile<i32>, %n_given: tile<i32>) {
    %q = assume div_by<16>, %q_given : tile<ptr<$T>>
    %k = assume div_by<16>, %k_given : tile<ptr<$T>>
    %v = assume div_by<16>, %v_given : tile<ptr<$T>>
    %out = assume div_by<16>, %out_given : tile<ptr<f32>>
    %n = assume div_by<16>, %n_given : tile<i32>
    %d = constant <i32: $D> : tile<i32>
    %nd = muli %n, %d : tile<i32>
    %apart = assume div_by<16>, %nd : tile<i32>
    %q_view = make_tensor_view %q, shape = [%heads, %n, $D], strides = [%apart, $D, 1] : tile<i32> -> !array
    %k_view = make_tensor_view %k, shape = [%heads, %n, $D], strides = [%apart, $D, 1] : tile<i32> -> !array
    %v_view = make_tensor_view %v, shape = [%heads, %n, $D], strides = [%apart, $D, 1] : tile<i32> -> !array
    %out_view = make_tensor_view %out, shape = [%heads, %n, $D], strides = [%apart, $D, 1] : tile<i32> -> !result
    %q_tiles = make_partition_view %q_view : !q_tiles
    %k_tiles = make_partition_view %k_view : !k_tiles
    %v_tiles = make_partition_view %v_view : !v_tiles
    %out_tiles = make_partition_view %out_view : !out_tiles

    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %tm = constant <i32: $TM> : tile<i32>
    %tn = constant <i32: $TN> : tile<i32>
    %no_scores = constant <f32: 0.0> : tile<${TM}x${TN}xf32>
    %scale = constant <f32: $scale> : tile<${TM}x${TN}xf32>
    %lowest = constant <f32: -1.0e30> : tile<${TM}x1xf32>
    %masked = constant <f32: -1.0e30> : tile<${TM}x${TN}xf32>
    %nothing = constant <f32: 0.0> : tile<${TM}x1xf32>
    %zeros = constant <f32: 0.0> : tile<${TM}x${D}xf32>
    %q_tile, %q_token = load_view_tko weak %q_tiles[%y, %x, %zero] : !q_tiles, tile<i32> -> tile<1x${TM}x${D}x$T>, token
    %queries = reshape %q_tile : tile<1x${TM}x${D}x$T> -> tile<${TM}x${D}x$T>
    %first = muli %x, %tm : tile<i32>
    $bound
    %rows = iota : tile<${TM}xi32>
    %row_numbers = reshape %rows : tile<${TM}xi32> -> tile<${TM}x1xi32>
    %first_1 = reshape %first : tile<i32> -> tile<1x1xi32>
    %firsts = broadcast %first_1 : tile<1x1xi32> -> tile<${TM}x1xi32>
    %row_1 = addi %firsts, %row_numbers : tile<${TM}x1xi32>
    %row = broadcast %row_1 : tile<${TM}x1xi32> -> tile<${TM}x${TN}xi32>
    %columns = iota : tile<${TN}xi32>
    %column_numbers = reshape %columns : tile<${TN}xi32> -> tile<1x${TN}xi32>

    %largest, %total, %sums = for %j in (%zero to %steps, step %one) : tile<i32>
        iter_values(%so_large = %lowest, %so_total = %nothing, %so_far = %zeros) -> (tile<${TM}x1xf32>, tile<${TM}x1xf32>, tile<${TM}x${D}xf32>) {
      %k_tile, %k_token = load_view_tko weak %k_tiles[%y, %zero, %j] : !k_tiles, tile<i32> -> tile<1x${D}x${TN}x$T>, token
      %keys = reshape %k_tile : tile<1x${D}x${TN}x$T> -> tile<${D}x${TN}x$T>
      %unscaled = mmaf %queries, %keys, %no_scores : tile<${TM}x${D}x$T>, tile<${D}x${TN}x$T>, tile<${TM}x${TN}xf32>
      %scaled = mulf %unscaled, %scale : tile<${TM}x${TN}xf32>
      $scores
      %largest_1 = reduce $masked_scores dim=1 identities=[0xFF800000 : f32] : tile<${TM}x${TN}xf32> -> tile<${TM}xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %larger = maxf %a, %b : tile<f32>
        yield %larger : tile<f32>
      }
      %largest_2 = reshape %largest_1 : tile<${TM}xf32> -> tile<${TM}x1xf32>
      %higher = maxf %so_large, %largest_2 : tile<${TM}x1xf32>
      %highers = broadcast %higher : tile<${TM}x1xf32> -> tile<${TM}x${TN}xf32>
      %below = subf $masked_scores, %highers : tile<${TM}x${TN}xf32>
      %weights = exp2 %below : tile<${TM}x${TN}xf32>
      %less = subf %so_large, %higher : tile<${TM}x1xf32>
      %shrink = exp2 %less : tile<${TM}x1xf32>
      %weight_1 = reduce %weights dim=1 identities=[0.0 : f32] : tile<${TM}x${TN}xf32> -> tile<${TM}xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %sum = addf %a, %b : tile<f32>
        yield %sum : tile<f32>
      }
      %weight = reshape %weight_1 : tile<${TM}xf32> -> tile<${TM}x1xf32>
      %more_total = fma %so_total, %shrink, %weight : tile<${TM}x1xf32>
      %v_tile, %v_token = load_view_tko weak %v_tiles[%y, %j, %zero] : !v_tiles, tile<i32> -> tile<1x${TN}x${D}x$T>, token
      %values = reshape %v_tile : tile<1x${TN}x${D}x$T> -> tile<${TN}x${D}x$T>
      %narrow = ftof %weights : tile<${TM}x${TN}xf32> -> tile<${TM}x${TN}x$T>
      %shrinks = broadcast %shrink : tile<${TM}x1xf32> -> tile<${TM}x${D}xf32>
      %shrunk = mulf %so_far, %shrinks : tile<${TM}x${D}xf32>
      %more = mmaf %narrow, %values, %shrunk : tile<${TM}x${TN}x$T>, tile<${TN}x${D}x$T>, tile<${TM}x${D}xf32>
      continue %higher, %more_total, %more : tile<${TM}x1xf32>, tile<${TM}x1xf32>, tile<${TM}x${D}xf32>
    }
    %totals = broadcast %total : tile<${TM}x1xf32> -> tile<${TM}x${D}xf32>
    %quotients = divf %sums, %totals : tile<${TM}x${D}xf32>
    %results = reshape %quotients : tile<${TM}x${D}xf32> -> tile<1x${TM}x${D}xf32>
    %out_token = store_view_tko weak %results, %out_tiles[%y, %x, %zero] : tile<1x${TM}x${D}xf32>, !out_tiles, tile<i32> -> token
    return
  }
}
