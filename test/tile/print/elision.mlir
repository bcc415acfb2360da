// Defaults may be written and are not printed; flags print in a fixed order (textual format,
// 12.3).
// RUN: %tilewright print %s | FileCheck %s
// RUN: %fixpoint %s

!mat = !cuda_tile.tensor_view<?x64xf32, strides=[64, 1]>

// The wrapper is implicit, and printed.
// CHECK: module {
// CHECK-NEXT: cuda_tile.module @elision {
cuda_tile.module @elision {
  // CHECK-NEXT: entry @modifiers(%arg0: tile<f32>, %arg1: tile<i32>) {
  entry @modifiers(%x: tile<f32>, %n: tile<i32>) -> () optimization_hints=<> {
    // CHECK-NEXT: %0 = addf %arg0, %arg0 : tile<f32>
    %0 = addf %x, %x rounding<nearest_even> : tile<f32>
    // CHECK-NEXT: %1 = subf %arg0, %arg0 flush_to_zero : tile<f32>
    %1 = subf %x, %x rounding < nearest_even > flush_to_zero : tile<f32>
    // CHECK-NEXT: %2 = mulf %arg0, %arg0 : tile<f32>
    %2 = mulf %x, %x rounding<nearest_even> : tile<f32>
    // CHECK-NEXT: %3 = divf %arg0, %arg0 : tile<f32>
    %3 = divf %x, %x rounding<nearest_even> : tile<f32>
    // CHECK-NEXT: %4 = fma %arg0, %arg0, %arg0 : tile<f32>
    %4 = fma %x, %x, %x rounding<nearest_even> : tile<f32>
    // CHECK-NEXT: %5 = sqrt %arg0 : tile<f32>
    %5 = sqrt %x rounding<nearest_even> : tile<f32>
    // CHECK-NEXT: %6 = exp %arg0 : tile<f32>
    %6 = exp %x rounding<full> : tile<f32>
    // CHECK-NEXT: %7 = tanh %arg0 : tile<f32>
    %7 = tanh %x rounding<full> : tile<f32>
    // CHECK-NEXT: %8 = maxf %arg0, %arg0 flush_to_zero propagate_nan : tile<f32>
    %8 = maxf %x, %x propagate_nan flush_to_zero : tile<f32>
    // CHECK-NEXT: %9 = minf %arg0, %arg0 flush_to_zero propagate_nan : tile<f32>
    %9 = minf %x, %x propagate_nan flush_to_zero : tile<f32>
    // CHECK-NEXT: %10 = addi %arg1, %arg1 : tile<i32>
    %10 = addi %n, %n overflow<none> : tile<i32>
    // CHECK-NEXT: %11 = negi %arg1 : tile<i32>
    %11 = negi %n overflow<none> : tile<i32>
    // CHECK-NEXT: %12 = trunci %arg1 : tile<i32> -> tile<i8>
    %12 = trunci %n overflow<none> : tile<i32> -> tile<i8>
    // CHECK-NEXT: %13 = divi %arg1, %arg1 signed : tile<i32>
    %13 = divi %n, %n signed rounding<zero> : tile<i32>
    // CHECK-NEXT: %14 = ftof %arg0 : tile<f32> -> tile<f16>
    %14 = ftof %x rounding<nearest_even> : tile<f32> -> tile<f16>
    // CHECK-NEXT: %15 = ftoi %arg0 signed : tile<f32> -> tile<i32>
    %15 = ftoi %x signed rounding<nearest_int_to_zero> : tile<f32> -> tile<i32>
    // CHECK-NEXT: %16 = itof %arg1 unsigned : tile<i32> -> tile<f32>
    %16 = itof %n unsigned rounding<nearest_even> : tile<i32> -> tile<f32>
    // CHECK-NEXT: return
    // CHECK-NEXT: }
  }
  // Keyword and string are the same for these enums (textual format, 8).
  // CHECK-NEXT: entry @quoted(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  entry @quoted(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // CHECK-NEXT: = load_ptr_tko relaxed device %arg0 : tile<ptr<i32>> -> tile<i32>, token
    %0, %1 = load_ptr_tko "relaxed" "device" %p : tile<ptr<i32>> -> tile<i32>, token
    // CHECK-NEXT: = atomic_rmw_tko acq_rel sys %arg0, umax, %arg1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %2, %3 = atomic_rmw_tko "acq_rel" "sys" %p, "umax", %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    // CHECK-NEXT: %0 = addi %arg1, %arg1 overflow<no_wrap> : tile<i32>
    %4 = addi %n, %n overflow<"no_wrap"> : tile<i32>
    // CHECK-NEXT: %1 = divi %arg1, %arg1 signed rounding<negative_inf> : tile<i32>
    %5 = divi %n, %n signed rounding<"negative_inf"> : tile<i32>
    // CHECK-NEXT: return
    return
    // CHECK-NEXT: }
  }
  // A dangling comma where an optional operand could stand (textual format, 8).
  // CHECK-NEXT: entry @commas(%arg0: tile<ptr<i32>>, %arg1: tile<i32>) {
  entry @commas(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // CHECK-NEXT: %0 = make_token : token
    %t = make_token : token
    // CHECK-NEXT: = load_ptr_tko weak %arg0 token=%0 : tile<ptr<i32>> -> tile<i32>, token
    %0, %1 = load_ptr_tko weak %p, token = %t : tile<ptr<i32>> -> tile<i32>, token
    // CHECK-NEXT: %1 = store_ptr_tko weak %arg0, %arg1 : tile<ptr<i32>>, tile<i32> -> token
    %2 = store_ptr_tko weak %p, %n, : tile<ptr<i32>>, tile<i32> -> token
    // CHECK-NEXT: = atomic_cas_tko relaxed sys %arg0, %arg1, %arg1 token=%0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %3, %4 = atomic_cas_tko relaxed sys %p, %n, %n, token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    // CHECK-NEXT: %2 = print_tko "x" -> token
    %5 = print_tko "x", -> token
    // CHECK-NEXT: return
    // CHECK-NEXT: }
  }
  // An inherent field in the dictionary wins over the keyword form (textual format, 9).
  // CHECK-NEXT: entry @dictionary(%arg0: tile<i32>) {
  entry @dictionary(%n: tile<i32>) {
    // CHECK-NEXT: %0 = addi %arg0, %arg0 overflow<no_wrap> : tile<i32>
    %0 = addi %n, %n {overflow = #cuda_tile.overflow<no_wrap>} : tile<i32>
    // CHECK-NEXT: %1 = addi %arg0, %arg0 overflow<no_signed_wrap> {a = 1 : i32, b} : tile<i32>
    %1 = addi %n, %n overflow<no_wrap> {b, overflow = #cuda_tile.overflow<no_signed_wrap>, a = 1 : i32} : tile<i32>
    // CHECK-NEXT: return
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: global  @plain <i32: 0> : tile<1xi32>
  global public @plain alignment = 0 <i32: 0> : tile<1xi32>
  // Argument attributes and locations are not printed; argument names never are.
  // CHECK-NEXT: entry @arguments(%arg0: tile<i32>, %arg1: tile<ptr<f32>>) {
  entry @arguments(%n: tile<i32> {hint.any = 1 : i32} loc("a.py":1:2), %p: tile<ptr<f32>>) {
    // Identity maps are what an absent map means (types, 4.4).
    // CHECK-NEXT: %tview = make_tensor_view %arg1, shape = [%arg0, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %v = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> !mat
    // CHECK-NEXT: make_partition_view %tview : partition_view<tile=(4x8), tensor_view<?x64xf32, strides=[64,1]>>
    %0 = make_partition_view %v : partition_view<tile=(4x8), !mat, dim_map=[0, 1]>
    // CHECK-NEXT: make_strided_view %tview : strided_view<tile=(4x8), traversal_strides=[1,8], tensor_view<?x64xf32, strides=[64,1]>>
    %1 = make_strided_view %v : strided_view<tile=(4x8), traversal_strides=[1, 8], !mat, dim_map=[0, 1]>
    // One index type stands for all, or one each.
    // CHECK-NEXT: load_view_tko weak {{.*}}[%arg0, %arg0] : partition_view<{{.*}}>, tile<i32> -> tile<4x8xf32>, token
    %2, %3 = load_view_tko weak %0[%n, %n] : partition_view<tile=(4x8), !mat>, tile<i32>, tile<i32> -> tile<4x8xf32>, token
    // CHECK-NEXT: return
    // CHECK-NEXT: }
  }
  // Arguments without names get them from a label in front of the body (textual format, 6).
  // CHECK-NEXT: entry @unnamed(%arg0: tile<i32>) {
  entry @unnamed(tile<i32>) {
  ^bb0(%x: !cuda_tile.tile<i32>):
    // CHECK-NEXT: %0 = addi %arg0, %arg0 : tile<i32>
    %y = addi %x, %x : tile<i32>
    // CHECK-NEXT: return
    // CHECK-NEXT: }
  }
  // CHECK-NEXT: entry @label() {
  entry @label() {
  ^bb0:
    // CHECK-NEXT: return
    // CHECK-NEXT: }
  }
  // Terminators without operands are left out, and their dictionaries with them (12.3).
  // CHECK-NEXT: entry @terminators(%arg0: tile<i1>, %arg1: tile<i32>) {
  entry @terminators(%c: tile<i1>, %n: tile<i32>) {
    // CHECK-NEXT: if %arg0 {
    // CHECK-NEXT: } else {
    // CHECK-NEXT: }
    if %c { yield {note} } else { yield }
    // CHECK-NEXT: for %loopIdx in (%arg1 to %arg1, step %arg1) : tile<i32> {
    // CHECK-NEXT: }
    for %i in (%n to %n, step %n) : tile<i32> { continue }
    // CHECK-NEXT: loop {
    // CHECK-NEXT: }
    loop { continue {note} }
    // CHECK-NEXT: return {note}
    return {note}
    // CHECK-NEXT: }
  }
// CHECK-NEXT: }
}
// CHECK-NEXT: }
