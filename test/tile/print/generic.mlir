// The generic form: properties by name with their defaults, long types, numbers for values
// (textual format, 10 and 12.3).
// RUN: %tilewright print --generic %s | FileCheck %s
// RUN: %fixpoint %s

// CHECK: "builtin.module"() ({
// CHECK-NEXT: "cuda_tile.module"() <{producer = "hand", sym_name = "generic"}> ({
cuda_tile.module @generic attributes {producer = "hand"} {
  // CHECK-NEXT: "cuda_tile.global"() <{alignment = 0 : i64, sym_name = "g", symbol_visibility = #cuda_tile.symbol_visibility<public>, value = dense<[1, 2]> : !cuda_tile.tile<2xi32>}> : () -> ()
  global @g <i32: [1, 2]> : tile<2xi32>
  // CHECK-NEXT: "cuda_tile.global"() <{alignment = 8 : i64, constant, sym_name = "c", symbol_visibility = #cuda_tile.symbol_visibility<private>, value = dense<0> : !cuda_tile.tile<4xi8>}> {note} : () -> ()
  global private constant @c alignment = 8 {note} <i8: 0> : tile<4xi8>
  // CHECK-NEXT: "cuda_tile.entry"() <{arg_attrs = [], function_type = () -> (), sym_name = "none"}> ({
  // CHECK-NEXT: "cuda_tile.return"() : () -> ()
  // CHECK-NEXT: }) : () -> ()
  entry @none() { }
  // CHECK-NEXT: "cuda_tile.entry"() <{arg_attrs = [{}, {a.b = 1 : i64}], function_type = (!cuda_tile.tile<i32>, !cuda_tile.tile<ptr<f32>>) -> (), optimization_hints = #cuda_tile.optimization_hints<>, sym_name = "ops"}> ({
  // CHECK-NEXT: ^bb0(%arg0: !cuda_tile.tile<i32>, %arg1: !cuda_tile.tile<ptr<f32>>):
  entry @ops(%n: tile<i32>, %p: tile<ptr<f32>> {a.b = 1 : i64}) optimization_hints=<> {
    // CHECK-NEXT: %0 = "cuda_tile.constant"() <{value = dense<1.000000e+00> : !cuda_tile.tile<f32>}> : () -> !cuda_tile.tile<f32>
    %f = constant <f32: 1.0> : tile<f32>
    // CHECK-NEXT: %1 = "cuda_tile.addi"(%arg0, %arg0) <{overflow = #cuda_tile.overflow<none>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    %0 = addi %n, %n : tile<i32>
    // CHECK-NEXT: %2 = "cuda_tile.addf"(%0, %0) <{rounding_mode = #cuda_tile.rounding<nearest_even>}> : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    %1 = addf %f, %f : tile<f32>
    // CHECK-NEXT: %3 = "cuda_tile.mulf"(%0, %0) <{flush_to_zero, rounding_mode = #cuda_tile.rounding<zero>}> {note = "kept"} : (!cuda_tile.tile<f32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
    %2 = mulf %f, %f rounding<zero> flush_to_zero {note = "kept"} : tile<f32>
    // CHECK-NEXT: %4 = "cuda_tile.divi"(%arg0, %arg0) <{rounding = #cuda_tile.rounding<zero>, signedness = #cuda_tile.signedness<signed>}>
    %3 = divi %n, %n signed : tile<i32>
    // CHECK-NEXT: %5 = "cuda_tile.exp"(%0) <{rounding_mode = #cuda_tile.rounding<full>}>
    %4 = exp %f : tile<f32>
    // CHECK-NEXT: %6 = "cuda_tile.cmpi"(%arg0, %arg0) <{comparison_predicate = #cuda_tile.comparison_predicate<less_than>, signedness = #cuda_tile.signedness<unsigned>}>
    %5 = cmpi less_than %n, %n, unsigned : tile<i32> -> tile<i1>
    // CHECK-NEXT: %7 = "cuda_tile.cmpf"(%0, %0) <{comparison_ordering = #cuda_tile.comparison_ordering<ordered>, comparison_predicate = #cuda_tile.comparison_predicate<equal>}>
    %6 = cmpf equal ordered %f, %f : tile<f32> -> tile<i1>
    // Memory enums are plain integers; segment sizes list the operand groups.
    // CHECK-NEXT: %8:2 = "cuda_tile.load_ptr_tko"(%arg1) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> (!cuda_tile.tile<f32>, !cuda_tile.token)
    %7, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    // CHECK-NEXT: %9 = "cuda_tile.store_ptr_tko"(%arg1, %8#0, %6, %8#1) <{memory_ordering_semantics = 3 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 1>, optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 3}>}>
    %8 = store_ptr_tko release device %p, %7, %5 token=%t optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    // CHECK-NEXT: %10:2 = "cuda_tile.atomic_rmw_tko"(%arg1, %8#0) <{memory_ordering_semantics = 1 : i32, memory_scope = 2 : i32, mode = 4 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}>
    %9, %10 = atomic_rmw_tko relaxed sys %p, addf, %7 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    // CHECK-NEXT: %11 = "cuda_tile.make_tensor_view"(%arg1, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?xf32, strides=[1]>
    %11 = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    // CHECK-NEXT: %12 = "cuda_tile.make_partition_view"(%11) : (!cuda_tile.tensor_view<?xf32, strides=[1]>) -> !cuda_tile.partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    %12 = make_partition_view %11 : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
    // CHECK-NEXT: %13:2 = "cuda_tile.load_view_tko"(%12, %arg0, %9) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1>}>
    %13, %14 = load_view_tko weak %12[%n] token = %8 : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    // CHECK-NEXT: %14 = "cuda_tile.print_tko"(%arg0) <{operandSegmentSizes = array<i32: 1, 0>, str = "%d"}> : (!cuda_tile.tile<i32>) -> !cuda_tile.token
    %15 = print_tko "%d", %n : tile<i32> -> token
    // CHECK-NEXT: %15 = "cuda_tile.assume"(%arg0) <{predicate = #cuda_tile.div_by<8>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    %16 = assume div_by<8>, %n : tile<i32>
    // CHECK-NEXT: %16 = "cuda_tile.get_global"() <{name = @g}> : () -> !cuda_tile.tile<ptr<i32>>
    %17 = get_global @g : tile<ptr<i32>>
    // CHECK-NEXT: %17 = "cuda_tile.alloca"() <{alignment = 4 : i64, global, num_elem = 2 : i64}> : () -> !cuda_tile.tile<ptr<f32>>
    %18 = alloca num_elem = 2, alignment = 4 global : tile<ptr<f32>>
    // CHECK-NEXT: %18 = "cuda_tile.constant"() <{value = dense<0> : !cuda_tile.tile<2x4xi16>}>
    %19 = constant <i16: 0> : tile<2x4xi16>
    // CHECK-NEXT: %19 = "cuda_tile.permute"(%18) <{permutation = array<i32: 1, 0>}> : (!cuda_tile.tile<2x4xi16>) -> !cuda_tile.tile<4x2xi16>
    %20 = permute %19 [1, 0] : tile<2x4xi16> -> tile<4x2xi16>
    // CHECK-NEXT: %20 = "cuda_tile.cat"(%18, %18) <{dim = 1 : i64}>
    %21 = cat %19, %19 dim = 1 : tile<2x4xi16>, tile<2x4xi16> -> tile<2x8xi16>
    // CHECK-NEXT: "cuda_tile.for"(%arg0, %arg0, %arg0) <{unsignedCmp}> ({
    // CHECK-NEXT: ^bb0(%[[I:arg[0-9]+]]: !cuda_tile.tile<i32>):
    // CHECK-NEXT: %{{[0-9]+}} = "cuda_tile.negi"(%[[I]]) <{overflow = #cuda_tile.overflow<none>}>
    // CHECK-NEXT: "cuda_tile.continue"() : () -> ()
    // CHECK-NEXT: }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    for unsigned %i in (%n to %n, step %n) : tile<i32> {
      %23 = negi %i : tile<i32>
    }
    // CHECK-NEXT: %{{[0-9]+}} = "cuda_tile.reduce"(%18) <{dim = 1 : i32, identities = [0 : i16]}> ({
    // CHECK-NEXT: ^bb0(%[[A:arg[0-9]+]]: !cuda_tile.tile<i16>, %{{arg[0-9]+}}: !cuda_tile.tile<i16>):
    // CHECK-NEXT: "cuda_tile.yield"(%[[A]]) : (!cuda_tile.tile<i16>) -> ()
    // CHECK-NEXT: }) : (!cuda_tile.tile<2x4xi16>) -> !cuda_tile.tile<2xi16>
    %22 = reduce %19 dim=1 identities=[0 : i16] : tile<2x4xi16> -> tile<2xi16> (%a: tile<i16>, %b: tile<i16>) {
      yield %a : tile<i16>
    }
    // CHECK-NEXT: %{{[0-9]+}} = "cuda_tile.scan"(%18) <{dim = 0 : i32, identities = [0 : i16], reverse = true}> ({
    // CHECK-NEXT: ^bb0(%{{arg[0-9]+}}: !cuda_tile.tile<i16>, %{{arg[0-9]+}}: !cuda_tile.tile<i16>):
    %24 = scan %19 dim=0 reverse=true identities=[0 : i16] : tile<2x4xi16> -> tile<2x4xi16> (%a: tile<i16>, %b: tile<i16>) {
      yield %a : tile<i16>
    }
    // CHECK: "cuda_tile.if"(%{{[0-9]+}}) ({
    // CHECK-NEXT: "cuda_tile.yield"() : () -> ()
    // CHECK-NEXT: }, {
    // CHECK-NEXT: }) : (!cuda_tile.tile<i1>) -> ()
    if %5 { }
    // CHECK-NEXT: "cuda_tile.return"() : () -> ()
    // CHECK-NEXT: }) : () -> ()
    return
  }
}
