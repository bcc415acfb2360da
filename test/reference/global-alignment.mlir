// The verifier accepts any alignment of a global. Up to 0 it is the natural one, and
// above it must be a power of two (types, 14 item 18).

// RUN: split-file %s %t
// RUN: %tilewright run --device reference %t/negative.mlir --grid 1 --arg "i32[0, 0],print" | FileCheck %t/negative.mlir
// RUN: not %tilewright run --device reference %t/three.mlir --grid 1 2>&1 | FileCheck %t/three.mlir
// RUN: not %tilewright run --device reference %t/huge.mlir --grid 1 2>&1 | FileCheck %t/huge.mlir

//--- negative.mlir
// None lies where another one does.
// CHECK: [1 2]
cuda_tile.module @case {
  global @first alignment = -9223372036854775808 <i32: 1> : tile<1xi32>
  global @between alignment = -9223372036854775808 <i32: 0> : tile<1xi32>
  global @second alignment = -9223372036854775808 <i32: 2> : tile<1xi32>
  global @third alignment = -8 <i32: 3> : tile<1xi32>
  entry @kernel(%p: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %first = get_global @first : tile<ptr<i32>>
    %second = get_global @second : tile<ptr<i32>>
    %a, %t0 = load_ptr_tko weak %first : tile<ptr<i32>> -> tile<i32>, token
    %b, %t1 = load_ptr_tko weak %second : tile<ptr<i32>> -> tile<i32>, token
    %next = offset %p, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t2 = store_ptr_tko weak %p, %a : tile<ptr<i32>>, tile<i32> -> token
    %t3 = store_ptr_tko weak %next, %b : tile<ptr<i32>>, tile<i32> -> token
  }
}

//--- three.mlir
cuda_tile.module @case {
  // CHECK: three.mlir:[[#@LINE+1]]:3: error: global @odd: alignment 3 must be a power of two
  global @odd alignment = 3 <i32: 1> : tile<1xi32>
  entry @kernel() { return }
}

//--- huge.mlir
cuda_tile.module @case {
  // CHECK: huge.mlir:[[#@LINE+1]]:3: error: global @far: alignment 4611686018427387904 is not supported: at most 2097152
  global @far alignment = 4611686018427387904 <i32: 1> : tile<1xi32>
  entry @kernel() { return }
}
