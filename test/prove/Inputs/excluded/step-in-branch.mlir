// The step must be positive only in the branch that is not taken.
// LAUNCH: --grid 1,1,1 --arg 'zeros(100xf32)' --arg -1
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %s: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %ten = constant <i32: 10> : tile<i32>
    %bad = constant <i32: 1000> : tile<i32>
    %c = cmpi greater_than %s, %zero, signed : tile<i32> -> tile<i1>
    %r = if %c -> (tile<i32>) {
      %count = for %k in (%zero to %ten, step %s) : tile<i32>
        iter_values(%p = %zero) -> (tile<i32>) {
        %next = addi %p, %one : tile<i32>
        continue %next : tile<i32>
      }
      yield %count : tile<i32>
    } else {
      yield %bad : tile<i32>
    }
    %p = offset %x, %r : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
