// The sum grows by another amount in each iteration: k * k - sum is 45 in the last one.
// LAUNCH: --grid 1,1,1 --arg 'zeros(1xf32)'
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %ten = constant <i32: 10> : tile<i32>
    %last = for %k in (%zero to %ten, step %one) : tile<i32>
        iter_values(%sum = %zero) -> (tile<i32>) {
      %square = muli %k, %k : tile<i32>
      %d = subi %square, %sum : tile<i32>
      %p = offset %x, %d : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
      %next = addi %sum, %k : tile<i32>
      continue %next : tile<i32>
    }
  }
}
