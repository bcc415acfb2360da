// Debug information (types, 10): valid scopes in every kind of location, and how they print.
// Parameters may come in any order, optional numbers of 0 are left out, nested attributes may
// drop prefix and mnemonic; printing gives aliases named after the mnemonics.
// RUN: tilewright-opt %s --mlir-print-debuginfo | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-debuginfo | tilewright-opt --mlir-print-debuginfo | FileCheck %s
// RUN: tilewright-opt %s --mlir-print-debuginfo --mlir-print-op-generic | tilewright-opt --mlir-print-debuginfo | FileCheck %s
// RUN: %tilewright print %s | FileCheck %s --check-prefix=PLAIN
// RUN: %fixpoint %s

// Without a request for them no locations are printed (textual format, 9).
// PLAIN-NOT: loc(
// PLAIN-NOT: di_

#f = #cuda_tile.di_file<"saxpy.py" in "/proj">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<compileUnit = #cu, scopeLine = 11, linkageName = "saxpy_f32", name = "saxpy", line = 10, file = <"saxpy.py" in "/proj">>
#lb = #cuda_tile.di_lexical_block<scope = #sp, file = #f, line = 12, column = 5>
#inner = #cuda_tile.di_lexical_block<scope = #lb, file = #f, line = 13, column = 0>
#l0 = loc(#cuda_tile.di_loc<loc("saxpy.py":10:1) in #sp>)
#l1 = loc(#cuda_tile.di_loc<loc("saxpy.py":13:9) in #lb>)

// CHECK: cuda_tile.module @dbg
cuda_tile.module @dbg {
  // CHECK: global {{.*}} loc(
  global @g <i32: 0> : tile<1xi32> loc("saxpy.py":1:1)
  // CHECK: entry @saxpy_f32
  entry @saxpy_f32(%a: tile<f32>, %c: tile<i1>) {
    // CHECK: mulf {{.*}} loc(#[[IN_BLOCK:loc[0-9]*]])
    %b = mulf %a, %a : tile<f32> loc(#l1)
    // CHECK: addf {{.*}} loc(#[[IN_INNER:loc[0-9]*]])
    %d = addf %a, %b : tile<f32> loc(#cuda_tile.di_loc<loc("saxpy.py":14:2) in #inner>)
    // A call site counts as its caller.
    // CHECK: subf {{.*}} loc(#[[CALL:loc[0-9]*]])
    %e = subf %a, %b : tile<f32> loc(callsite("helper.py":7:7 at #l1))
    // A fused location counts as its first part that has a scope; a name as what it names.
    // CHECK: divf {{.*}} loc(#[[FUSED:loc[0-9]*]])
    %h = divf %a, %b : tile<f32> loc(fused["x.py":1:1, #l0])
    // CHECK: negf {{.*}} loc(#[[NAMED:loc[0-9]*]])
    %i = negf %a : tile<f32> loc("step"(#l0))
    // Operations without a scope are always fine.
    // CHECK: absf {{.*}} loc(#[[NOWHERE:loc[0-9]*]])
    %j = absf %a : tile<f32> loc(unknown)
    if %c {
      // CHECK: sin {{.*}} loc(#[[IN_BLOCK]])
      %k = sin %a : tile<f32> loc(#l1)
    } loc(#l0)
    return loc(#l0)
  } loc(#l0)
  // An entry without debug information may hold plain locations.
  // CHECK: entry @plain
  entry @plain() {
    %t = make_token : token loc("plain.py":1:2)
    return
  }
}
// CHECK-DAG: #di_file = #cuda_tile.di_file<"saxpy.py" in "/proj">
// CHECK-DAG: #di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
// CHECK-DAG: #di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 10, name = "saxpy", linkageName = "saxpy_f32", compileUnit = #di_compile_unit, scopeLine = 11>
// CHECK-DAG: #di_lexical_block = #cuda_tile.di_lexical_block<scope = #di_subprogram, file = #di_file, line = 12, column = 5>
// CHECK-DAG: #di_lexical_block1 = #cuda_tile.di_lexical_block<scope = #di_lexical_block, file = #di_file, line = 13>
// CHECK-DAG: #[[IN_BLOCK]] = {{(loc\()?}}#cuda_tile.di_loc<{{.*}} in #di_lexical_block>
// CHECK-DAG: #[[IN_INNER]] = {{(loc\()?}}#cuda_tile.di_loc<{{.*}} in #di_lexical_block1>
// CHECK-DAG: #[[NOWHERE]] = loc(unknown)
// CHECK-DAG: #[[CALL]] = loc(callsite(
// CHECK-DAG: #[[FUSED]] = loc(fused[
// CHECK-DAG: #[[NAMED]] = loc("step"(
