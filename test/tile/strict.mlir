// What only the prose of the specification forbids (textual format, 11.1) is accepted by
// default and reported on request, one construct a file.
// RUN: rm -rf %t && split-file %s %t
// RUN: %tilewright check %t/token-argument.mlir %t/loose-operation.mlir %t/nested-module.mlir %t/module-in-entry.mlir %t/foreign-operation.mlir %t/two-modules.mlir %t/bare-entry.mlir %t/empty-module.mlir %t/empty-file.mlir %t/odd-alignment.mlir %t/slice.mlir %t/shaped-yield.mlir %t/padding-without-mask.mlir %t/plain.mlir
// RUN: not %tilewright check --strict %t/token-argument.mlir
// RUN: not %tilewright check --strict %t/loose-operation.mlir
// RUN: not %tilewright check --strict %t/nested-module.mlir
// RUN: not %tilewright check --strict %t/module-in-entry.mlir
// RUN: not %tilewright check --strict %t/foreign-operation.mlir
// RUN: not %tilewright check --strict %t/two-modules.mlir
// RUN: not %tilewright check --strict %t/bare-entry.mlir
// RUN: not %tilewright check --strict %t/empty-module.mlir
// RUN: not %tilewright check --strict %t/empty-file.mlir
// RUN: not %tilewright check --strict %t/odd-alignment.mlir
// RUN: not %tilewright check --strict %t/slice.mlir
// RUN: not %tilewright check --strict %t/shaped-yield.mlir
// RUN: not %tilewright check --strict %t/padding-without-mask.mlir
// RUN: %tilewright check --strict %t/plain.mlir

//--- token-argument.mlir
cuda_tile.module @m { entry @k(%t: token) { } }

//--- loose-operation.mlir
cuda_tile.module @m {
  entry @k() { }
  %t = make_token : token
}

//--- nested-module.mlir
cuda_tile.module @m {
  entry @k() { }
  module @n { entry @l() { } }
}

//--- module-in-entry.mlir
cuda_tile.module @m { entry @k() { module @n { entry @l() { } } } }

//--- foreign-operation.mlir
cuda_tile.module @m {
  entry @k() { }
  builtin.module { }
}

//--- two-modules.mlir
cuda_tile.module @m { entry @k() { } }
cuda_tile.module @n { entry @k() { } }

//--- bare-entry.mlir
cuda_tile.entry @k() { }

//--- empty-module.mlir
cuda_tile.module @m { }

//--- empty-file.mlir

//--- odd-alignment.mlir
cuda_tile.module @m { global @g alignment = 3 <i8: 0> : tile<4xi8> }

//--- slice.mlir
cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 2> : tile<i32>
    %v = iota : tile<8xi8>
    %w = extract %v[%i] : tile<8xi8> -> tile<4xi8>
  }
}

//--- shaped-yield.mlir
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    %r = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      %w = iota : tile<4xi32>
      yield %w : tile<4xi32>
    }
  }
}

//--- padding-without-mask.mlir
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i1>>, %x: tile<i1>) {
    %r:2 = "cuda_tile.load_ptr_tko"(%p, %x) <{memory_ordering_semantics = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (!cuda_tile.tile<ptr<i1>>, !cuda_tile.tile<i1>) -> (!cuda_tile.tile<i1>, !cuda_tile.token)
  }
}

//--- plain.mlir
cuda_tile.module @m {
  global @g alignment = 8 <i8: 0> : tile<4xi8>
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) { }
}
