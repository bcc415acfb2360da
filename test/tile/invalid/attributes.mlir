// Illegal attributes: enums, assume predicates, hints, literals (types, 7 to 9 and 11).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// types, 7: signedness
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected signedness to be one of: {'signed', 'unsigned'}}}
    %0 = divi %n, %n sign : tile<i32>
  }
}

// -----

// types, 7
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected signedness, one of: 'signed', 'unsigned'}}
    %0 = divi %n, %n : tile<i32>
  }
}

// -----

// types, 7: predicate and ordering
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected 'comparison_predicate' to be one of: {'equal', 'not_equal'}}
    %0 = cmpi eq %n, %n, signed : tile<i32> -> tile<i1>
  }
}

// -----

// types, 7
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}}}
    %0 = cmpf equal sorted %x, %x : tile<f32> -> tile<i1>
  }
}

// -----

// types, 7: memory ordering of a view operation
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>
    // expected-error @+1 {{invalid memory_ordering_semantics attribute specification. Got "x" but expect one of: weak, relaxed, acquire, release, acq_rel}}
    %x, %t = load_view_tko x %w[%i] : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

// types, 7: weak needs no scope
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>
    // expected-error @+1 {{operation specifies weak memory ordering semantics, but then provides "device" scope, expected no memory scope.}}
    %x, %t = load_view_tko weak device %w[%i] : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

// types, 7
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>
    // expected-error @+1 {{invalid memory_scope attribute specification.}}
    %x, %t = load_view_tko relaxed world %w[%i] : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  }
}

// -----

// types, 6: the padding attribute has its own spelling
// expected-error @+2 {{expected valid keyword or string}}
// expected-error @+1 {{failed to parse}}
#p = #cuda_tile.padding_value<nan>

// -----

// types, 8: predicates are three
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{unknown assume predicate attribute: foo (expected 'div_by', 'same_elements', or 'bounded')}}
    %0 = assume foo<1>, %n : tile<i32>
  }
}

// -----

// types, 8
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected assume predicate attribute}}
    %0 = assume #cuda_tile.rounding<zero>, %n : tile<i32>
  }
}

// -----

// types, 8.1: div_by, in the order of the checks
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{'cuda_tile.div_by' divisor must be a power of 2}}
    %0 = assume div_by<3>, %n : tile<i32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{'cuda_tile.div_by' divisor must be a power of 2}}
    %0 = assume div_by<0>, %n : tile<i32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{'cuda_tile.div_by' divisor is too large}}
    %0 = assume div_by<9223372036854775808>, %n : tile<i32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    // expected-error @+1 {{'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a tensor_view}}
    %0 = assume div_by<8, every 1 along 0>, %v : tensor_view<9xf32, strides=[1]>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k() {
    %t = make_token : token
    // expected-error @+1 {{'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values}}
    %0 = assume div_by<8>, %t : token
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a 0D tile}}
    %0 = assume div_by<8, every 1 along 0>, %n : tile<i32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values}}
    %0 = assume div_by<8>, %x : tile<f32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<16xi32>
    // expected-error @+1 {{'cuda_tile.div_by' every_dim (1) must be >= 0 and < tile rank (1)}}
    %0 = assume div_by<8, every 4 along 1>, %v : tile<16xi32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<16xi32>
    // expected-error @+1 {{'cuda_tile.div_by' every_dim (-1) must be >= 0 and < tile rank (1)}}
    %0 = assume div_by<8, every 4 along -1>, %v : tile<16xi32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<16xi32>
    // expected-error @+1 {{expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (16)}}
    %0 = assume div_by<8, every 17 along 0>, %v : tile<16xi32>
  }
}

// -----

// types, 8.1
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<16xi32>
    // expected-error @+1 {{expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (16)}}
    %0 = assume div_by<8, every -1 along 0>, %v : tile<16xi32>
  }
}

// -----

// types, 8.2: same_elements
cuda_tile.module @m {
  entry @k(%x: tile<f32>) {
    // expected-error @+1 {{'cuda_tile.same_elements' is valid only for tile of integer/pointer values}}
    %0 = assume same_elements<[]>, %x : tile<f32>
  }
}

// -----

// types, 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    // expected-error @+1 {{'cuda_tile.same_elements' is valid only for tile of integer/pointer values}}
    %0 = assume same_elements<[1]>, %v : tensor_view<9xf32, strides=[1]>
  }
}

// -----

// types, 8.2
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected number of values in 'cuda_tile.same_elements' (1) to match rank of constrained tile (0)}}
    %0 = assume same_elements<[1]>, %n : tile<i32>
  }
}

// -----

// types, 8.2
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<16xi32>
    // expected-error @+1 {{expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (16)}}
    %0 = assume same_elements<[17]>, %v : tile<16xi32>
  }
}

// -----

// types, 8.2
cuda_tile.module @m {
  entry @k() {
    %v = iota : tile<16xi32>
    // expected-error @+1 {{expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (16)}}
    %0 = assume same_elements<[-1]>, %v : tile<16xi32>
  }
}

// -----

// types, 8.3: bounded
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{'cuda_tile.bounded' is valid only for tile of integer values}}
    %0 = assume bounded<0, 7>, %p : tile<ptr<f32>>
  }
}

// -----

// types, 8.3
cuda_tile.module @m {
  entry @k(%n: tile<i8>) {
    // expected-error @+1 {{'cuda_tile.bounded' expects lower bound to be within [-128, 127]}}
    %0 = assume bounded<-129, 7>, %n : tile<i8>
  }
}

// -----

// types, 8.3
cuda_tile.module @m {
  entry @k(%n: tile<i8>) {
    // expected-error @+1 {{'cuda_tile.bounded' expects upper bound to be within [-128, 127]}}
    %0 = assume bounded<0, 128>, %n : tile<i8>
  }
}

// -----

// types, 8.3: `true` is -1
cuda_tile.module @m {
  entry @k(%b: tile<i1>) {
    // expected-error @+1 {{'cuda_tile.bounded' expects upper bound to be within [-1, 0]}}
    %0 = assume bounded<0, 1>, %b : tile<i1>
  }
}

// -----

// types, 8.3
cuda_tile.module @m {
  entry @k(%n: tile<i8>) {
    // expected-error @+1 {{'cuda_tile.bounded' expects lower bound to be less than or equal to upper bound}}
    %0 = assume bounded<7, 6>, %n : tile<i8>
  }
}

// -----

// types, 9.1: hints that are malformed in every mode
cuda_tile.module @m {
  // expected-error @+1 {{duplicate optimization_hints key `sm_90`}}
  entry @k() optimization_hints=<sm_90 = {occupancy = 1}, sm_90 = {}> { }
}

// -----

// types, 9.1
cuda_tile.module @m {
  // expected-error @+1 {{expected dictionary attribute for optimization_hints entry `sm_100` got value=2 : i64}}
  entry @k() optimization_hints=<sm_100 = 2> { }
}

// -----

// types, 9.1
cuda_tile.module @m {
  // expected-error @+1 {{expected valid keyword or string}}
  entry @k() optimization_hints=<7 = {}> { }
}

// -----

// types, 9.1: neither the whole attribute nor a dictionary stands in custom form
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected '<'}}
    %x, %t = load_ptr_tko weak %p optimization_hints = {sm_90 = {latency = 3}} : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

// types, 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected '<'}}
    %x, %t = load_ptr_tko weak %p optimization_hints = #cuda_tile.optimization_hints<sm_90 = {latency = 3}> : tile<ptr<f32>> -> tile<f32>, token
  }
}

// -----

// types, 11.1: the element types of literal and tile are one
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{mismatch between the element type: 'f16' and the tile element type 'f32'}}
    %0 = constant <f16: 1.0> : tile<f32>
  }
}

// -----

// types, 11.1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expect element type to be one of i1 or i8}}
    %0 = constant <i4: 1> : tile<i4>
  }
}

// -----

// types, 11.1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expect element type to be one of i1 or i8}}
    %0 = constant <ptr<f32>: 1> : tile<ptr<f32>>
  }
}

// -----

// types, 11.2: ranges
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer constant out of range for type}}
    %0 = constant <i1: 2> : tile<i1>
  }
}

// -----

// types, 11.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer constant out of range for type}}
    %0 = constant <i1: -2> : tile<i1>
  }
}

// -----

// types, 11.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer constant out of range for type}}
    %0 = constant <i8: 256> : tile<i8>
  }
}

// -----

// types, 11.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer constant out of range for type}}
    %0 = constant <i8: -129> : tile<i8>
  }
}

// -----

// types, 11.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer constant out of range for type}}
    %0 = constant <i16: 0x10000> : tile<i16>
  }
}

// -----

// types, 11.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer constant out of range for type}}
    %0 = constant <i32: 4294967296> : tile<i32>
  }
}

// -----

// types, 11.2: i64 has the signed range only
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer value too large}}
    %0 = constant <i64: 9223372036854775808> : tile<i64>
  }
}

// -----

// types, 11.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{integer value too large}}
    %0 = constant <i64: 0xFFFFFFFFFFFFFFFF> : tile<i64>
  }
}

// -----

// types, 11.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected integer value}}
    %0 = constant <i32: 1.5> : tile<i32>
  }
}

// -----

// types, 11.2: booleans are for i1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected integer value}}
    %0 = constant <i8: true> : tile<i8>
  }
}

// -----

// types, 11.3: a float has a point
cuda_tile.module @m {
  entry @k() {
    // expected-note @+2 {{add a trailing dot to make the literal a float}}
    // expected-error @+1 {{unexpected decimal integer literal for a floating point value}}
    %0 = constant <f32: 1> : tile<f32>
  }
}

// -----

// types, 11.3
cuda_tile.module @m {
  entry @k() {
    // expected-note @+2 {{add a trailing dot to make the literal a float}}
    // expected-error @+1 {{unexpected decimal integer literal for a floating point value}}
    %0 = constant <f32: 1e3> : tile<f32>
  }
}

// -----

// types, 11.3: a bit pattern fits the width
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{hexadecimal float constant out of range for type}}
    %0 = constant <f16: 0x10000> : tile<f16>
  }
}

// -----

// types, 11.3: tf32 is 19 bits wide
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{hexadecimal float constant out of range for type}}
    %0 = constant <tf32: 0x80000> : tile<tf32>
  }
}

// -----

// types, 11.3
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{hexadecimal float constant out of range for type}}
    %0 = constant <f8E5M2: 0x100> : tile<f8E5M2>
  }
}

// -----

// types, 11.3
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{hexadecimal float constant out of range for type}}
    %0 = constant <f4E2M1FN: 0x10> : tile<2xf4E2M1FN>
  }
}

// -----

// types, 11.3
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{hexadecimal float literal should not have a leading minus}}
    %0 = constant <f32: -0x3F800000> : tile<f32>
  }
}

// -----

// types, 11.3
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected floating point literal}}
    %0 = constant <f32: inf> : tile<f32>
  }
}

// -----

// types, 11.4: shape and form
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{inferred shape of elements literal ([2, 2]) does not match type ([4, 2])}}
    %0 = constant <i32: [[1, 2], [3, 4]]> : tile<4x2xi32>
  }
}

// -----

// types, 11.4
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{does not match type ([])}}
    %0 = constant <i32: [1]> : tile<i32>
  }
}

// -----

// types, 11.4
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{tensor literal is invalid; ranks are not consistent between elements}}
    %0 = constant <i32: [[1, 2], [3]]> : tile<2x2xi32>
  }
}

// -----

// types, 11.4
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected integer value}}
    %0 = constant <i32: []> : tile<2xi32>
  }
}

// -----

// types, 11.4
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected floating point literal}}
    %0 = constant <f32: []> : tile<2xf32>
  }
}

// -----

// textual format, 11.1: lists that mix scalars and lists
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{tensor literal is invalid; ranks are not consistent between elements}}
    %0 = constant <i32: [[1, 2], 3]> : tile<2x2xi32>
  }
}

// -----

// operations (core), 4.1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{tensor literal is invalid; ranks are not consistent between elements}}
    %0 = constant <i32: [1, [2]]> : tile<2x1xi32>
  }
}

// -----

// types, 11.5: MLIR's own spelling is not the custom form
cuda_tile.module @m {
  entry @k() {
    // expected-note @+2 {{values are written <f32: [1.0, 2.0]>, without 'dense'}}
    // expected-error @+1 {{expected '<'}}
    %0 = constant dense<1> : tile<i32>
  }
}

// -----

// types, 7: the keyword in brackets
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{expected overflow to be one of: 'none', 'no_signed_wrap', 'no_unsigned_wrap', 'no_wrap', got: 'wrap'}}
    %0 = addi %n, %n overflow<wrap> : tile<i32>
  }
}

// -----

// types, 11.5: blobs, as another printer writes them
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected a string of hexadecimal digits behind 0x}}
    %0 = constant <f32: "0000803F"> : tile<f32>
  }
}

// -----

// types, 11.5
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected 8 bytes (or 4 for a splat) for}}
    %0 = constant <f32: "0x0000803F00"> : tile<2xf32>
  }
}

// -----

// types, 11.6: a byte for each f4E2M1FN, of which four bits count
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{element 1 does not fit in 4 bits}}
    %0 = constant <f4E2M1FN: "0x0210"> : tile<2xf4E2M1FN>
  }
}

// -----

// types, 11.1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected a tile type, but got 'i32'}}
    %0 = constant <i32: 1> : i32
  }
}

// -----

// types, 11.1: nobody needs so many dimensions, and the stack is finite
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{tensor literal is nested deeper than 256 lists}}
    %0 = constant <i32: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]> : tile<1xi32>
  }
}

// -----

// operations (core), 4.1: the value is a list of elements
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{value must be dense elements}}
    %0 = "cuda_tile.constant"() <{value = dense_resource<blob> : !cuda_tile.tile<2xi32>}> : () -> !cuda_tile.tile<2xi32>
  }
}
