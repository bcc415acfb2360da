// Illegal control flow and terminators (operations (core), 5 and 15; textual format, 6.1, 7
// and 11).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 5.1: if
cuda_tile.module @m {
  entry @k(%c: tile<i8>) {
    // expected-error @+1 {{operand #0 must be 0D tile of i1 values}}
    "cuda_tile.if"(%c) ({ yield }, {}) : (!cuda_tile.tile<i8>) -> ()
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{has non-empty return type, must define else branch}}
    %0 = if %c -> (tile<i1>) {
      yield %c : tile<i1>
    }
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{else branch does not yield anything}}
    %0 = if %c -> (tile<i1>) {
      yield %c : tile<i1>
    } else {
    }
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{then branch does not yield anything}}
    %0 = if %c -> (tile<i1>) {
    } else {
      yield %c : tile<i1>
    }
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{does not return a value, but then branch yields}}
    if %c {
      yield %c : tile<i1>
    }
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{does not return a value, but else branch yields}}
    if %c {
    } else {
      yield %c : tile<i1>
    }
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    // expected-error @+1 {{type does not match yield type, else branch yields}}
    %0 = if %c -> (tile<i1>) {
      yield %c : tile<i1>
    } else {
      yield %n : tile<i32>
    }
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    // expected-error @+1 {{type does not match yield type, then branch yields}}
    %0 = if %c -> (tile<i1>) {
      yield %n : tile<i32>
    } else {
      yield %c : tile<i1>
    }
  }
}

// -----

// 5: views do not leave a branch
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %p: tile<ptr<i8>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    // expected-error @+1 {{result type 0 is a tensor_view, which is not supported}}
    %0 = if %c -> (tensor_view<8xi8, strides=[1]>) {
      yield %v : tensor_view<8xi8, strides=[1]>
    } else {
      yield %v : tensor_view<8xi8, strides=[1]>
    }
  }
}

// -----

// 5
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %p: tile<ptr<i8>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>
    // expected-error @+1 {{result type 0 is a tile view, which is not supported}}
    %0 = if %c -> (partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>) {
      yield %w : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>
    } else {
      yield %w : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>
    }
  }
}

// -----

// textual format, 7: the optional clauses cannot be empty
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{expected}}
    if %c -> () {
    }
  }
}

// -----

// textual format, 7
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected}}
    for %i in (%n to %n, step %n) : tile<i32> iter_values() -> () {
    }
  }
}

// -----

// textual format, 7
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected}}
    loop iter_values() {
    }
  }
}

// -----

// textual format, 7: parentheses belong to `if` and `for` only
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{expected '('}}
    %0 = if %c -> tile<i1> {
      yield %c : tile<i1>
    } else {
      yield %c : tile<i1>
    }
  }
}

// -----

// textual format, 7
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected '('}}
    %0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %n) -> tile<i32> {
      continue %a : tile<i32>
    }
  }
}

// -----

// textual format, 7
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected}}
    %0 = loop iter_values(%a = %n) : (tile<i32>) -> (tile<i32>) {
      break %a : tile<i32>
    }
  }
}

// -----

// 5.2: for
cuda_tile.module @m {
  entry @k(%n: tile<f32>) {
    // expected-error @+1 {{must be 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
    for %i in (%n to %n, step %n) : tile<f32> {
    }
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k() {
    %n = iota : tile<4xi32>
    // expected-error @+1 {{must be 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xi32>'}}
    for %i in (%n to %n, step %n) : tile<4xi32> {
    }
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{init value 0 and region iter_value 0 have different type:}}
    %0 = "cuda_tile.for"(%n, %n, %n, %x) ({
    ^bb0(%i: !cuda_tile.tile<i32>, %a: !cuda_tile.tile<f16>):
      continue %a : tile<f16>
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f16>
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{mismatch in number of region iterator values and loop iterator inits: 0 vs 1}}
    %0 = "cuda_tile.for"(%n, %n, %n, %x) ({
    ^bb0(%i: !cuda_tile.tile<i32>):
      continue %x : tile<f32>
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected induction variable to be same type as bounds and step:}}
    "cuda_tile.for"(%n, %n, %n) ({
    ^bb0(%i: !cuda_tile.tile<i64>):
      continue
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i8>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    // expected-error @+1 {{loop-carried value 0 is a tensor_view, which is not supported}}
    %0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %v) -> (tensor_view<8xi8, strides=[1]>) {
      continue %a : tensor_view<8xi8, strides=[1]>
    }
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %p: tile<ptr<i8>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>
    // expected-error @+1 {{loop-carried value 0 is a tile view, which is not supported}}
    %0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %w) -> (partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>) {
      continue %a : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>
    }
  }
}

// -----

// 5.2: a missing terminator carries nothing
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: ('!cuda_tile.tile<f32>'), but found: ()}}
    %0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %x) -> (tile<f32>) {
    }
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %x: tile<f32>) {
    %0 = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %x) -> (tile<f32>) {
      // expected-error @+1 {{`continue` op should have operand types that match the parent loop return types: ('!cuda_tile.tile<f32>'), but found: ('!cuda_tile.tile<i32>')}}
      continue %i : tile<i32>
    }
  }
}

// -----

// 5.2: no way out of a `for`
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    for %i in (%n to %n, step %n) : tile<i32> {
      // expected-error @+1 {{expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'}}
      break
    }
  }
}

// -----

// 5
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %c: tile<i1>) {
    for %i in (%n to %n, step %n) : tile<i32> {
      if %c {
        // expected-error @+1 {{can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
        break
      }
    }
  }
}

// -----

// 5
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %c: tile<i1>) {
    loop {
      for %i in (%n to %n, step %n) : tile<i32> {
        if %c {
          // expected-error @+1 {{can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
          break
        }
      }
    }
  }
}

// -----

// 5
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    if %c {
      // expected-error @+1 {{can only be nested within a ancestor chain of 'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if' operations}}
      continue
    }
  }
}

// -----

// 5.3: loop
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{found different number of iter_values and types}}
    loop iter_values(%a = %n) : tile<i32>, tile<i32> {
      continue %a : tile<i32>
    }
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    loop iter_values(%a = %n) : tile<i32> {
      // expected-error @+1 {{`continue` op should have operand types that match the parent loop iter_values: ('!cuda_tile.tile<i32>'), but found: ()}}
      continue
    }
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %0 = loop : tile<i32> {
      // expected-error @+1 {{operand types must correspond to the parent loop result types: ('!cuda_tile.tile<i32>') vs ()}}
      break
    }
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{init value 0 and region iter_value 0 have different type:}}
    "cuda_tile.loop"(%x) ({
    ^bb0(%a: !cuda_tile.tile<f16>):
      continue %a : tile<f16>
    }) : (!cuda_tile.tile<f32>) -> ()
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{mismatch in number of region iterator values and loop iterator inits: 0 vs 1}}
    "cuda_tile.loop"(%x) ({
      continue
    }) : (!cuda_tile.tile<f32>) -> ()
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    // expected-error @+1 {{loop-carried value 0 is a tensor_view, which is not supported}}
    loop iter_values(%a = %v) : tensor_view<8xi8, strides=[1]> {
      break
    }
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    // expected-error @+1 {{result type 0 is a tensor_view, which is not supported}}
    %0 = loop : tensor_view<8xi8, strides=[1]> {
      break %v : tensor_view<8xi8, strides=[1]>
    }
  }
}

// -----

// 5.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>) {
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>
    // expected-error @+1 {{result type 0 is a tile view, which is not supported}}
    %0 = loop : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>> {
      break %w : partition_view<tile=(4), tensor_view<8xi8, strides=[1]>>
    }
  }
}

// -----

// textual format, 11: terminators and their parents
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'}}
    yield
  }
}

// -----

// textual format, 11
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expects parent op to be one of 'cuda_tile.for, cuda_tile.if, cuda_tile.loop'}}
    continue
  }
}

// -----

// textual format, 11
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'}}
    break
  }
}

// -----

// textual format, 11
cuda_tile.module @m {
  entry @k() {
    loop {
      // expected-error @+1 {{expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'}}
      yield
    }
  }
}

// -----

// operations, 5: no return out of a for
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    for %i in (%n to %n, step %n) : tile<i32> {
      // expected-error @+1 {{expects parent op to be one of 'cuda_tile.entry, cuda_tile.if, cuda_tile.loop'}}
      return
    }
  }
}

// -----

// operations, 5: nor under an `if` or a `loop` in it
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    for %i in (%n to %n, step %n) : tile<i32> {
      if %c {
        // expected-error @+1 {{must be used within a cuda_tile.entry, cuda_tile.if or cuda_tile.loop operation}}
        return
      }
    }
  }
}

// -----

// operations, 5
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    for %i in (%n to %n, step %n) : tile<i32> {
      loop {
        if %c {
          // expected-error @+1 {{must be used within a cuda_tile.entry, cuda_tile.if or cuda_tile.loop operation}}
          return
        }
        break
      }
    }
  }
}

// -----

// textual format, 6.1
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{has 1 operands, but enclosing function (@k) returns 0}}
    return %n : tile<i32>
  }
}

// -----

// textual format, 6.1: a `%` on the next line belongs to the return
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    return
    // expected-error @+1 {{expected ':'}}
    %0 = addi %n, %n : tile<i32>
  }
}

// -----

// textual format, 7: names and dominance
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{operand #1 does not dominate this use}}
    %0 = addi %n, %1 : tile<i32>
    // expected-note @+1 {{operand defined here (op in the same block)}}
    %1 = addi %n, %n : tile<i32>
  }
}

// -----

// textual format, 7: a nested region cannot shadow
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %n: tile<i32>) {
    // expected-note @+1 {{previously defined here}}
    %a = addi %n, %n : tile<i32>
    if %c {
      // expected-error @+1 {{redefinition of SSA value '%a'}}
      %a = addi %n, %n : tile<i32>
    }
  }
}

// -----

// 5.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{expects a non-empty block}}
    "cuda_tile.if"(%c) ({
    ^bb0:
    }, {}) : (!cuda_tile.tile<i1>) -> ()
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected a block argument for the induction variable}}
    "cuda_tile.for"(%n, %n, %n) ({
      continue
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{expected as many results of the same types as carried values: () vs ('!cuda_tile.tile<f32>')}}
    "cuda_tile.for"(%n, %n, %n, %x) ({
    ^bb0(%i: !cuda_tile.tile<i32>, %a: !cuda_tile.tile<f32>):
      continue
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> ()
  }
}

// -----

// 5.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>, %l: tile<i64>) {
    // expected-error @+1 {{failed to verify that all of {lowerBound, upperBound, step} have same type}}
    "cuda_tile.for"(%n, %l, %n) ({
    ^bb0(%i: !cuda_tile.tile<i32>):
      continue
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>, !cuda_tile.tile<i32>) -> ()
  }
}
