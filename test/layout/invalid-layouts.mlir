// Layouts that are refused, and operations that refuse them (layouts, 1.2, 1.4, 2.1 to 2.3).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 1.4: the seven lists have one length
// expected-error @+1 {{all lists of a nested layout must have the same length, but subgroup_tile has 2 and outer_tile has 1}}
#short = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1], thread_tile = [1, 1],
  element_tile = [1, 1], subgroup_strides = [1, 1], thread_strides = [1, 1]>

// -----

// 1.4: a stride too many is found although strides of tiles of 1 are dropped
// expected-error @+1 {{must have the same length, but subgroup_tile has 1 and thread_strides has 2}}
#long = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [1],
  element_tile = [1], subgroup_strides = [1], thread_strides = [1, 1]>

// -----

// 1.2: a missing field
#missing = #iree_vector_ext.nested_layout<
  // expected-error @+1 {{expected 'outer_tile'}}
  subgroup_tile = [1], batch_tile = [1], thread_tile = [1],
  element_tile = [1], subgroup_strides = [1], thread_strides = [1]>

// -----

// 1.2: another order
#reordered = #iree_vector_ext.nested_layout<
  // expected-error @+1 {{expected 'subgroup_tile'}}
  batch_tile = [1], subgroup_tile = [1], outer_tile = [1], thread_tile = [1],
  element_tile = [1], subgroup_strides = [1], thread_strides = [1]>

// -----

// 1.2: no comma at the end
// expected-error @+3 {{expected '>'}}
#trailing = #iree_vector_ext.nested_layout<
  subgroup_tile = [1], batch_tile = [1], outer_tile = [1], thread_tile = [1],
  element_tile = [1], subgroup_strides = [1], thread_strides = [1],>

// -----

// 1.2: lists of integers
#words = #iree_vector_ext.nested_layout<
  // expected-error @+1 {{expected integer value}}
  subgroup_tile = [one], batch_tile = [1], outer_tile = [1], thread_tile = [1],
  element_tile = [1], subgroup_strides = [1], thread_strides = [1]>

// -----

#tile = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1],
  element_tile = [16, 16], subgroup_strides = [0, 0], thread_strides = [0, 0]>

func.func @fits(%0: vector<16x16xf32>, %1: tensor<?x16xf32>) {
  %2 = iree_vector_ext.to_layout %0 to layout(#tile) : vector<16x16xf32>
  %3 = iree_vector_ext.to_layout %1 to layout(#tile) : tensor<?x16xf32>
  return
}

// 1.4, rule 1
func.func @rank(%0: vector<16xf32>) {
  // expected-error @+1 {{rank of the layout is 2, but rank of 'vector<16xf32>' is 1}}
  %1 = iree_vector_ext.to_layout %0 to layout(#tile) : vector<16xf32>
  return
}

// -----

#tile = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 1], outer_tile = [1, 1], thread_tile = [1, 1],
  element_tile = [16, 16], subgroup_strides = [0, 0], thread_strides = [0, 0]>

// 1.4, rule 2: the first dimension that does not fit
func.func @extent(%0: vector<32x8xf32>) {
  // expected-error-re @+1 {{shape [32, 8] does not match the layout #iree_vector_ext.nested_layout<{{.*}}> at dim 0: expected 16, actual 32}}
  %1 = iree_vector_ext.to_layout %0 to layout(#tile) : vector<32x8xf32>
  return
}

// -----

#tile = #iree_vector_ext.nested_layout<
  subgroup_tile = [2], batch_tile = [3], outer_tile = [5], thread_tile = [7],
  element_tile = [11], subgroup_strides = [1], thread_strides = [1]>

// 1.4, rule 2: all five tiles count, in tensors too
func.func @product(%0: tensor<2309xf32>, %1: tensor<2310xf32>) {
  %2 = iree_vector_ext.to_layout %1 to layout(#tile) : tensor<2310xf32>
  // expected-error @+1 {{at dim 0: expected 2310, actual 2309}}
  %3 = iree_vector_ext.to_layout %0 to layout(#tile) : tensor<2309xf32>
  return
}

// -----

#tile = #iree_vector_ext.nested_layout<
  subgroup_tile = [4294967296], batch_tile = [4294967296], outer_tile = [1], thread_tile = [1],
  element_tile = [1], subgroup_strides = [1], thread_strides = [1]>

// 1.4, rule 2: 2^64 is not 0
func.func @overflow(%0: tensor<0xf32>) {
  // expected-error @+1 {{at dim 0: expected more than an int64 holds, actual 0}}
  %1 = iree_vector_ext.to_layout %0 to layout(#tile) : tensor<0xf32>
  return
}

// -----

#tile = #iree_vector_ext.nested_layout<
  subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [],
  element_tile = [], subgroup_strides = [], thread_strides = []>

// 1.4, rule 1: a type without a rank has not this rank
func.func @unranked(%0: tensor<*xf32>) {
  // expected-error @+1 {{a layout of rank 0 needs a ranked type, not 'tensor<*xf32>'}}
  %1 = iree_vector_ext.to_layout %0 to layout(#tile) : tensor<*xf32>
  return
}

// -----

// 2.1: only a layout is one
func.func @no_layout(%0: vector<16xf32>) {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %1 = iree_vector_ext.to_layout %0 to layout("blocked") : vector<16xf32>
  return
}

// -----

// 2.1: only what has a shape has a layout
func.func @no_shape(%0: f32) {
  // expected-error @+3 {{invalid kind of type specified}}
  %1 = iree_vector_ext.to_layout %0 to layout(#iree_vector_ext.nested_layout<
    subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [],
    element_tile = [], subgroup_strides = [], thread_strides = []>) : f32
  return
}

// -----

#tile = #iree_vector_ext.nested_layout<
  subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [],
  element_tile = [], subgroup_strides = [], thread_strides = []>

// 2.1: the result has the type of the input
func.func @other_type(%0: vector<f32>) {
  // expected-error @+1 {{failed to verify that all of {input, output} have same type}}
  %1 = "iree_vector_ext.to_layout"(%0) <{layout = #tile}> : (vector<f32>) -> tensor<f32>
  return
}

// -----

// 2.1
func.func @without_layout(%0: vector<f32>) {
  // expected-error @+1 {{requires attribute 'layout'}}
  %1 = "iree_vector_ext.to_layout"(%0) : (vector<f32>) -> vector<f32>
  return
}

// -----

// 2.2
func.func @to_simd(%0: vector<4xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %1 = iree_vector_ext.to_simd %0 : vector<4xf32> -> vector<16xf16>
  return
}

// -----

// 2.3
func.func @to_simt(%0: vector<16xf32>) {
  // expected-error @+1 {{requires the same element type for all operands and results}}
  %1 = iree_vector_ext.to_simt %0 : vector<16xf32> -> vector<4xi32>
  return
}

// -----

// 2.2: vectors only
func.func @to_simd_of_tensor(%0: tensor<4xf32>) {
  // expected-error @+1 {{invalid kind of type specified: expected builtin.vector, but found 'tensor<4xf32>'}}
  %1 = iree_vector_ext.to_simd %0 : tensor<4xf32> -> vector<16xf32>
  return
}

// -----

// 2.1 and 2.2 in generic form
func.func @generic_operands(%0: f32) {
  // expected-error @+1 {{operand #0 must be shaped of any type values, but got 'f32'}}
  %1 = "iree_vector_ext.to_layout"(%0) <{layout = #iree_vector_ext.nested_layout<
    subgroup_tile = [], batch_tile = [], outer_tile = [], thread_tile = [],
    element_tile = [], subgroup_strides = [], thread_strides = []>}> : (f32) -> f32
  return
}

// -----

func.func @generic_bridge(%0: tensor<4xf32>) {
  // expected-error @+1 {{operand #0 must be vector of any type values, but got 'tensor<4xf32>'}}
  %1 = "iree_vector_ext.to_simt"(%0) : (tensor<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @generic_layout(%0: vector<4xf32>) {
  // expected-error @+1 {{Invalid attribute `layout` in property conversion: 1 : i64}}
  %1 = "iree_vector_ext.to_layout"(%0) <{layout = 1}> : (vector<4xf32>) -> vector<4xf32>
  return
}
