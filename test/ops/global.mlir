// RUN: %check %s
// There is one instance: what a block stores, later ones find (operations, 3.3). The last one of
// three counts to 3.
// CASE @shared() -> i32[3] grid=3
//
// A constant global is not written.
// CASE @constant_store() -> error "lies in constant global @limit, which must not be written"
//
// Its neighbours are not its elements.
// CASE @beyond() -> error "4 bytes past the end of global @counter, 4 bytes at"

cuda_tile.module @case {
  global @counter <i32: 0> : tile<1xi32>
  global constant @limit alignment = 512 <i32: 9> : tile<1xi32>

  entry @shared(%r_ptr: tile<ptr<i32>>) {
    %counter = get_global @counter : tile<ptr<i32>>
    %one = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko relaxed device %counter, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %new = addi %old, %one : tile<i32>
    %most, %t2 = atomic_rmw_tko relaxed device %r_ptr, max, %new : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }

  entry @constant_store() {
    %limit = get_global @limit : tile<ptr<i32>>
    %one = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %limit, %one : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @beyond() {
    %counter = get_global @counter : tile<ptr<i32>>
    %two = constant <i32: 2> : tile<i32>
    %at = offset %counter, %two : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %t = load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token
  }
}
