// A kernel with a bit of everything that a trace, a breakpoint or a coverage report shows.
!row = !cuda_tile.tensor_view<?xf32, strides=[1]>
!tiles = !cuda_tile.partition_view<tile=(16), tensor_view<?xf32, strides=[1]>>
cuda_tile.module @m {
  entry @window(%p: tile<ptr<f32>>, %n: tile<i32>, %q: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %row = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> !row
    %tiles = make_partition_view %row : !tiles
    %v, %t = load_view_tko weak %tiles[%x] : !tiles, tile<i32> -> tile<16xf32>, token
    %sum = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%acc = %v) -> (tile<16xf32>) {
      %next = addf %acc, %acc : tile<16xf32>
      continue %next : tile<16xf32>
    }
    %never = for %i in (%two to %zero, step %one) : tile<i32> iter_values(%acc = %one) -> (tile<i32>) {
      %more = addi %acc, %one : tile<i32>
      continue %more : tile<i32>
    }
    %first = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
    if %first {
      %s = store_view_tko weak %sum, %tiles[%x] token = %t : tile<16xf32>, !tiles, tile<i32> -> token
    }
    %always = cmpi greater_than %n, %zero, signed : tile<i32> -> tile<i1>
    if %always {
      %a = addi %n, %one : tile<i32>
    } else {
      %b = subi %n, %one : tile<i32>
    }
    %lanes = iota : tile<4xi32>
    %total = reduce %lanes dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32>
    (%e: tile<i32>, %before: tile<i32>) {
      %r = muli %before, %e : tile<i32>
      yield %r : tile<i32>
    }
    %bases = reshape %q : tile<ptr<f32>> -> tile<1xptr<f32>>
    %base4 = broadcast %bases : tile<1xptr<f32>> -> tile<4xptr<f32>>
    %steps = muli %lanes, %lanes : tile<4xi32>
    %at = offset %base4, %steps : tile<4xptr<f32>>, tile<4xi32> -> tile<4xptr<f32>>
    %old, %ut = load_ptr_tko weak %at token=%t : tile<4xptr<f32>> -> tile<4xf32>, token
  }
}
