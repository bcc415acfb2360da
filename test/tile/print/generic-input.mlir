// Generic form is read anywhere, mixed with custom form operation by operation; defaulted
// properties may be left out (textual format, 10).
// RUN: %tilewright print %s | FileCheck %s
// RUN: %fixpoint %s

// CHECK: cuda_tile.module @gen attributes {producer = "x"} {
"cuda_tile.module"() <{sym_name = "gen", producer = "x"}> ({
  // CHECK-NEXT: global private  @t alignment = 8 <i32: [1, 2]> : tile<2xi32>
  "cuda_tile.global"() <{sym_name = "t", value = dense<[1, 2]> : !cuda_tile.tile<2xi32>, alignment = 8 : i64, symbol_visibility = #cuda_tile.symbol_visibility<private>}> : () -> ()
  // CHECK-NEXT: global  @u <f16: 1.500000e+00> : tile<4xf16>
  "cuda_tile.global"() <{sym_name = "u", value = dense<1.5> : !cuda_tile.tile<4xf16>}> : () -> ()
  // CHECK-NEXT: entry @k(%arg0: tile<i32>) {
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<i32>) -> (), arg_attrs = [{}]}> ({
  ^bb0(%a: !cuda_tile.tile<i32>):
    // CHECK-NEXT: %cst_7_i32 = constant <i32: 7> : tile<i32>
    %c = "cuda_tile.constant"() <{value = dense<7> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    // CHECK-NEXT: %0 = addi %arg0, %cst_7_i32 overflow<no_signed_wrap> : tile<i32>
    %d = "cuda_tile.addi"(%a, %c) <{overflow = #cuda_tile.overflow<no_signed_wrap>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    // CHECK-NEXT: %1 = subi %arg0, %0 : tile<i32>
    %e = "cuda_tile.subi"(%a, %d) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    // CHECK-NEXT: %2 = divi %arg0, %1 unsigned : tile<i32>
    %f = "cuda_tile.divi"(%a, %e) <{signedness = #cuda_tile.signedness<unsigned>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    // CHECK-NEXT: %3 = muli %arg0, %arg0 : tile<i32>
    %g = cuda_tile.muli %a, %a : tile<i32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
  // Optional properties of an entry may be absent.
  // CHECK: entry @bare() {
  "cuda_tile.entry"() <{sym_name = "bare", function_type = () -> ()}> ({
    // CHECK-NEXT: %cst_1_f32 = constant <f32: 1.000000e+00> : tile<2xf32>
    %c = "cuda_tile.constant"() <{value = dense<[1.0, 1.0]> : !cuda_tile.tile<2xf32>}> : () -> !cuda_tile.tile<2xf32>
    // A blob is read in dense syntax: 1.0 and 2.0, little-endian (types, 11.5).
    // CHECK-NEXT: constant <f32: [1.000000e+00, 2.000000e+00]> : tile<2xf32>
    %d = "cuda_tile.constant"() <{value = dense<"0x0000803F00000040"> : !cuda_tile.tile<2xf32>}> : () -> !cuda_tile.tile<2xf32>
    // The roundings that have a default as attributes (textual format, 10).
    // CHECK-NEXT: %0 = exp %cst_1_f32 : tile<2xf32>
    %e = "cuda_tile.exp"(%c) : (!cuda_tile.tile<2xf32>) -> !cuda_tile.tile<2xf32>
    // CHECK-NEXT: %1 = tanh %cst_1_f32 : tile<2xf32>
    %f = "cuda_tile.tanh"(%c) : (!cuda_tile.tile<2xf32>) -> !cuda_tile.tile<2xf32>
    // CHECK-NEXT: %2 = ftof %cst_1_f32 : tile<2xf32> -> tile<2xf16>
    %g = "cuda_tile.ftof"(%c) : (!cuda_tile.tile<2xf32>) -> !cuda_tile.tile<2xf16>
    // Outside of the custom form a padding needs no mask (textual format, 11.1).
    %p = cuda_tile.alloca num_elem = 1, alignment = 4 : tile<ptr<i1>>
    %h = cuda_tile.constant <i1: true> : tile<i1>
    // CHECK: load_ptr_tko weak %{{.*}}, %true : tile<ptr<i1>>, tile<i1> -> tile<i1>, token
    %i:2 = "cuda_tile.load_ptr_tko"(%p, %h) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!cuda_tile.tile<ptr<i1>>, !cuda_tile.tile<i1>) -> (!cuda_tile.tile<i1>, !cuda_tile.token)
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// Names go without prefix wherever a custom module encloses them, also across generic
// operations.
// CHECK: cuda_tile.module @mixed {
cuda_tile.module @mixed {
  // CHECK-NEXT: entry @k(%arg0: tile<i1>) {
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<i1>) -> ()}> ({
  ^bb0(%c: !cuda_tile.tile<i1>):
    // CHECK-NEXT: if %arg0 {
    // CHECK-NEXT: %0 = xori %arg0, %arg0 : tile<i1>
    // CHECK-NEXT: }
    "cuda_tile.if"(%c) ({
      %a = xori %c, %c : tile<i1>
      yield
    }, {}) : (!cuda_tile.tile<i1>) -> ()
    return
  }) : () -> ()
}
