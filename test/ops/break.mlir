// RUN: %check %s
// Leaves the inner loop only, from inside an if: each of 3 outer turns adds 2 (operations, 5).
// CASE @break() -> i32[6]

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

cuda_tile.module @case {
  entry @break(%r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %sum = for %i in (%none to %three, step %one) : tile<i32> iter_values(%s = %none) -> (tile<i32>) {
      %inner = loop iter_values(%k = %none) : tile<i32> -> tile<i32> {
        %enough = cmpi equal %k, %two, signed : tile<i32> -> tile<i1>
        if %enough {
          break %k : tile<i32>
        } else {
          %next = addi %k, %one : tile<i32>
          continue %next : tile<i32>
        }
        continue %none : tile<i32>
      }
      %total = addi %s, %inner : tile<i32>
      continue %total : tile<i32>
    }
    %r = reshape %sum : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }
}
