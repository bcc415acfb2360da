// Illegal types: refused where they are written (types, 2 to 5). One rule per piece.
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// types, 3: unknown mnemonics
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{unknown type: pluto}}
    %0 = iota : pluto<8xi32>
  }
}

// -----

// types, 3
// expected-error @+1 {{unknown  type `pluto` in dialect `cuda_tile`}}
!t = !cuda_tile.pluto<8xi32>

// -----

// types, 3: the pretty form of MLIR is the long form
// expected-error @+1 {{unknown  type `pluto` in dialect `cuda_tile`}}
!t = !cuda_tile<pluto<8xi32>>

// -----

// types, 4.9: removed in 13.1.6
// expected-note @+2 {{the string type was removed in Tile IR 13.1.6; there is no replacement}}
// expected-error @+1 {{unknown  type `string` in dialect `cuda_tile`}}
!t = !cuda_tile.string

// -----

// textual format, 2: no blank before `<` in a long form
// expected-error @+1 {{expected operation name in quotes}}
!t = !cuda_tile.tile <4xf32>

// -----

// types, 3: an extent list is not optional
// expected-error @+1 {{expected '<'}}
!t = !cuda_tile.tile

// -----

// types, 4.1: the pointee is a number
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'pointeeType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or f8E5M3FNU or i1 or i8 or i16 or i32 or i64}}
    %0 = make_token : tile<ptr<i4>>
  }
}

// -----

// types, 4.1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'pointeeType'}}
    %0 = make_token : tile<ptr<ptr<f32>>>
  }
}

// -----

// types, 4.1
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'pointeeType'}}
    %0 = make_token : tile<ptr<tile<f32>>>
  }
}

// -----

// types, 2.1: other integers and floats are no element types
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'pointeeType'}}
    %0 = make_token : tile<ptr<index>>
  }
}

// -----

// types, 4.2: extents are static
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{expected static shape}}
    %0 = iota : tile<?xi32>
  }
}

// -----

// types, 4.2: extents are positive; the message lists all
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{all dimensions must be positive constants, got 1, 0, 2}}
    %0 = iota : tile<1x0x2xi32>
  }
}

// -----

// types, 4.2: extents are powers of two
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{all dimensions must be powers of two, got 5, 5}}
    %0 = iota : tile<5x5xi32>
  }
}

// -----

// types, 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{all dimensions must be powers of two, got 2, 3}}
    %0 = iota : tile<2x3xi32>
  }
}

// -----

// types, 4.2: at most 2^24 elements
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{tile would exceed the maximum of 16777216 elements}}
    %0 = iota : tile<33554432xi32>
  }
}

// -----

// types, 4.2: the product does not wrap
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{tile would exceed the maximum of 16777216 elements}}
    %0 = iota : tile<4294967296x4294967296xi32>
  }
}

// -----

// types, 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or f8E5M3FNU or i1 or i8 or i16 or i32 or i64 or Pointer type or i4}}
    %0 = iota : tile<8xi2>
  }
}

// -----

// types, 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'elementType'}}
    %0 = iota : tile<8xsi32>
  }
}

// -----

// types, 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'elementType'}}
    %0 = iota : tile<8xf80>
  }
}

// -----

// types, 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'elementType'}}
    %0 = iota : tile<f8E4M3>
  }
}

// -----

// types, 4.8: a token is no element
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'elementType'}}
    %0 = iota : tile<8xtoken>
  }
}

// -----

// types, 2.4: 4-bit floats come in pairs
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{F4E2M1FN tiles must have an even number of elements}}
    %0 = iota : tile<f4E2M1FN>
  }
}

// -----

// types, 2.4
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{F4E2M1FN tiles must have an even number of elements}}
    %0 = iota : tile<1x1xf4E2M1FN>
  }
}

// -----

// types, 4.2: the element type is checked first, positive extents before powers of two
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{failed to verify 'elementType'}}
    %0 = iota : tile<0x3xi2>
  }
}

// -----

// types, 4.2
cuda_tile.module @m {
  entry @k() {
    // expected-error @+1 {{all dimensions must be positive constants, got 0, 3}}
    %0 = iota : tile<0x3xi32>
  }
}

// -----

// types, 4.3: rank 0 has no strides
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{strides must not be provided for 0-d tiles}}
    %0 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32, strides=[]>
  }
}

// -----

// types, 4.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected a pointer attribute, one of: none, unicast, multicast, but got 'pitch'}}
    %0 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32, pitch=[1]>
  }
}

// -----

// types, 4.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{unexpected token after element type in 0-d tensor_view}}
    %0 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32 strides=[1]>
  }
}

// -----

// types, 4.3: strides are mandatory otherwise
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected 'strides'}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, pitch=[1]>
  }
}

// -----

// types, 4.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected shape and stride to be of same rank but got shape of rank 1 and stride of rank 2}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1, 1]>
  }
}

// -----

// types, 4.3: an extent or stride is a positive number or open
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected either 64-bit integer or question mark}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[x]>
  }
}

// -----

// types, 4.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected strictly positive integer, got -5}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[-5]>
  }
}

// -----

// types, 4.3: a written stride of 0 is the parser's, an extent of 0 the verifier's
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected strictly positive integer, got 0}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[0]>
  }
}

// -----

// types, 4.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{dimensions must have strictly positive constant sizes but got [0]}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<0xf32, strides=[1]>
  }
}

// -----

// types, 4.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{invalid dimension}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<9223372036854775808xf32, strides=[1]>
  }
}

// -----

// types, 4.3: neither i4 nor pointers lie in memory through views
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or f8E5M3FNU or i1 or i8 or i16 or i32 or i64}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi4, strides=[1]>
  }
}

// -----

// types, 4.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{failed to verify 'elementType'}}
    %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xptr<f32>, strides=[1]>
  }
}

// -----

// types, 4.4: the ranks agree
// expected-error @+1 {{expected tensor_view rank and tile rank to match, got tensor_view of rank 3 and tiles of rank 2}}
!t = !cuda_tile.partition_view<tile=(4x8), tensor_view<9x9x9xf32, strides=[81,9,1]>>

// -----

// types, 4.4: views have at least one dimension
// expected-error @+1 {{0-dimension tile shape is not supported}}
!t = !cuda_tile.partition_view<tile=(), tensor_view<f32>>

// -----

// types, 4.4: tile extents fit in a positive int32
// expected-error @+1 {{tile dimension 0 exceeds i32 limitations (got 2147483648, expected strictly positive and less than or equal to 2147483647)}}
!t = !cuda_tile.partition_view<tile=(2147483648), tensor_view<9xf32, strides=[1]>>

// -----

// types, 4.4
// expected-error @+1 {{tile dimension 1 exceeds i32 limitations (got 0, expected strictly positive and less than or equal to 2147483647)}}
!t = !cuda_tile.partition_view<tile=(4x0), tensor_view<9x9xf32, strides=[9,1]>>

// -----

// types, 4.4
// expected-error @+1 {{tile shape dimensions must have power of two length but got [5, 1024]}}
!t = !cuda_tile.partition_view<tile=(5x1024), tensor_view<9x9xf32, strides=[9,1]>>

// -----

// types, 4.4: the tile that is loaded must be a legal one
// expected-error @+1 {{tile would exceed the maximum of 16777216 elements}}
!t = !cuda_tile.partition_view<tile=(8192x4096), tensor_view<9x9xf32, strides=[9,1]>>

// -----

// types, 4.4
// expected-error @+1 {{F4E2M1FN tiles must have an even number of elements}}
!t = !cuda_tile.partition_view<tile=(1x1), tensor_view<9x9xf4E2M1FN, strides=[9,1]>>

// -----

// types, 4.4: only zero pads integers
// expected-error @+1 {{padding_value nan can only be used with floating point element types, got 'i32'}}
!t = !cuda_tile.partition_view<tile=(8), padding_value = nan, tensor_view<9xi32, strides=[1]>>

// -----

// types, 4.4
// expected-error @+1 {{padding_value neg_zero can only be used with floating point element types, got 'i1'}}
!t = !cuda_tile.strided_view<tile=(8), traversal_strides=[8], padding_value = neg_zero, tensor_view<9xi1, strides=[1]>>

// -----

// types, 4.4
// expected-error @+1 {{padding_value pos_inf can only be used with floating point element types, got 'i8'}}
!t = !cuda_tile.gather_scatter_view<tile=(8), padding_value = pos_inf, tensor_view<9xi8, strides=[1]>, sparse_dim=0>

// -----

// types, 4.4
// expected-error @+1 {{expected 'tensor_view' type, but got}}
!t = !cuda_tile.partition_view<tile=(8), tile<8xf32>>

// -----

// types, 4.4
// expected-error @+1 {{invalid padding_value attribute specification. Got "pluto" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf}}
!t = !cuda_tile.partition_view<tile=(8), padding_value = pluto, tensor_view<9xf32, strides=[1]>>

// -----

// types, 4.4: dim_map is a permutation
// expected-error @+1 {{expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings}}
!t = !cuda_tile.partition_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, dim_map=[0]>

// -----

// types, 4.4
// expected-error @+1 {{target dimension must not be negative, got -1}}
!t = !cuda_tile.partition_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, dim_map=[0, -1]>

// -----

// types, 4.4
// expected-error @+1 {{target dimension is outside of tensor view dimensions, expected strictly less than 2, got 2}}
!t = !cuda_tile.strided_view<tile=(4x8), traversal_strides=[4,8], tensor_view<9x9xf32, strides=[9,1]>, dim_map=[0, 2]>

// -----

// types, 4.4
// expected-error @+1 {{target dimension 0 mapped at least twice (for tile dimensions 0 and 1)}}
!t = !cuda_tile.partition_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, dim_map=[0, 0]>

// -----

// types, 4.4: the rank is checked before the map, the map's length before the extents
// expected-error @+1 {{expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1}}
!t = !cuda_tile.partition_view<tile=(8), tensor_view<9x9xf32, strides=[9,1]>, dim_map=[7]>

// -----

// types, 4.4
// expected-error @+1 {{expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings}}
!t = !cuda_tile.partition_view<tile=(5x8), tensor_view<9x9xf32, strides=[9,1]>, dim_map=[0]>

// -----

// types, 4.6: one traversal stride for each tile dimension
// expected-error @+1 {{expected 2 traversal strides, got 1}}
!t = !cuda_tile.strided_view<tile=(4x8), traversal_strides=[4], tensor_view<9x9xf32, strides=[9,1]>>

// -----

// types, 4.6
// expected-error @+1 {{traversal strides must be strictly positive but got [1, 0]}}
!t = !cuda_tile.strided_view<tile=(4x8), traversal_strides=[1,0], tensor_view<9x9xf32, strides=[9,1]>>

// -----

// types, 4.6
// expected-error @+1 {{expected 'traversal_strides'}}
!t = !cuda_tile.strided_view<tile=(8), tensor_view<9xf32, strides=[1]>>

// -----

// types, 4.7: the sparse dimension is mandatory and last
// expected-error @+1 {{expected ','}}
!t = !cuda_tile.gather_scatter_view<tile=(8), tensor_view<9xf32, strides=[1]>>

// -----

// types, 4.7
// expected-error @+1 {{gather dimension is outside of tensor view dimensions, expected strictly less than 1, got 1}}
!t = !cuda_tile.gather_scatter_view<tile=(8), tensor_view<9xf32, strides=[1]>, sparse_dim=1>

// -----

// types, 4.7: it is unsigned
// expected-error @+1 {{gather dimension is outside of tensor view dimensions, expected strictly less than 1, got 4294967295}}
!t = !cuda_tile.gather_scatter_view<tile=(8), tensor_view<9xf32, strides=[1]>, sparse_dim=-1>

// -----

// types, 14: the sources' examples with a trailing comma
// expected-error @+1 {{expected 'dim_map'}}
!t = !cuda_tile.partition_view<tile=(8), tensor_view<9xf32, strides=[1]>,>

// -----

// types, 14: ... and with none after the traversal strides
// expected-error @+1 {{expected ','}}
!t = !cuda_tile.strided_view<tile=(8), traversal_strides=[8] tensor_view<9xf32, strides=[1]>>

// -----

// types, 15: legacy spellings, with a note that names today's
// expected-note @+2 {{views are no longer marked 'masked'}}
// expected-error @+1 {{expected 'tile'}}
!t = !cuda_tile.partition_view<masked tile=(8), tensor_view<9xf32, strides=[1]>>

// -----

// types, 15
// expected-note @+2 {{there is no keyword before the tensor view: drop 'view='}}
// expected-error @+1 {{unknown type: view}}
!t = !cuda_tile.partition_view<tile=(8), view=tensor_view<9xf32, strides=[1]>>

// -----

// types, 15: the padding comes before the view
// expected-note @+2 {{'padding_value' stands before the tensor view}}
// expected-error @+1 {{expected 'dim_map'}}
!t = !cuda_tile.partition_view<tile=(8), tensor_view<9xf32, strides=[1]>, padding_value = zero>

// -----

// types, 15: published names of the 8-bit formats
cuda_tile.module @m {
  entry @k() {
    // expected-note @+2 {{this element type is spelled 'f8E4M3FN'}}
    // expected-error @+1 {{unknown type: e4m3}}
    %0 = iota : tile<8xe4m3>
  }
}

// -----

// types, 4.11: one index for each dimension
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9, 9], strides = [9, 1] : tensor_view<9x9xf32, strides=[9,1]>
    %w = make_partition_view %v : partition_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>>
    // expected-error @+1 {{expected 2 index operands (based on view type), got 1}}
    %x, %t = load_view_tko weak %w[%i] : partition_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// types, 4.11
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>
    %i = iota : tile<8xi32>
    // expected-error @+1 {{expected index type to be a scalar tile, got}}
    %x, %t = load_view_tko weak %w[%i] : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>, tile<8xi32> -> tile<8xf32>, token
  }
}

// -----

// types, 4.11
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>, %j: tile<i64>) {
    %v = make_tensor_view %p, shape = [9, 9], strides = [9, 1] : tensor_view<9x9xf32, strides=[9,1]>
    %w = make_strided_view %v : strided_view<tile=(4x8), traversal_strides=[4,8], tensor_view<9x9xf32, strides=[9,1]>>
    // expected-error @+1 {{expected index type 1 to be the same as other index types (}}
    %x, %t = load_view_tko weak %w[%i, %j] : strided_view<tile=(4x8), traversal_strides=[4,8], tensor_view<9x9xf32, strides=[9,1]>>, tile<i32>, tile<i64> -> tile<4x8xf32>, token
  }
}

// -----

// types, 4.11: gather and scatter
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9, 9], strides = [9, 1] : tensor_view<9x9xf32, strides=[9,1]>
    %w = make_gather_scatter_view %v : gather_scatter_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, sparse_dim=0>
    // expected-error @+1 {{expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank 0}}
    %x, %t = load_view_tko weak %w[%i, %i] : gather_scatter_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, sparse_dim=0>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// types, 4.11
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9, 9], strides = [9, 1] : tensor_view<9x9xf32, strides=[9,1]>
    %w = make_gather_scatter_view %v : gather_scatter_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, sparse_dim=0>
    %j = iota : tile<8xi32>
    // expected-error @+1 {{expected gather/scatter index size (8) to match tile shape at gather/scatter dimension 0 (4)}}
    %x, %t = load_view_tko weak %w[%j, %i] : gather_scatter_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<4x8xf32>, token
  }
}

// -----

// types, 4.11
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    %v = make_tensor_view %p, shape = [9, 9], strides = [9, 1] : tensor_view<9x9xf32, strides=[9,1]>
    %w = make_gather_scatter_view %v : gather_scatter_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, sparse_dim=0>
    %j = iota : tile<4xi32>
    // expected-error @+1 {{expected index 1 to be a scalar tile for GatherScatterView}}
    %x, %t = load_view_tko weak %w[%j, %j] : gather_scatter_view<tile=(4x8), tensor_view<9x9xf32, strides=[9,1]>, sparse_dim=0>, tile<4xi32> -> tile<4x8xf32>, token
  }
}

// -----

// types, 4.11
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>, %l: tile<i64>) {
    %v = make_tensor_view %p, shape = [9, 9, 9], strides = [81, 9, 1] : tensor_view<9x9x9xf32, strides=[81,9,1]>
    %w = make_gather_scatter_view %v : gather_scatter_view<tile=(4x8x2), tensor_view<9x9x9xf32, strides=[81,9,1]>, sparse_dim=0>
    %j = iota : tile<4xi32>
    // expected-error @+1 {{expected scalar index 2 to have the same type as other scalar indices (}}
    %x, %t = load_view_tko weak %w[%j, %i, %l] : gather_scatter_view<tile=(4x8x2), tensor_view<9x9x9xf32, strides=[81,9,1]>, sparse_dim=0>, tile<4xi32>, tile<i32>, tile<i64> -> tile<4x8x2xf32>, token
  }
}

// -----

// types, 4.11: the view says which tile is loaded
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>
    // expected-error @+1 {{expected tile type to be}}
    %x, %t = load_view_tko weak %w[%i] : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
  }
}

// -----

// types, 4.11: ... and stored
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<i32>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{expected tile type to be}}
    %t = store_view_tko weak %x, %w[%i] : tile<8xi32>, partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// types, 4.11: index values are integers
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %i: tile<f32>) {
    %v = make_tensor_view %p, shape = [9], strides = [1] : tensor_view<9xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>
    // expected-error @+1 {{must be variadic of tile of i1 or i8 or i16 or i32 or i64 values}}
    %x, %t = load_view_tko weak %w[%i] : partition_view<tile=(8), tensor_view<9xf32, strides=[1]>>, tile<f32> -> tile<8xf32>, token
  }
}

// -----

// types, 4.7: stored as uint32
// expected-error @+1 {{sparse_dim does not fit in 32 bits, got 4294967296}}
!t = !cuda_tile.gather_scatter_view<tile=(8), tensor_view<9xf32, strides=[1]>, sparse_dim=4294967296>
