// RUN: %check %s
// Along each dimension of [[1, 2, 3, 4], [5, 6, 7, 8]] (operations, 4.11).
// CASE @sum(i32[1, 2, 3, 4, 5, 6, 7, 8]) -> i32[6, 8, 10, 12], i32[10, 26]
//
// Two operands in one: the largest value, and of equal ones the first index.
// CASE @argmax(f32[3.0, 7.0, 1.0, 7.0]) -> f32[7.0], i32[1]
//
// Our order: a tree over halves, the earlier half as accumulator, no identity. With
// body(x, acc) = 10 * acc + x: 12, 34, then 10 * 12 + 34 = 154 (operations, 4.11).
// CASE @order(i32[1, 2, 3, 4]) -> i32[154]
//
// Sums of negative zeros are negative, and the largest of negative numbers is negative: no accumulator begins with 0.
// CASE @negative(f32[-0.0, -2.0]) -> f32[0x80000000, -2.0]
//
// One element is its own result: the body is not applied.
// CASE @single(i32[5, 6]) -> i32[5, 6]
//
// A body may use tiles of its own: here max(x, acc) of a tile that cat makes. Rows of
//  [[1, 5], [9, 2]].
// CASE @not_elementwise(i32[1, 5, 9, 2]) -> i32[5, 9]

!i32_2x4 = !cuda_tile.tensor_view<2x4xi32, strides=[4, 1]>
!i32_2x4_tiles = !cuda_tile.partition_view<tile=(2x4), tensor_view<2x4xi32, strides=[4, 1]>>
!i32_4 = !cuda_tile.tensor_view<4xi32, strides=[1]>
!i32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
!i32_2 = !cuda_tile.tensor_view<2xi32, strides=[1]>
!i32_2_tiles = !cuda_tile.partition_view<tile=(2), tensor_view<2xi32, strides=[1]>>
!f32_4 = !cuda_tile.tensor_view<4xf32, strides=[1]>
!f32_4_tiles = !cuda_tile.partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
!f32_1 = !cuda_tile.tensor_view<1xf32, strides=[1]>
!f32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xf32, strides=[1]>>
!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
!i32_2x1 = !cuda_tile.tensor_view<2x1xi32, strides=[1, 1]>
!i32_2x1_tiles = !cuda_tile.partition_view<tile=(2x1), tensor_view<2x1xi32, strides=[1, 1]>>
!i32_2x2 = !cuda_tile.tensor_view<2x2xi32, strides=[2, 1]>
!i32_2x2_tiles = !cuda_tile.partition_view<tile=(2x2), tensor_view<2x2xi32, strides=[2, 1]>>

cuda_tile.module @case {
  entry @sum(%a_ptr: tile<ptr<i32>>, %columns_ptr: tile<ptr<i32>>, %rows_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 4], strides = [4, 1] : !i32_2x4
    %a_tiles = make_partition_view %a_view : !i32_2x4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_2x4_tiles, tile<i32> -> tile<2x4xi32>, token
    %columns = reduce %a dim=0 identities=[0 : i32] : tile<2x4xi32> -> tile<4xi32>
    (%element: tile<i32>, %so_far: tile<i32>) {
      %sum = addi %element, %so_far : tile<i32>
      yield %sum : tile<i32>
    }
    %rows = reduce %a dim=1 identities=[0 : i32] : tile<2x4xi32> -> tile<2xi32>
    (%element: tile<i32>, %so_far: tile<i32>) {
      %sum = addi %element, %so_far : tile<i32>
      yield %sum : tile<i32>
    }
    %columns_view = make_tensor_view %columns_ptr, shape = [4], strides = [1] : !i32_4
    %columns_tiles = make_partition_view %columns_view : !i32_4_tiles
    %columns_token = store_view_tko weak %columns, %columns_tiles[%zero] : tile<4xi32>, !i32_4_tiles, tile<i32> -> token
    %rows_view = make_tensor_view %rows_ptr, shape = [2], strides = [1] : !i32_2
    %rows_tiles = make_partition_view %rows_view : !i32_2_tiles
    %rows_token = store_view_tko weak %rows, %rows_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }

  entry @argmax(%a_ptr: tile<ptr<f32>>, %m_ptr: tile<ptr<f32>>, %k_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !f32_4
    %a_tiles = make_partition_view %a_view : !f32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !f32_4_tiles, tile<i32> -> tile<4xf32>, token
    %index = iota : tile<4xi32>
    %max, %at = reduce %a, %index dim=0 identities=[0xFF800000 : f32, 0 : i32] : tile<4xf32>, tile<4xi32> -> tile<f32>, tile<i32>
    (%v: tile<f32>, %best: tile<f32>, %i: tile<i32>, %best_at: tile<i32>) {
      %larger = cmpf greater_than ordered %v, %best : tile<f32> -> tile<i1>
      %new = select %larger, %v, %best : tile<i1>, tile<f32>
      %new_at = select %larger, %i, %best_at : tile<i1>, tile<i32>
      yield %new, %new_at : tile<f32>, tile<i32>
    }
    %m = reshape %max : tile<f32> -> tile<1xf32>
    %k = reshape %at : tile<i32> -> tile<1xi32>
    %m_view = make_tensor_view %m_ptr, shape = [1], strides = [1] : !f32_1
    %m_tiles = make_partition_view %m_view : !f32_1_tiles
    %m_token = store_view_tko weak %m, %m_tiles[%zero] : tile<1xf32>, !f32_1_tiles, tile<i32> -> token
    %k_view = make_tensor_view %k_ptr, shape = [1], strides = [1] : !i32_1
    %k_tiles = make_partition_view %k_view : !i32_1_tiles
    %k_token = store_view_tko weak %k, %k_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @order(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [4], strides = [1] : !i32_4
    %a_tiles = make_partition_view %a_view : !i32_4_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero] : !i32_4_tiles, tile<i32> -> tile<4xi32>, token
    %ten = constant <i32: 10> : tile<i32>
    %s = reduce %a dim=0 identities=[99 : i32] : tile<4xi32> -> tile<i32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %tens = muli %acc, %ten : tile<i32>
      %sum = addi %tens, %x : tile<i32>
      yield %sum : tile<i32>
    }
    %r = reshape %s : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @single(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 1], strides = [1, 1] : !i32_2x1
    %a_tiles = make_partition_view %a_view : !i32_2x1_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_2x1_tiles, tile<i32> -> tile<2x1xi32>, token
    %r = reduce %a dim=1 identities=[0 : i32] : tile<2x1xi32> -> tile<2xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %sum = addi %x, %acc : tile<i32>
      %more = addi %sum, %x : tile<i32>
      yield %more : tile<i32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }

  entry @not_elementwise(%a_ptr: tile<ptr<i32>>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %a_view = make_tensor_view %a_ptr, shape = [2, 2], strides = [2, 1] : !i32_2x2
    %a_tiles = make_partition_view %a_view : !i32_2x2_tiles
    %a, %a_token = load_view_tko weak %a_tiles[%zero, %zero] : !i32_2x2_tiles, tile<i32> -> tile<2x2xi32>, token
    %r = reduce %a dim=1 identities=[0 : i32] : tile<2x2xi32> -> tile<2xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %x1 = reshape %x : tile<i32> -> tile<1xi32>
      %acc1 = reshape %acc : tile<i32> -> tile<1xi32>
      %both = cat %x1, %acc1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
      %turned = cat %acc1, %x1 dim = 0 : tile<1xi32>, tile<1xi32> -> tile<2xi32>
      %larger = maxi %both, %turned signed : tile<2xi32>
      %first = constant <i32: 0> : tile<i32>
      %one = extract %larger[%first] : tile<2xi32> -> tile<1xi32>
      %m = reshape %one : tile<1xi32> -> tile<i32>
      yield %m : tile<i32>
    }
    %r_view = make_tensor_view %r_ptr, shape = [2], strides = [1] : !i32_2
    %r_tiles = make_partition_view %r_view : !i32_2_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<2xi32>, !i32_2_tiles, tile<i32> -> token
  }

  entry @negative(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %x1 = offset %x, %1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %y1 = offset %y, %1 : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %a, %ta = load_ptr_tko weak %x : tile<ptr<f32>> -> tile<f32>, token
    %b, %tb = load_ptr_tko weak %x1 : tile<ptr<f32>> -> tile<f32>, token
    %a1 = reshape %a : tile<f32> -> tile<1xf32>
    %b1 = reshape %b : tile<f32> -> tile<1xf32>
    %as = broadcast %a1 : tile<1xf32> -> tile<64xf32>
    %bs = broadcast %b1 : tile<1xf32> -> tile<64xf32>
    %sum = reduce %as dim=0 identities=[0x80000000 : f32] : tile<64xf32> -> tile<f32> (%e: tile<f32>, %so: tile<f32>) {
      %both = addf %e, %so rounding<nearest_even> : tile<f32>
      yield %both : tile<f32>
    }
    %max = reduce %bs dim=0 identities=[0xFF800000 : f32] : tile<64xf32> -> tile<f32> (%e: tile<f32>, %so: tile<f32>) {
      %larger = maxf %e, %so : tile<f32>
      yield %larger : tile<f32>
    }
    %tc = store_ptr_tko weak %y, %sum : tile<ptr<f32>>, tile<f32> -> token
    %td = store_ptr_tko weak %y1, %max : tile<ptr<f32>>, tile<f32> -> token
  }
}
