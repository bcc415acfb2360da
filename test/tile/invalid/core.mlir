// Illegal tile operations, globals, assertions, prints and aggregates (operations (core), 3,
// 4, 6 and 15).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 4.2: iota
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expects result type to be 1-d tile}}
    %0 = iota : tile<i32>
  }
}

// -----

// 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expects result type to be 1-d tile}}
    %0 = iota : tile<2x2xi32>
  }
}

// -----

// 4.2: one more than the largest value is the limit
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{the number of elements 512 exceeds the maximum value of element type 'i8'}}
    %0 = iota : tile<512xi8>
  }
}

// -----

// 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{the number of elements 4 exceeds the maximum value of element type 'i1'}}
    %0 = iota : tile<4xi1>
  }
}

// -----

// 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{result #0 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<4xf32>'}}
    %0 = iota : tile<4xf32>
  }
}

// -----

// 4.3: broadcast
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{requires the same element type for all operands and results}}
    %0 = broadcast %v : tile<4xi32> -> tile<4xi16>
  }
}

// -----

// 4.3: the rank never changes
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{failed to verify that all of {source, result} have same rank}}
    %0 = broadcast %v : tile<4xi32> -> tile<2x4xi32>
  }
}

// -----

// 4.3
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{expects the shape of source tile to be compatible with that of the result tile, but along dimension 0 got 4 and 8; only an extent of 1 can be broadcast}}
    %0 = broadcast %v : tile<4xi32> -> tile<8xi32>
  }
}

// -----

// 4.4: reshape
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{expected source tile and result tile to have the same number of elements, but got 4 and 8}}
    %0 = reshape %v : tile<4xi32> -> tile<2x4xi32>
  }
}

// -----

// 4.4
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{requires the same element type for all operands and results}}
    %0 = reshape %v : tile<4xi32> -> tile<2x2xf32>
  }
}

// -----

// 4.5: permute
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi32>
    // expected-error @+1 {{expects at least rank 2, but got: 1}}
    %0 = permute %v [0] : tile<4xi32> -> tile<4xi32>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{expect permutation size (1) to equal the rank of the source (2)}}
    %0 = permute %v [0] : tile<2x4xi8> -> tile<2x4xi8>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{permutation element at index 1 (2) is out of bound [0, 2)}}
    %0 = permute %v [0, 2] : tile<2x4xi8> -> tile<2x4xi8>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{permutation element at index 0 (-1) is out of bound [0, 2)}}
    %0 = permute %v [-1, 0] : tile<2x4xi8> -> tile<2x4xi8>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{expect permutation elements to be unique}}
    %0 = permute %v [0, 0] : tile<2x4xi8> -> tile<2x4xi8>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{result shape invalid at index 0, expected: 4, but got: 2}}
    %0 = permute %v [1, 0] : tile<2x4xi8> -> tile<2x4xi8>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{failed to verify that all of {source, result} have the same element type}}
    %0 = permute %v [1, 0] : tile<2x4xi8> -> tile<4x2xi16>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{failed to verify that all of {source, result} have same rank}}
    %0 = permute %v [1, 0] : tile<2x4xi8> -> tile<4x2x1xi8>
  }
}

// -----

// 4.6: cat
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi8>
    // expected-error @+1 {{expect dim to be [0, 1), but got: 1}}
    %0 = cat %v, %v dim = 1 : tile<4xi8>, tile<4xi8> -> tile<8xi8>
  }
}

// -----

// 4.6
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi8>
    // expected-error @+1 {{expect dim to be [0, 1), but got: -1}}
    %0 = cat %v, %v dim = -1 : tile<4xi8>, tile<4xi8> -> tile<8xi8>
  }
}

// -----

// 4.6
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi8>
    // expected-error @+1 {{invalid concat at position 0, expected: 8 but got: 4}}
    %0 = cat %v, %v dim = 0 : tile<4xi8>, tile<4xi8> -> tile<4xi8>
  }
}

// -----

// 4.6
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    %w = constant <i8: 0> : tile<2x2xi8>
    // expected-error @+1 {{expect lhs and rhs shapes to match at non-concat position 1, expected: 4 but got: 2}}
    %0 = cat %v, %w dim = 0 : tile<2x4xi8>, tile<2x2xi8> -> tile<4x4xi8>
  }
}

// -----

// 4.6
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{expect lhs and result shapes to match at non-concat position 1, expected: 4 but got: 8}}
    %0 = cat %v, %v dim = 0 : tile<2x4xi8>, tile<2x4xi8> -> tile<4x8xi8>
  }
}

// -----

// 4.6
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi8>
    %w = iota : tile<4xi16>
    // expected-error @+1 {{failed to verify that all of {lhs, rhs, result} have the same element type}}
    %0 = cat %v, %w dim = 0 : tile<4xi8>, tile<4xi16> -> tile<8xi8>
  }
}

// -----

// 4.6
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<4xi8>
    // expected-error @+1 {{failed to verify that all of {lhs, rhs, result} have same rank}}
    %0 = cat %v, %v dim = 0 : tile<4xi8>, tile<4xi8> -> tile<2x4xi8>
  }
}

// -----

// 4.7: extract
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %v = iota : tile<8xi8>
    // expected-error @+1 {{source and result element type do not match}}
    %0 = extract %v[%i] : tile<8xi8> -> tile<4xi16>
  }
}

// -----

// 4.7
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %v = iota : tile<8xi8>
    // expected-error @+1 {{expected 1 indices, but got 2}}
    %0 = extract %v[%i, %i] : tile<8xi8> -> tile<4xi8>
  }
}

// -----

// 4.7
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %v = iota : tile<8xi8>
    // expected-error @+1 {{failed to verify that all of {source, result} have same rank}}
    %0 = extract %v[%i] : tile<8xi8> -> tile<2x2xi8>
  }
}

// -----

// 4.7
cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    %v = iota : tile<8xi8>
    // expected-error @+1 {{source dimension 0 size (8) must be evenly divisible by result dimension 0 size (16)}}
    %0 = extract %v[%i] : tile<8xi8> -> tile<16xi8>
  }
}

// -----

// 4.7: out of range is a warning only (textual format, 11.1)
cuda_tile.module @m {
  entry @k() {
    %i = constant <i32: 2> : tile<i32>
    %v = iota : tile<8xi8>
    // expected-warning @+1 {{extract index 0 value 2 may be out of bounds (max valid index: 1)}}
    %0 = extract %v[%i] : tile<8xi8> -> tile<4xi8>
  }
}

// -----

// 4.9: offset
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>) {
    %o = iota : tile<4xi32>
    // expected-error @+1 {{requires the same shape for all operands and results}}
    %0 = offset %p, %o : tile<ptr<i8>>, tile<4xi32> -> tile<ptr<i8>>
  }
}

// -----

// 4.9
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>, %o: tile<i32>) {
    // expected-error @+1 {{failed to verify that all of {result, ptr} have same type}}
    %0 = offset %p, %o : tile<ptr<i8>>, tile<i32> -> tile<ptr<i16>>
  }
}

// -----

// 4.9
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>, %o: tile<f32>) {
    // expected-error @+1 {{operand #1 must be tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
    %0 = offset %p, %o : tile<ptr<i8>>, tile<f32> -> tile<ptr<i8>>
  }
}

// -----

// 4.9
cuda_tile.module @m {
  entry @k(%n: tile<i64>) {
    // expected-error @+1 {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i64>'}}
    %0 = offset %n, %n : tile<i64>, tile<i64> -> tile<i64>
  }
}

// -----

// 4.10: place in the grid
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<i64>'}}
    %x, %y, %z = get_tile_block_id : tile<i64>
  }
}

// -----

// 4.10
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{result #0 must be 0D tile of i32 values, but got '!cuda_tile.tile<2xi32>'}}
    %x, %y, %z = get_num_tile_blocks : tile<2xi32>
  }
}

// -----

// 3.3: a global has one dimension
cuda_tile.module @m {
  // expected-error @+1 {{type must have rank 1}}
  global @g <i32: 0> : tile<i32>
}

// -----

// 3.3
cuda_tile.module @m {
  // expected-error @+1 {{type must have rank 1}}
  global @g <i32: 0> : tile<2x2xi32>
}

// -----

// 3.3: ... and lives in a module
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{symbol's parent must have the SymbolTable trait}}
    global @g <i32: 0> : tile<1xi32>
  }
}

// -----

// textual format, 5: references to globals
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{'gone' does not reference a valid global}}
    %0 = get_global @gone : tile<ptr<i32>>
  }
}

// -----

// textual format, 5: an entry is no global
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{'k' does not reference a valid global}}
    %0 = get_global @k : tile<ptr<i32>>
  }
}

// -----

// textual format, 5
cuda_tile.module @m {
  global @gain <f16: 1.0> : tile<1xf16>
  entry @k() {
    // expected-error @+1 {{pointee type of result type '!cuda_tile.ptr<f32>' does not match type 'f16' of the global @gain}}
    %0 = get_global @gain : tile<ptr<f32>>
  }
}

// -----

// textual format, 5
cuda_tile.module @m {
  global @gain <f16: 1.0> : tile<1xf16>
  entry @k() {
    // expected-error @+1 {{result #0 must be 0D tile of Pointer type values}}
    %0 = get_global @gain : tile<1xptr<f16>>
  }
}

// -----

// 6.1
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{operand #0 must be tile of i1 values, but got '!cuda_tile.tile<i8>'}}
    assert %x, "m" : tile<i8>
  }
}

// -----

// 6.3: print_tko counts conversions and arguments
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{found unterminated format expression}}
    %0 = print_tko "100%" -> token
  }
}

// -----

// 6.3
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{found unterminated format expression}}
    %0 = print_tko "%5" -> token
  }
}

// -----

// 6.3
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{incorrect number of operands: expected 2, found 1}}
    %0 = print_tko "%d %d", %x : tile<i8> -> token
  }
}

// -----

// 6.3
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{incorrect number of operands: expected 0, found 1}}
    %0 = print_tko "%%", %x : tile<i8> -> token
  }
}

// -----

// textual format, 8: no dangling comma behind an argument
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{expected SSA operand}}
    %0 = print_tko "%d", %x, : tile<i8> -> token
  }
}

// -----

// 7.1
cuda_tile.module @m {
  entry @k() {
    %t = make_token : token
    // expected-error @+1 {{expect two or more tokens}}
    %0 = join_tokens %t : token
  }
}

// -----

// 7.1
cuda_tile.module @m {
  entry @k(%x: tile<i8>) {
    // expected-error @+1 {{result #0 must be cuda tile token type}}
    %0 = make_token : tile<i8>
  }
}

// -----

// 7.2: alloca
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{'alignment' must be power of two}}
    %0 = alloca num_elem = 1, alignment = 3 : tile<ptr<i8>>
  }
}

// -----

// 7.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{'alignment' must be power of two}}
    %0 = alloca num_elem = 1, alignment = 0 : tile<ptr<i8>>
  }
}

// -----

// 7.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{'alignment' (4) must be at least the natural size (8 bytes) for element type 'i64'}}
    %0 = alloca num_elem = 1, alignment = 4 : tile<ptr<i64>>
  }
}

// -----

// 7.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{attribute 'num_elem' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
    %0 = alloca num_elem = -1, alignment = 4 : tile<ptr<i8>>
  }
}

// -----

// 7.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{result #0 must be 0D tile of Pointer type values}}
    %0 = alloca num_elem = 1, alignment = 4 : tile<i32>
  }
}

// -----

// 4.11: reduce: operands, results and identities
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect same number of operands and results}}
    %0:2 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>, tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    %w = iota : tile<4xi32>
    // expected-error @+1 {{requires the same shape for all operands}}
    %0:2 = reduce %v, %w dim=0 identities=[0 : i32, 0 : i32] : tile<8xi32>, tile<4xi32> -> tile<i32>, tile<i32> (%a: tile<i32>, %b: tile<i32>, %c: tile<i32>, %d: tile<i32>) {
      yield %a, %c : tile<i32>, tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{dimension (1) is out of bound [0, 1)}}
    %0 = reduce %v dim=1 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{attribute 'dim' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
    %0 = reduce %v dim=-1 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect identities to match the number of operands but got: 1 operands and 2 identities}}
    %0 = reduce %v dim=0 identities=[0 : i32, 0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11: a bare 0 is an i64
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect same type for operand at index: 0 and identity at index: 0 but got: 'i32' and 'i64'}}
    %0 = reduce %v dim=0 identities=[0] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = constant <f32: 0.0> : tile<8xf32>
    // expected-error @+1 {{expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'f16'}}
    %0 = reduce %v dim=0 identities=[0.0 : f16] : tile<8xf32> -> tile<f32> (%a: tile<f32>, %b: tile<f32>) {
      yield %a : tile<f32>
    }
  }
}

// -----

// 4.11: pointers have no identity
cuda_tile.module @m {
  entry @k() {
    %n = iota : tile<8xi64>
    %v = int_to_ptr %n : tile<8xi64> -> tile<8xptr<i8>>
    // expected-error @+1 {{expect same type for operand at index: 0 and identity at index: 0 but got:}}
    %0 = reduce %v dim=0 identities=[0] : tile<8xptr<i8>> -> tile<ptr<i8>> (%a: tile<ptr<i8>>, %b: tile<ptr<i8>>) {
      yield %a : tile<ptr<i8>>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{incompatible with return type(s) of operation}}
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<4xi32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11: the region
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect 2 block arguments but got: 1}}
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect 0-rank tile type at index: 0 but got: '!cuda_tile.tile<2xi32>'}}
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<2xi32>, %b: tile<2xi32>) {
      yield %a : tile<2xi32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect same element type for block argument at index: 0 and 1 but got: 'i32' and 'i64'}}
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i64>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect same type for operand at index: 0 and block argument at index: 0 but got: 'i32' and 'i64'}}
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i64>, %b: tile<i64>) {
      yield %a : tile<i64>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect number of terminators operands (2) to match number of operands (1)}}
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a, %b : tile<i32>, tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k(%x: tile<i64>) {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect same type for operand at index: 0 and terminator argument at index: 0 but got: 'i32' and 'i64'}}
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %x : tile<i64>
    }
  }
}

// -----

// 4.11: one block, and not an empty one
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expects a non-empty block}}
    %0 = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0 : i32]}> ({
    ^bb0(%a: !cuda_tile.tile<i32>, %b: !cuda_tile.tile<i32>):
    }) : (!cuda_tile.tile<8xi32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
    %0 = "cuda_tile.reduce"(%v) <{dim = 0 : i32, identities = [0 : i32]}> ({
    }) : (!cuda_tile.tile<8xi32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 4.11: division is not pure
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{only pure operations are allowed inside 'cuda_tile.reduce'}}
      %1 = divi %a, %b signed : tile<i32>
      yield %1 : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{only pure operations are allowed inside 'cuda_tile.reduce'}}
      %1 = assume div_by<2>, %a : tile<i32>
      yield %1 : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    %v = iota : tile<8xi32>
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{only pure operations are allowed inside 'cuda_tile.reduce'}}
      if %c { }
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    %v = iota : tile<8xi32>
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{only pure operations are allowed inside 'cuda_tile.reduce'}}
      %1 = print_tko "x" -> token
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>) {
    %v = iota : tile<8xi32>
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{only pure operations are allowed inside 'cuda_tile.reduce'}}
      %1 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11: nested aggregates
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    %0 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{only pure operations are allowed inside 'cuda_tile.reduce'}}
      %1 = reduce %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%c: tile<i32>, %d: tile<i32>) {
        yield %c : tile<i32>
      }
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.12: scan
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect same type for operand at index: 0 and result at index: 0}}
    %0 = scan %v dim=0 reverse=false identities=[0 : i32] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.12
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{dimension (1) is out of bound [0, 1)}}
    %0 = scan %v dim=1 reverse=false identities=[0 : i32] : tile<8xi32> -> tile<8xi32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.12
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect identities to match the number of operands but got: 1 operands and 0 identities}}
    %0 = scan %v dim=0 reverse=false identities=[] : tile<8xi32> -> tile<8xi32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.12
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    %v = iota : tile<8xi32>
    %0 = scan %v dim=0 reverse=true identities=[0 : i32] : tile<8xi32> -> tile<8xi32> (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{only pure operations are allowed inside 'cuda_tile.scan'}}
      assert %c, "x" : tile<i1>
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.12: the direction has no default
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expected}}
    %0 = scan %v dim=0 identities=[0 : i32] : tile<8xi32> -> tile<8xi32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// textual format, 7: no parentheses round the types of reduce
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expected}}
    %0 = reduce %v dim=0 identities=[0 : i32] : (tile<8xi32>) -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.12
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expected 'true' or 'false'}}
    %0 = scan %v dim=0 reverse=1 identities=[0 : i32] : tile<8xi32> -> tile<8xi32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11: identities are numbers
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{expect a number as identity at index: 0 but got: "zero"}}
    %0 = reduce %v dim=0 identities=["zero"] : tile<8xi32> -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expects at least one operand}}
    "cuda_tile.reduce"() <{dim = 0 : i32, identities = []}> ({ yield }) : () -> ()
  }
}

// -----

// 4.11
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{requires attribute 'identities'}}
    %0 = "cuda_tile.reduce"(%v) <{dim = 0 : i32}> ({
    ^bb0(%a: !cuda_tile.tile<i32>, %b: !cuda_tile.tile<i32>):
      yield %a : tile<i32>
    }) : (!cuda_tile.tile<8xi32>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 4.12
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<8xi32>
    // expected-error @+1 {{requires attribute 'reverse'}}
    %0 = "cuda_tile.scan"(%v) <{dim = 0 : i32, identities = [0 : i32]}> ({
    ^bb0(%a: !cuda_tile.tile<i32>, %b: !cuda_tile.tile<i32>):
      yield %a : tile<i32>
    }) : (!cuda_tile.tile<8xi32>) -> !cuda_tile.tile<8xi32>
  }
}

// -----

// 4.11: tiles, not tokens
cuda_tile.module @m {
  entry @k() {
    %v = make_token : token
    // expected-error @+1 {{operand #0 must be variadic of tile, but got '!cuda_tile.token'}}
    %0 = reduce %v dim=0 identities=[0 : i32] : token -> tile<i32> (%a: tile<i32>, %b: tile<i32>) {
      yield %a : tile<i32>
    }
  }
}

// -----

// 3.3
cuda_tile.module @m {
  // expected-error @+1 {{value must be a dense tile of numbers, but is}}
  "cuda_tile.global"() <{sym_name = "g", value = dense<1> : tensor<2xi32>}> : () -> ()
}

// -----

// 4.1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{requires attribute 'value'}}
    %0 = "cuda_tile.constant"() : () -> !cuda_tile.tile<i32>
  }
}

// -----

// 4.3
cuda_tile.module @m {
  entry @k() {
    %t = make_token : token
    // expected-error @+1 {{operand #0 must be tile, but got '!cuda_tile.token'}}
    %0 = reshape %t : token -> tile<i32>
  }
}

// -----

// 4.5
cuda_tile.module @m {
  entry @k() {
    %v = constant <i8: 0> : tile<2x4xi8>
    // expected-error @+1 {{requires attribute 'permutation'}}
    %0 = "cuda_tile.permute"(%v) : (!cuda_tile.tile<2x4xi8>) -> !cuda_tile.tile<4x2xi8>
  }
}

// -----

// 4.7
cuda_tile.module @m {
  entry @k(%i: tile<i64>) {
    %v = iota : tile<8xi8>
    // expected-error @+1 {{operand #1 must be variadic of 0D tile of i32 values, but got '!cuda_tile.tile<i64>'}}
    %0 = "cuda_tile.extract"(%v, %i) : (!cuda_tile.tile<8xi8>, !cuda_tile.tile<i64>) -> !cuda_tile.tile<4xi8>
  }
}

// -----

// 4.8
cuda_tile.module @m {
  entry @k(%c: tile<i1>, %x: tile<i32>, %y: tile<i64>) {
    // expected-error @+1 {{failed to verify that all of {val_if_true, val_if_false, result} have same type}}
    %0 = "cuda_tile.select"(%c, %x, %y) : (!cuda_tile.tile<i1>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 6.1
cuda_tile.module @m {
  entry @k(%c: tile<i1>) {
    // expected-error @+1 {{requires attribute 'message'}}
    "cuda_tile.assert"(%c) : (!cuda_tile.tile<i1>) -> ()
  }
}

// -----

// 6.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{failed to verify that all of {value, result} have same type}}
    %0 = "cuda_tile.assume"(%n) <{predicate = #cuda_tile.div_by<8>}> : (!cuda_tile.tile<i32>) -> !cuda_tile.tile<i64>
  }
}

// -----

// 6.3
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{requires attribute 'str'}}
    %0 = "cuda_tile.print_tko"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> !cuda_tile.token
  }
}

// -----

// 7.1
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{operand #0 must be variadic of cuda tile token type, but got '!cuda_tile.tile<i32>'}}
    %0 = "cuda_tile.join_tokens"(%n, %n) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.token
  }
}

// -----

// 7.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{requires attribute 'alignment'}}
    %0 = "cuda_tile.alloca"() <{num_elem = 1 : i64}> : () -> !cuda_tile.tile<ptr<i32>>
  }
}

// -----

// 7.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{requires attribute 'num_elem'}}
    %0 = "cuda_tile.alloca"() <{alignment = 4 : i64}> : () -> !cuda_tile.tile<ptr<i32>>
  }
}

// -----

// 3.4
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{requires attribute 'name'}}
    %0 = "cuda_tile.get_global"() : () -> !cuda_tile.tile<ptr<i32>>
  }
}

// -----

// operations, 4.7: the index is defined later, by a constant that is not verified yet
cuda_tile.module @m {
  %x = extract %v[%i] : tile<4xi32> -> tile<2xi32>
  %v = iota : tile<4xi32>
  // expected-error @+1 {{'cuda_tile.constant' op}}
  %i = "cuda_tile.constant"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> !cuda_tile.tile<i32>
}

// -----

cuda_tile.module @m {
  %x = extract %v[%i] : tile<4xi32> -> tile<2xi32>
  %v = iota : tile<4xi32>
  // expected-error @+1 {{requires attribute 'value'}}
  %i = "cuda_tile.constant"() : () -> !cuda_tile.tile<i32>
}
