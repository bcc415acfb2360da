// The bound of the loop wraps around: -128849 * 1000000 is 18880 in 32 bits.
// LAUNCH: --grid 1,1,1 --arg 'zeros(1xi8)' --arg -128849
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i8>>, %n: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %big = constant <i32: 1000000> : tile<i32>
    %u = muli %n, %big : tile<i32>
    %last = for %k in (%zero to %u, step %one) : tile<i32>
        iter_values(%p = %x) -> (tile<ptr<i8>>) {
      %next = offset %p, %one : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
      continue %next : tile<ptr<i8>>
    }
    %v, %t = load_ptr_tko weak %last : tile<ptr<i8>> -> tile<i8>, token
  }
}
