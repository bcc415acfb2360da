// RUN: %check %s
// What was stored is read back (operations, 7.2).
// CASE @alloca(5) -> i32[5]
//
// Fresh memory holds nothing that may be stored for the host to see.
// CASE @uninitialised(i32[0]) -> error "an undefined value is stored to parameter 1 (1xi32)"
//
// An alloca in a loop ends with its turn: the second one reads the first one's storage.
// CASE @scope() -> error "whose scope has ended"
//
// So does a large one: 2^31 bytes have more half bytes than 32 bits count.
// CASE @large(i8[0]) -> error "an undefined value is stored to parameter 1 (1xi8)"
//
// What the machine has no memory for is refused (2^60 bytes here).
// CASE @too_large() -> error "alloca: 1152921504606846976 elements of i8 need more memory than is left: this machine has"
//
// No elements: an address that must not be accessed.
// CASE @empty() -> error "just past the end of the alloca at"

!i32_1 = !cuda_tile.tensor_view<1xi32, strides=[1]>
!i32_1_tiles = !cuda_tile.partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>

cuda_tile.module @case {
  entry @alloca(%v: tile<i32>, %r_ptr: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %memory = alloca num_elem = 4, alignment = 64 : tile<ptr<i32>>
    %aligned = assume div_by<64>, %memory : tile<ptr<i32>>
    %t1 = store_ptr_tko weak %aligned, %v : tile<ptr<i32>>, tile<i32> -> token
    %x, %t2 = load_ptr_tko weak %memory token=%t1 : tile<ptr<i32>> -> tile<i32>, token
    %r = reshape %x : tile<i32> -> tile<1xi32>
    %r_view = make_tensor_view %r_ptr, shape = [1], strides = [1] : !i32_1
    %r_tiles = make_partition_view %r_view : !i32_1_tiles
    %r_token = store_view_tko weak %r, %r_tiles[%zero] : tile<1xi32>, !i32_1_tiles, tile<i32> -> token
  }

  entry @uninitialised(%a_ptr: tile<ptr<i32>>) {
    %memory = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %x, %t1 = load_ptr_tko weak %memory : tile<ptr<i32>> -> tile<i32>, token
    %t2 = store_ptr_tko weak %a_ptr, %x : tile<ptr<i32>>, tile<i32> -> token
  }

  entry @large(%a_ptr: tile<ptr<i8>>) {
    %memory = alloca num_elem = 2147483648, alignment = 1 : tile<ptr<i8>>
    %x, %t1 = load_ptr_tko weak %memory : tile<ptr<i8>> -> tile<i8>, token
    %t2 = store_ptr_tko weak %a_ptr, %x : tile<ptr<i8>>, tile<i8> -> token
  }

  entry @too_large() {
    %memory = alloca num_elem = 1152921504606846976, alignment = 1 : tile<ptr<i8>>
  }

  entry @scope() {
    %none = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %start = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
    %t0 = store_ptr_tko weak %start, %none : tile<ptr<i32>>, tile<i32> -> token
    %last = for %i in (%none to %two, step %one) : tile<i32> iter_values(%old = %start) -> (tile<ptr<i32>>) {
      %new = alloca num_elem = 1, alignment = 4 : tile<ptr<i32>>
      %x, %t1 = load_ptr_tko weak %old : tile<ptr<i32>> -> tile<i32>, token
      %t2 = store_ptr_tko weak %new, %x : tile<ptr<i32>>, tile<i32> -> token
      continue %new : tile<ptr<i32>>
    }
  }

  entry @empty() {
    %memory = alloca num_elem = 0, alignment = 4 : tile<ptr<i32>>
    %x, %t1 = load_ptr_tko weak %memory : tile<ptr<i32>> -> tile<i32>, token
  }
}
