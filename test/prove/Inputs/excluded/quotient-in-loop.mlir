// No iteration divides by m.
// LAUNCH: --grid 1,1,1 --arg 'zeros(1000xf32)' --arg 0 --arg 0
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %n: tile<i32>, %m: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %eight = constant <i32: 8> : tile<i32>
    %bad = constant <i32: 1000> : tile<i32>
    %positive = cmpi greater_than %m, %zero, signed : tile<i32> -> tile<i1>
    if %positive {
      %q = divi %eight, %m signed : tile<i32>
      %p = offset %x, %q : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    }
    %r = for %k in (%zero to %n, step %one) : tile<i32> iter_values(%a = %bad) -> (tile<i32>) {
      %q = divi %eight, %m signed : tile<i32>
      %next = addi %a, %q : tile<i32>
      continue %next : tile<i32>
    }
    %p = offset %x, %r : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  }
}
