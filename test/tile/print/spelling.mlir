// Types may be written short, long, pretty or through an alias, with blanks where the
// grammar has them; they print one way (types, 3).
// RUN: %tilewright print %s | FileCheck %s
// RUN: %fixpoint %s

!row = !cuda_tile.tile<8xf32>
!opaque = !cuda_tile<tile<8xf32>>
!src = !cuda_tile.tensor_view<?x8xf32, strides=[8, 1]>
!ptr = !cuda_tile.ptr<f32>
#latency = {latency = 3 : i64}

// The wrapper may be written, named and attributed (textual format, 12.3).
// CHECK: module @outer attributes {note.a = "kept"} {
module @outer attributes {note.a = "kept"} {
  // CHECK-NEXT: cuda_tile.module @spelling {
  cuda_tile.module @spelling {
    // CHECK-NEXT: entry @mixed(%arg0: tile<ptr<f32>>, %arg1: tile<i32>) {
    entry @mixed(%p: !cuda_tile.tile<!ptr>, %n: !cuda_tile.tile<i32>) {
      // CHECK-NEXT: %tview = make_tensor_view %arg0, shape = [%arg1, 8], strides = [8, 1] : tile<i32> -> tensor_view<?x8xf32, strides=[8,1]>
      %v = make_tensor_view %p, shape = [ %n , 8 ], strides = [8, 0x1] : tile < i32 > -> !src
      // CHECK-NEXT: %cst_f32 = constant <f32: 5.000000e-01> : tile<8xf32>
      %c = cuda_tile.constant <f32: 0.5> : !row
      // CHECK-NEXT: %0 = addf %cst_f32, %cst_f32 : tile<8xf32>
      %d = addf %c, %c : tile < 8 x f32 >
      // CHECK-NEXT: %1 = addf %0, %0 : tile<8xf32>
      %e = cuda_tile.addf %d, %d : !opaque
      // CHECK-NEXT: %result, %result_token = load_ptr_tko weak %arg0 optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>> -> tile<f32>, token
      %x, %t = load_ptr_tko weak %p optimization_hints = < "sm_90" = #latency > : tile<ptr<f32>> -> !cuda_tile.tile<f32>, !cuda_tile.token
      // Long outside, short inside.
      // CHECK-NEXT: %tview_0 = make_tensor_view %arg0, shape = [], strides = [] : tensor_view<f32>
      %w = make_tensor_view %p, shape = [], strides = [] : !cuda_tile.tensor_view<f32>
      // The predicate may be the whole attribute (types, 8).
      // CHECK-NEXT: %assume = assume div_by<32>, %arg1 : tile<i32>
      %m = assume #cuda_tile.div_by<32>, %n : tile<i32>
      // CHECK-NEXT: %assume_1 = assume bounded<?, 7>, %arg1 : tile<i32>
      %b = assume #cuda_tile.bounded<?, 7>, %n : tile<i32>
      // CHECK-NEXT: return
      return
    }
  }
}
