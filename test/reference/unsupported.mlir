// What the reference machine does not execute, it names; nothing has run before.

// RUN: split-file %s %t
// RUN: not %tilewright run --device reference %t/foreign.mlir --grid 1 --allow-unregistered-dialect 2>&1 | FileCheck %t/foreign.mlir
// RUN: not %tilewright run --device reference %t/parameter.mlir --grid 1 2>&1 | FileCheck %t/parameter.mlir
// RUN: not %tilewright run --device reference %t/nibble.mlir --grid 1 --arg "f4E2M1FN[1.0, 2.0]" 2>&1 | FileCheck %t/nibble.mlir

//--- foreign.mlir
cuda_tile.module @case {
  entry @other() {
    %i = constant <i32: 3> : tile<i32>
    // CHECK-NOT: printed
    %t = print_tko "printed" -> token
    // CHECK: foreign.mlir:[[#@LINE+1]]:5: error: reference machine: operation 'other.op' is not supported
    "other.op"() : () -> ()
  }
}

//--- parameter.mlir
// CHECK: entry @token: parameter 1 has type !cuda_tile.token, which cannot be passed
cuda_tile.module @case {
  entry @token(%t: token) { return }
}

//--- nibble.mlir
// Two 4-bit elements share an address, so a pointer cannot tell them apart (operations, 4.9).
cuda_tile.module @case {
  entry @nibble(%p: tile<ptr<f4E2M1FN>>) {
    %p1 = reshape %p : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>
    %both = broadcast %p1 : tile<1xptr<f4E2M1FN>> -> tile<2xptr<f4E2M1FN>>
    // CHECK: error: block (0, 0, 0): load_ptr_tko: access to f4E2M1FN elements through pointers is not supported by the reference machine
    %v, %t = load_ptr_tko weak %both : tile<2xptr<f4E2M1FN>> -> tile<2xf4E2M1FN>, token
  }
}
