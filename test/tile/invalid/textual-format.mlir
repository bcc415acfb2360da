// Illegal modules, globals, entries and spellings (textual format, 2 to 11).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 3: a module has a name
// expected-error @+1 {{expected valid '@'-identifier for symbol name}}
cuda_tile.module { }

// -----

// 3: the producer is a string
// expected-error @+1 {{producer}}
cuda_tile.module @m attributes {producer = 7 : i64} { }

// -----

// 3: one block, no arguments
// expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
"cuda_tile.module"() <{sym_name = "m"}> ({
^bb0:
  "cuda_tile.entry"() <{sym_name = "k", function_type = () -> ()}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
^bb1:
  "cuda_tile.entry"() <{sym_name = "l", function_type = () -> ()}> ({ "cuda_tile.return"() : () -> () }) : () -> ()
}) : () -> ()

// -----

// 3
// expected-error @+1 {{region should have no arguments}}
"cuda_tile.module"() <{sym_name = "m"}> ({
^bb0(%a: !cuda_tile.tile<i32>):
}) : () -> ()

// -----

// 3: globals and entries share one name space
cuda_tile.module @m {
  // expected-note @+1 {{see existing symbol definition here}}
  global @a <i32: 0> : tile<1xi32>
  // expected-error @+1 {{redefinition of symbol named 'a'}}
  entry @a() { }
}

// -----

// 3: and so do modules in one file
// expected-note @+1 {{see existing symbol definition here}}
cuda_tile.module @a { }
// expected-error @+1 {{redefinition of symbol named 'a'}}
cuda_tile.module @a { }

// -----

// 3: outer values are not visible
cuda_tile.module @m {
  %c = constant <i1: true> : tile<i1>
  // expected-note @+1 {{required by region isolation constraints}}
  entry @k() {
    // expected-error @+1 {{using value defined outside the region}}
    assert %c, "x" : tile<i1>
  }
}

// -----

// 4.1: unknown operations
cuda_tile.module @m {
  // expected-note @+2 {{this operation is spelled 'entry' in Tile IR 13.3}}
  // expected-error @+1 {{custom op 'func' is unknown (tried 'cuda_tile.func' as well)}}
  func @k() { }
}

// -----

// 4.1: the prefix is needed outside of modules
// expected-error @+1 {{custom op 'entry' is unknown}}
entry @k() { }

// -----

// 5: the order of the words is fixed
cuda_tile.module @m {
  // expected-error @+1 {{expected valid '@'-identifier for symbol name}}
  global constant private @x <i32: 0> : tile<1xi32>
}

// -----

// 5: a declaration without value, as in old texts
cuda_tile.module @m {
  // expected-error @+1 {{expected '<'}}
  global @val : tile<1xi32>
}

// -----

// 6: all arguments are named or none is
cuda_tile.module @m {
  // expected-error @+1 {{expected SSA identifier}}
  entry @k(%a: tile<i32>, tile<i32>) { }
}

// -----

// 6
cuda_tile.module @m {
  // expected-error @+1 {{expected type instead of SSA identifier}}
  entry @k(tile<i32>, %a: tile<i32>) { }
}

// -----

// 6: unnamed arguments are named by a label
cuda_tile.module @m {
  // expected-error @+1 {{entry block must have 1 arguments to match function signature}}
  entry @k(tile<i32>) { }
}

// -----

// 6: no variadic arguments
cuda_tile.module @m {
  // expected-error @+1 {{expected}}
  entry @k(...) { }
}

// -----

// 6: a kernel returns nothing
cuda_tile.module @m {
  // expected-error @+1 {{entry op must not return values}}
  entry @k() -> tile<i32> { }
}

// -----

// 6: tile arguments are scalars
cuda_tile.module @m {
  // expected-error @+1 {{entry op must have scalar types (rank 0 !cuda_tile.tile)}}
  entry @k(%a: tile<1xi32>) { }
}

// -----

// 6: the body is not optional
cuda_tile.module @m {
  // expected-error @+1 {{expected '{' to begin a region}}
  entry @k()
}

// -----

// 6: a label may not repeat named arguments
cuda_tile.module @m {
  entry @k(%a: tile<i32>) {
  // expected-error @+1 {{invalid block name in region with named arguments}}
  ^bb0(%b: !cuda_tile.tile<i32>):
    return
  }
}

// -----

// 6: one block
cuda_tile.module @m {
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  entry @k() {
  ^bb0:
    return
  ^bb1:
    return
  }
}

// -----

// 6, 7: names of arguments are taken
cuda_tile.module @m {
  // expected-note @+1 {{previously defined here}}
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{redefinition of SSA value '%n'}}
    %n = addi %n, %n : tile<i32>
  }
}

// -----

// 9: inherent names have no place in the dictionary of an entry
cuda_tile.module @m {
  // expected-error @+1 {{attribute 'sym_name' occurs more than once in the attribute list}}
  entry @k() { } {sym_name = "l"}
}

// -----

// 6: there is no visibility keyword, and no `attributes` keyword
cuda_tile.module @m {
  // expected-error @+1 {{expected valid '@'-identifier for symbol name}}
  entry private @k() { }
}

// -----

// 6
cuda_tile.module @m {
  // expected-error @+1 {{expected '{' to begin a region}}
  entry @k() attributes {a.b} { }
}

// -----

// 7: entries and globals do not nest in an entry
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{symbol's parent must have the SymbolTable trait}}
    entry @inner() { }
  }
}

// -----

// 10: memory enums have no attribute spelling
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{unknown attribute `memory_ordering_semantics` in dialect `cuda_tile`}}
    %x:2 = "cuda_tile.load_ptr_tko"(%p) <{memory_ordering_semantics = #cuda_tile.memory_ordering_semantics<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> (!cuda_tile.tile<i32>, !cuda_tile.token)
  }
}

// -----

// 10: nor may they hold other numbers
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{memory_ordering_semantics}}
    %x:2 = "cuda_tile.load_ptr_tko"(%p) <{memory_ordering_semantics = 5 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> (!cuda_tile.tile<i32>, !cuda_tile.token)
  }
}

// -----

// 10: mandatory properties
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{requires attribute 'dim'}}
    %0 = "cuda_tile.cat"(%v, %v) : (!cuda_tile.tile<4xi32>, !cuda_tile.tile<4xi32>) -> !cuda_tile.tile<8xi32>
  }
}

// -----

// 10
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{requires attribute 'predicate'}}
    %0 = "cuda_tile.assume"(%n) : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 10
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{requires attribute 'mode'}}
    %x:2 = "cuda_tile.atomic_rmw_tko"(%p, %n) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<i32>, !cuda_tile.token)
  }
}

// -----

// 13: the name of 13.1
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-note @+2 {{print_tko}}
    // expected-error @+1 {{custom op 'print' is unknown}}
    print "n=%d", %n : tile<i32>
  }
}

// -----

// 13: test builds only
// expected-error @+1 {{unknown}}
testing$func @f() { }

// -----

// 6, 10: a body of one block
// expected-error @+1 {{expects a body}}
"cuda_tile.entry"() <{sym_name = "k", function_type = () -> ()}> ({}) : () -> ()

// -----

// 10
// expected-error @+1 {{requires attribute 'function_type'}}
"cuda_tile.entry"() <{sym_name = "k"}> ({ "cuda_tile.return"() : () -> () }) : () -> ()

// -----

// 10
// expected-error @+1 {{requires attribute 'sym_name'}}
"cuda_tile.module"() ({}) : () -> ()

// -----

// Behind `token =` stands an operand (textual format, 8), in each operation that has it.
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %r, %k = load_ptr_tko weak %p token= : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

// store_ptr_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = store_ptr_tko weak %p, %x token= : tile<ptr<f32>>, tile<f32> -> token
  }
}

// -----

// atomic_rmw_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %r, %k = atomic_rmw_tko relaxed device %p, addf, %x token= : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// atomic_cas_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %r, %k = atomic_cas_tko relaxed device %p, %x, %x token= : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// print_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = print_tko "x" token= -> token
  }
}

// -----

// gdc_wait_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = gdc_wait_tko token = -> token
  }
}

// -----

// gdc_launch_dependents_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = gdc_launch_dependents_tko token = -> token
  }
}

// -----

// memory_fence_alias_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = memory_fence_alias_tko token = -> token
  }
}

// -----

// load_view_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %t, %k = load_view_tko weak %w[%i] token = : !view, tile<i32> -> tile<8xf32>, token
  }
}

// -----

// store_view_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = store_view_tko weak %y, %w[%i] token = : tile<8xf32>, !view, tile<i32> -> token
  }
}

// -----

// atomic_red_view_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = atomic_red_view_tko relaxed device %w[%i], addf, %y token = : tile<8xf32>, !view, tile<i32> -> token
  }
}

// -----

// multimem_load_reduce_view_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %t, %k = multimem_load_reduce_view_tko weak %w[%i] token = : !view, tile<i32> -> tile<8xf32>, token
  }
}

// -----

// multimem_reduce_view_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = multimem_reduce_view_tko relaxed device %w, %y[%i] token = : !view, tile<8xf32>, tile<i32> -> token
  }
}

// -----

// multimem_store_view_tko
!view = !cuda_tile.partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %i: tile<i32>, %w: !view, %y: tile<8xf32>) {
    // expected-error @+1 {{expected SSA operand}}
    %k = multimem_store_view_tko weak %w, %y[%i] token = : !view, tile<8xf32>, tile<i32> -> token
  }
}
