// What transfer_gather refuses: each rule of layouts, 2.5.5, in its order, then the text (2.5.2).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// Rule 1
func.func @indices(%src: memref<256x64xf32>, %x: vector<256x64xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{'iree_vector_ext.transfer_gather' op requires 2 indices}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None, %x : vector<256x64xindex>], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0, d1)>]} : memref<256x64xf32>, vector<256x64xf32>
  return
}

// -----

// Rule 2: the text cannot say this
func.func @source(%src: vector<4xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires source to be a memref or ranked tensor type}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, index, f32) -> vector<4xf32>
  return
}

// -----

// Rule 3, elements that are vectors
func.func @minor_vector(%src: memref<?xvector<4xf32>>, %i: index, %pad: vector<4xf32>) {
  // expected-error @+1 {{requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the minor 1-D vector of the source}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = []}
         : memref<?xvector<4xf32>>, vector<8x6xf32>
  return
}

// -----

// Rule 3
func.func @vector_rank(%src: memref<?xvector<2x4xf32>>, %i: index, %pad: vector<2x4xf32>) {
  // expected-error @+1 {{requires source vector element and vector result ranks to match.}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad
         {indexed_maps = [], permutation_map = affine_map<(i) -> (i)>} : memref<?xvector<2x4xf32>>, vector<4xf32>
  return
}

// -----

// Rule 3
func.func @vector_map(%src: memref<?xvector<4xf32>>, %i: index, %pad: vector<4xf32>) {
  // expected-error @+1 {{requires a permutation_map with result dims of the same rank as the vector type}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad
         {indexed_maps = [], permutation_map = affine_map<(i) -> (i, 0)>} : memref<?xvector<4xf32>>, vector<8x4xf32>
  return
}

// -----

// Rule 3
func.func @vector_mask(%src: memref<?xvector<4xf32>>, %i: index, %pad: vector<4xf32>, %mask: vector<8xi1>) {
  // expected-error @+1 {{does not support masks with vector element type}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad, %mask) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>,
    permutation_map = affine_map<(d0) -> (d0)>}>
    : (memref<?xvector<4xf32>>, index, vector<4xf32>, vector<8xi1>) -> vector<8x4xf32>
  return
}

// -----

// Rule 3, scalar elements
func.func @minor_scalar(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source element type}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = []} : memref<?xf32>, vector<3xf16>
  return
}

// -----

// Rule 3, scalar elements
func.func @scalar_map(%src: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires a permutation_map with result dims of the same rank as the vector type}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], permutation_map = affine_map<(i, j) -> (j)>} : memref<?x?xf32>, vector<4x8xf32>
  return
}

// -----

// Rule 4
func.func @symbols(%src: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires permutation_map without symbols}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], permutation_map = affine_map<(i, j)[s] -> (i, j)>} : memref<?x?xf32>, vector<4x8xf32>
  return
}

// -----

// Rule 4
func.func @dims(%src: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires a permutation_map with input dims of the same rank as the source type}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], permutation_map = affine_map<(i, j, k) -> (i, j)>} : memref<?x?xf32>, vector<4x8xf32>
  return
}

// -----

// Rule 5: the mask is indexed as the source is
func.func @mask(%src: memref<?x?xf32>, %i: index, %pad: f32, %mask: vector<8x4xi1>) {
  // expected-error @+1 {{inferred mask type ('vector<4x8xi1>') and mask operand type ('vector<8x4xi1>') don't match}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %i, %pad, %mask) <{
    in_bounds = [true, true], indexed = [false, false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 2, 0, 1, 1>,
    permutation_map = affine_map<(d0, d1) -> (d1, d0)>}>
    : (memref<?x?xf32>, index, index, f32, vector<8x4xi1>) -> vector<8x4xf32>
  return
}

// -----

// Rule 6
func.func @in_bounds(%src: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d0, d1)> vs inBounds of size: 1}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], in_bounds = [true]} : memref<?x?xf32>, vector<4x8xf32>
  return
}

// -----

// Rule 7, elements that are vectors
func.func @padding_of_vectors(%src: memref<?xvector<4xf32>>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires source element type and padding type to match.}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xvector<4xf32>>, index, f32) -> vector<8x4xf32>
  return
}

// -----

// Rule 7
func.func @padding_type(%src: memref<?xf32>, %i: index, %pad: tensor<4xf32>) {
  // expected-error @+1 {{requires valid padding vector elemental type}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf32>, index, tensor<4xf32>) -> vector<8xf32>
  return
}

// -----

// Rule 7
func.func @padding(%src: memref<?xf16>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires formal padding and source of the same elemental type}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf16>, index, f32) -> vector<8xf16>
  return
}

// -----

// Rule 8
func.func @twice(%src: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires a permutation_map that is a permutation (found one dim used more than once)}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<?x?xf32>, vector<4x4xf32>
  return
}

// -----

// Rule 8
func.func @constant(%src: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad
         {indexed_maps = [], permutation_map = affine_map<(d0, d1) -> (d0, 1)>} : memref<?x?xf32>, vector<4x4xf32>
  return
}

// -----

// Rule 8, with a mask, whose type no other map gives
func.func @sum_with_mask(%src: memref<?x?xf32>, %i: index, %pad: f32, %mask: vector<4x4xi1>) {
  // expected-error @+1 {{requires a projected permutation_map}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %i, %pad, %mask) <{
    in_bounds = [true, true], indexed = [false, false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 2, 0, 1, 1>,
    permutation_map = affine_map<(d0, d1) -> (d0 + d1, d0)>}>
    : (memref<?x?xf32>, index, index, f32, vector<4x4xi1>) -> vector<4x4xf32>
  return
}

// -----

// Rule 9
func.func @list(%src: memref<256x64xf32>, %x: vector<256xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{expects an entry of 'indexed' for each of the 2 source dimensions, but has 1}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%x : vector<256xindex>], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0)>]} : memref<256x64xf32>, vector<256x64xf32>
  return
}

// -----

// Rule 10: text always has as many vectors as gathered dimensions
func.func @index_vecs(%src: memref<256xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{expects an index vector for each of the 1 gathered dimensions, but has 0}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed = [true], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<256xf32>, index, f32) -> vector<8xf32>
  return
}

// -----

// Rule 10
func.func @maps(%src: memref<256x64xf32>, %x: vector<256xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{expects an indexed map for each of the 1 index vectors, but has 2}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%x : vector<256xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>]}
         : memref<256x64xf32>, vector<256x64xf32>
  return
}

// -----

// Rule 11
func.func @index_rank(%src: memref<256x64xf32>, %x: vector<256x64xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{index vector #0 has rank 2, but its map has 1 results}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, %x : vector<256x64xindex>], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d1)>]} : memref<256x64xf32>, vector<256x64xf32>
  return
}

// -----

// Rule 11
func.func @index_shape(%src: memref<256x64xf32>, %x: vector<256x64xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{index vector #0 must have shape [64, 256], the extents of the slice that its map names, but has [256, 64]}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, %x : vector<256x64xindex>], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d1, d0)>]} : memref<256x64xf32>, vector<256x64xf32>
  return
}

// -----

// Rule 11: the shapes that were published for this example
func.func @published(%src: memref<8192x8x16xf32>, %x: vector<2xindex>, %y: vector<4x8xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{index vector #0 must have shape [16], the extents of the slice that its map names, but has [2]}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i, %i][%x : vector<2xindex>, None, %y : vector<4x8xindex>], %pad
         {indexed_maps = [affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
          permutation_map = affine_map<(i, j, k) -> (k, j, i)>} : memref<8192x8x16xf32>, vector<16x8x2xf32>
  return
}

// -----

// Beyond rule 11: maps lead from the source dimensions
func.func @map_dims(%src: memref<256x64xf32>, %x: vector<256xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{index vector #0 needs a map from the 2 source dimensions without symbols, not affine_map<(d0) -> (d0)>}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%x : vector<256xindex>, None], %pad
         {indexed_maps = [affine_map<(d0) -> (d0)>]} : memref<256x64xf32>, vector<256x64xf32>
  return
}

// -----

// Beyond rule 11: to plain dimensions
func.func @map_results(%src: memref<256x64xf32>, %x: vector<256xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{index vector #0 needs a map to plain dimensions, not affine_map<(d0, d1) -> (d0 + 1)>}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][%x : vector<256xindex>, None], %pad
         {indexed_maps = [affine_map<(d0, d1) -> (d0 + 1)>]} : memref<256x64xf32>, vector<256x64xf32>
  return
}

// -----

// Beyond rule 11: elements are not converted
func.func @elements(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires vector and source of the same elemental type, but they have 'f16' and 'f32'}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = []} : memref<?xf32>, vector<4xf16>
  return
}

// -----

// 2.5.1: index vectors hold indices
func.func @index_type(%src: memref<?xf32>, %x: vector<4xi32>, %i: index, %pad: f32) {
  // expected-error @+1 {{operand #2 must be variadic of vector of index values, but got 'vector<4xi32>'}}
  %0 = iree_vector_ext.transfer_gather %src[%i][%x : vector<4xi32>], %pad
         {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xf32>, vector<4xf32>
  return
}

// -----

// 2.5.1: indexed_maps is mandatory, also when empty
func.func @no_maps(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires attribute 'indexed_maps'}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad : memref<?xf32>, vector<4xf32>
  return
}

// -----

// 2.5.2: exactly two types
func.func @types(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires two types}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = []} : memref<?xf32>, f32, vector<4xf32>
  return
}

// -----

// 2.5.2
func.func @source_type(%src: vector<4xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires memref or ranked tensor type}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = []} : vector<4xf32>, vector<4xf32>
  return
}

// -----

// 2.5.2
func.func @vector_type(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires vector type}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = []} : memref<?xf32>, tensor<4xf32>
  return
}

// -----

// 2.5.2
func.func @mask_of_vectors(%src: memref<?xvector<4xf32>>, %i: index, %pad: vector<4xf32>, %mask: vector<8xi1>) {
  // expected-error @+1 {{does not support masks with vector element type}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad, %mask {indexed_maps = []}
         : memref<?xvector<4xf32>>, vector<8x4xf32>
  return
}

// -----

// 2.5.2
func.func @mask_rank(%src: memref<?x?xf32>, %i: index, %pad: f32, %mask: vector<4xi1>) {
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad, %mask
         {indexed_maps = [], permutation_map = affine_map<(i, j) -> (j)>}
         // expected-error @+1 {{expected the same rank for the vector and the results of the permutation map}}
         : memref<?x?xf32>, vector<4x8xf32>
  return
}

// -----

// 2.5.2: no mask belongs to such a map
func.func @mask_map(%src: memref<?x?xf32>, %i: index, %pad: f32, %mask: vector<4x4xi1>) {
  // expected-error @+1 {{requires a permutation_map that is a permutation}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None, None], %pad, %mask
         {indexed_maps = [], permutation_map = affine_map<(i, j) -> (i, i)>} : memref<?x?xf32>, vector<4x4xf32>
  return
}

// -----

// 2.5.2: an entry is None or a vector
func.func @entry(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{expected 'None' or an index vector}}
  %0 = iree_vector_ext.transfer_gather %src[%i][Some], %pad {indexed_maps = []} : memref<?xf32>, vector<4xf32>
  return
}

// -----

// 2.5.2: with its type
func.func @entry_type(%src: memref<?xf32>, %x: vector<4xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{expected ':'}}
  %0 = iree_vector_ext.transfer_gather %src[%i][%x], %pad {indexed_maps = [affine_map<(i) -> (i)>]} : memref<?xf32>, vector<4xf32>
  return
}

// -----

// 2.5.2: and commas between them
func.func @commas(%src: memref<?x?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{expected ']'}}
  %0 = iree_vector_ext.transfer_gather %src[%i, %i][None None], %pad {indexed_maps = []} : memref<?x?xf32>, vector<4x4xf32>
  return
}

// -----

// 2.5.2: a minor identity needs a dimension of the source for each of the vector
func.func @default_map(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{expected a custom permutation_map when rank(source) != rank(destination)}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = []} : memref<?xf32>, vector<4x4xf32>
  return
}

// -----

func.func @map_kind(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{expected 'permutation_map' to be an affine map}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed_maps = [], permutation_map = 1} : memref<?xf32>, vector<4xf32>
  return
}

// -----

// 2.5.2: what the list in brackets says is not said twice
func.func @indexed(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{attribute 'indexed' is not to be written: the list in brackets says which dimensions are gathered}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {indexed = [false], indexed_maps = []} : memref<?xf32>, vector<4xf32>
  return
}

// -----

// 2.5.8: two attributes that were published and do not exist
func.func @gather_dims(%src: memref<?xf32>, %x: vector<4xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{attribute 'gather_dims' is not to be written: the list in brackets says which dimensions are gathered}}
  %0 = iree_vector_ext.transfer_gather %src[%i][%x : vector<4xindex>], %pad {gather_dims = [0], indexed_maps = [affine_map<(i) -> (i)>]}
         : memref<?xf32>, vector<4xf32>
  return
}

// -----

func.func @index_maps(%src: memref<?xf32>, %x: vector<4xindex>, %i: index, %pad: f32) {
  // expected-error @+1 {{attribute 'index_maps' is not to be written: the maps of index vectors are called 'indexed_maps'}}
  %0 = iree_vector_ext.transfer_gather %src[%i][%x : vector<4xindex>], %pad {index_maps = [affine_map<(i) -> (i)>]}
         : memref<?xf32>, vector<4xf32>
  return
}

// -----

func.func @segments(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{attribute 'operandSegmentSizes' is not to be written: the operands are counted}}
  %0 = iree_vector_ext.transfer_gather %src[%i][None], %pad {operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, indexed_maps = []}
         : memref<?xf32>, vector<4xf32>
  return
}

// -----

// 2.5.1, in generic form: bases are indices
func.func @index_operand(%src: memref<?xf32>, %i: i32, %pad: f32) {
  // expected-error @+1 {{operand #1 must be variadic of index, but got 'i32'}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf32>, i32, f32) -> vector<8xf32>
  return
}

// -----

// 2.5.1: a mask holds bits
func.func @mask_type(%src: memref<?xf32>, %i: index, %pad: f32, %mask: vector<8xi8>) {
  // expected-error @+1 {{operand #3 must be vector of 1-bit signless integer values, but got 'vector<8xi8>'}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad, %mask) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf32>, index, f32, vector<8xi8>) -> vector<8xf32>
  return
}

// -----

// 2.5.1: in generic form, nothing has a default
func.func @without_in_bounds(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires attribute 'in_bounds'}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf32>, index, f32) -> vector<8xf32>
  return
}

// -----

func.func @without_indexed(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires attribute 'indexed'}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>,
    permutation_map = affine_map<(d0) -> (d0)>}> : (memref<?xf32>, index, f32) -> vector<8xf32>
  return
}

// -----

func.func @without_permutation(%src: memref<?xf32>, %i: index, %pad: f32) {
  // expected-error @+1 {{requires attribute 'permutation_map'}}
  %0 = "iree_vector_ext.transfer_gather"(%src, %i, %pad) <{
    in_bounds = [true], indexed = [false], indexed_maps = [], operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}>
    : (memref<?xf32>, index, f32) -> vector<8xf32>
  return
}
