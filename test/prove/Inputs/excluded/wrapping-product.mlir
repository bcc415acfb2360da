// The sum of a large polynomial wraps around in the third iteration: 2 * 2^30.
// LAUNCH: --grid 1,1,1 --arg 'zeros(1xf32)' --arg 32768 --arg 32768 --arg 1 --arg 1
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %a0: tile<i32>, %b0: tile<i32>, %c0: tile<i32>, %d0: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %ten = constant <i32: 10> : tile<i32>
    %bad = constant <i32: 1000> : tile<i32>
    %a = assume bounded<0, ?>, %a0 : tile<i32>
    %b = assume bounded<0, ?>, %b0 : tile<i32>
    %c = assume bounded<0, ?>, %c0 : tile<i32>
    %d = assume bounded<0, ?>, %d0 : tile<i32>
    %ab = muli %a, %b : tile<i32>
    %abc = muli %ab, %c : tile<i32>
    %abcd = muli %abc, %d : tile<i32>
    for %k in (%zero to %ten, step %one) : tile<i32>
      iter_values(%p = %zero) -> (tile<i32>) {
      %neg = cmpi less_than %p, %zero, signed : tile<i32> -> tile<i1>
      if %neg {
        %q = offset %x, %bad : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %v, %t = load_ptr_tko weak %q : tile<ptr<f32>> -> tile<f32>, token
      }
      %next = addi %p, %abcd : tile<i32>
      continue %next : tile<i32>
    }
  }
}
