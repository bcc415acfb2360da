// The quotient exists only in the branch that is not taken.
// LAUNCH: --grid 1,1,1 --arg 'zeros(100xf32)' --arg 0
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %eight = constant <i32: 8> : tile<i32>
    %bad = constant <i32: 1000> : tile<i32>
    %c = cmpi greater_than %n, %zero, signed : tile<i32> -> tile<i1>
    %r = if %c -> (tile<i32>) {
      %q = divi %eight, %n signed : tile<i32>
      yield %q : tile<i32>
    } else {
      yield %bad : tile<i32>
    }
    %p = offset %x, %r : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
