// An operation of an unknown dialect might end a block for all MLIR knows; here only the
// terminators of the dialect do (operations (core), 5).
// RUN: tilewright-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expects its body to end with a `continue` operation}}
    "cuda_tile.for"(%n, %n, %n) ({
    ^bb0(%i: !cuda_tile.tile<i32>):
      "foreign.end"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expects its body to end with a terminator}}
    "cuda_tile.loop"() ({
      "foreign.end"() : () -> ()
    }) : () -> ()
  }
}

// -----

// 4.11: what has no declared effects is not pure, and no `yield` either
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expects its body to end with a `yield` operation}}
    %0 = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0 : i32]}> ({
    ^bb0(%a: !cuda_tile.tile<i32>, %b: !cuda_tile.tile<i32>):
      "foreign.end"() : () -> ()
    }) : (!cuda_tile.tile<8xi32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// textual format, 6: an entry ends with `return`
// expected-error @+1 {{expects its body to end with a `return` operation}}
"cuda_tile.entry"() <{sym_name = "k", function_type = () -> ()}> ({
  "foreign.end"() : () -> ()
}) : () -> ()

// -----

// 5.1: a branch ends with `yield`, or leaves
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{expects its then branch to end with `yield`, `break`, `continue` or `return`}}
    "cuda_tile.if"(%c) ({
      "foreign.end"() : () -> ()
    }, {}) : (!cuda_tile.tile<i1>) -> ()
  }
}
