// Illegal memory operations, views and atomics (operations (core), 2.4, 7 to 9 and 15;
// textual format, 8).
// RUN: tilewright-opt %s --split-input-file --verify-diagnostics

// 7.3: load_ptr_tko
cuda_tile.module @m {
  entry @k(%n: tile<i64>) {
    // expected-error @+1 {{operand #0 must be tile of Pointer type values, but got '!cuda_tile.tile<i64>'}}
    %x, %t = load_ptr_tko weak %n : tile<i64> -> tile<i64>, token
  }
}

// -----

// 7.3; types, 4.1: no pointer points to a pointer
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected 'result' to have elements that a pointer can point to, but got '!cuda_tile.tile<ptr<i32>>'}}
    %x, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<ptr<i32>>, token
  }
}

// -----

// 7.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected 'source' to have type '!cuda_tile.tile<ptr<i64>>', since 'result' has type '!cuda_tile.tile<i64>', but got '!cuda_tile.tile<ptr<i32>>'}}
    %x, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i64>, token
  }
}

// -----

// 7.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected 'source' to have type '!cuda_tile.tile<1xptr<i32>>', since 'result' has type '!cuda_tile.tile<1xi32>', but got '!cuda_tile.tile<ptr<i32>>'}}
    %x, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<1xi32>, token
  }
}

// -----

// 7.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %m = iota : tile<2xi1>
    // expected-error @+1 {{failed to verify that shape of 'mask' must match the shape of 'source'}}
    %x, %t = load_ptr_tko weak %p, %m : tile<ptr<i32>>, tile<2xi1> -> tile<i32>, token
  }
}

// -----

// 7.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %m: tile<i8>) {
    // expected-error @+1 {{operand #1 must be tile of i1 values, but got '!cuda_tile.tile<i8>'}}
    %x, %t = load_ptr_tko weak %p, %m : tile<ptr<i32>>, tile<i8> -> tile<i32>, token
  }
}

// -----

// 7.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %m: tile<i1>, %d: tile<i64>) {
    // expected-error @+1 {{failed to verify that type of 'paddingValue' must match the type of 'result'}}
    %x, %t = load_ptr_tko weak %p, %m, %d : tile<ptr<i32>>, tile<i1>, tile<i64> -> tile<i32>, token
  }
}

// -----

// 2.4: loads acquire, stores release
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expect one of: weak, relaxed, or acquire, but got: release}}
    %x, %t = load_ptr_tko release device %p : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expect one of: weak, relaxed, or acquire, but got: acq_rel}}
    %x, %t = load_ptr_tko acq_rel device %p : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 2.4: scope and ordering
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{memory scope is required for relaxed load, one of: tl_blk, device, sys}}
    %x, %t = load_ptr_tko relaxed %p : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{memory scope is required for acquire load}}
    %x, %t = load_ptr_tko acquire %p : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 2.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{weak load must not have memory scope}}
    %x, %t = load_ptr_tko weak device %p : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 2.4: there is no default ordering
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'memory_ordering_semantics' [weak, relaxed, acquire, release, acq_rel]}}
    %x, %t = load_ptr_tko %p : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 15
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'memory_ordering_semantics'}}
    %x, %t = load_ptr_tko strong %p : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 15: tile_block is the prose's name for tl_blk
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'memory_scope'}}
    %x, %t = atomic_rmw_tko relaxed tile_block %p, add, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// textual format, 8: as many types as operands
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %m: tile<i1>) {
    // expected-error @+1 {{number of operands and types do not match: got 1 operands and 0 types}}
    %x, %t = load_ptr_tko weak %p, %m : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// 7.4: store_ptr_tko
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i64>) {
    // expected-error @+1 {{expected 'destination' to have type '!cuda_tile.tile<ptr<i64>>', since 'value' has type '!cuda_tile.tile<i64>', but got '!cuda_tile.tile<ptr<i32>>'}}
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i64> -> token
  }
}

// -----

// 7.4; types, 4.1: no pointer points to a pointer
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected 'value' to have elements that a pointer can point to, but got '!cuda_tile.tile<ptr<i32>>'}}
    %t = store_ptr_tko weak %p, %p : tile<ptr<i32>>, tile<ptr<i32>> -> token
  }
}

// -----

// 7.4; types, 2.8: nor to an i4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i4>) {
    // expected-error @+1 {{expected 'value' to have elements that a pointer can point to, but got '!cuda_tile.tile<i4>'}}
    %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i4> -> token
  }
}

// -----

// 7.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %m = iota : tile<2xi1>
    // expected-error @+1 {{failed to verify that shape of 'destination' must match the shape of 'mask'}}
    %t = store_ptr_tko weak %p, %n, %m : tile<ptr<i32>>, tile<i32>, tile<2xi1> -> token
  }
}

// -----

// 7.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{expect one of: weak, relaxed, or release, but got: acquire}}
    %t = store_ptr_tko acquire device %p, %n : tile<ptr<i32>>, tile<i32> -> token
  }
}

// -----

// 7.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{memory scope is required for relaxed store}}
    %t = store_ptr_tko relaxed %p, %n : tile<ptr<i32>>, tile<i32> -> token
  }
}

// -----

// 7.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{memory scope is required for release store, one of: tl_blk, device, sys}}
    %t = store_ptr_tko release %p, %n : tile<ptr<i32>>, tile<i32> -> token
  }
}

// -----

// 7.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{weak store must not have memory scope}}
    %t = store_ptr_tko weak sys %p, %n : tile<ptr<i32>>, tile<i32> -> token
  }
}

// -----

// 7.4
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    // expected-error @+1 {{operand #0 must be tile of Pointer type values}}
    %t = store_ptr_tko weak %n, %n : tile<i32>, tile<i32> -> token
  }
}

// -----

// 8.2: make_tensor_view: literals and types say the same
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{input shape dimension 0 does not match tensor_view type (expected dynamic, got 64)}}
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<?xi32, strides=[1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{input shape dimension 0 does not match tensor_view type (expected 32, got 64)}}
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<32xi32, strides=[1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{input stride dimension 0 does not match tensor_view type (expected 1, got 2)}}
    %v = make_tensor_view %p, shape = [64], strides = [2] : tensor_view<64xi32, strides=[1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected shape declaration to contain 2 elements due to tensor_view type, but 1 were provided}}
    %v = make_tensor_view %p, shape = [64], strides = [8, 1] : tensor_view<64x8xi32, strides=[8,1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected stride declaration to contain 2 elements due to tensor_view type, but 1 were provided}}
    %v = make_tensor_view %p, shape = [64, 8], strides = [8] : tensor_view<64x8xi32, strides=[8,1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected either integer or SSA value}}
    %v = make_tensor_view %p, shape = [x], strides = [1] : tensor_view<64xi32, strides=[1]>
  }
}

// -----

// 8.2: the type of the open sizes is written once, if there are any
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{expected}}
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tensor_view<?xi32, strides=[1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{expected}}
    %v = make_tensor_view %p, shape = [8], strides = [1] : tile<i32> -> tensor_view<8xi32, strides=[1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<f32>) {
    // expected-error @+1 {{must be variadic of 0D tile of i1 or i8 or i16 or i32 or i64 values}}
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<f32> -> tensor_view<?xi32, strides=[1]>
  }
}

// -----

// 8.2: the base pointer's type is implied
cuda_tile.module @m {
  // expected-note @+1 {{prior use here}}
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{use of value '%p' expects different type than prior uses}}
    %v = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
  }
}

// -----

// 8.2: ... and checked in generic form
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{expected pointer to 'i32' to build tensor_view of this type, got 'f32'}}
    %v = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<8xi32, strides=[1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected 1 dynamic shape operands, got 0}}
    %v = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> !cuda_tile.tensor_view<?xi32, strides=[1]>
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{expected 1 dynamic stride operands, got 0}}
    %v = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> !cuda_tile.tensor_view<8xi32, strides=[?]>
  }
}

// -----

// 8.2: one type for all open sizes
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>, %l: tile<i64>) {
    // expected-error @+1 {{same type}}
    %v = "cuda_tile.make_tensor_view"(%p, %n, %l) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<i32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?xi32, strides=[?]>
  }
}

// -----

// 8.3: the operand is the view's own tensor view
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-note @+1 {{prior use here}}
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{use of value '%v' expects different type than prior uses}}
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>
  }
}

// -----

// 8.3: each operation makes its own kind
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{partition_view}}
    %w = make_partition_view %v : strided_view<tile=(8), traversal_strides=[8], tensor_view<64xi32, strides=[1]>>
  }
}

// -----

// 8.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{strided_view}}
    %w = make_strided_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
  }
}

// -----

// 8.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{gather_scatter_view}}
    %w = make_gather_scatter_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
  }
}

// -----

// 8.4: shapes
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    // expected-error @+1 {{expected tensor_view, got '!cuda_tile.partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>'}}
    %0 = get_tensor_shape %w : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>> -> tile<i32>
  }
}

// -----

// 8.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{expected tile view, got '!cuda_tile.tensor_view<64xi32, strides=[1]>'}}
    %0 = get_index_space_shape %v : tensor_view<64xi32, strides=[1]> -> tile<i32>
  }
}

// -----

// 8.4: the rank gives the number of results
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    // expected-error @+1 {{operation defines 2 results but was provided 3 to bind}}
    %0:3 = get_tensor_shape %v : tensor_view<64x64xi32, strides=[64,1]> -> tile<i32>
  }
}

// -----

// 8.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{expected 1 results due to tensor rank, but got 2}}
    %0:2 = "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.tensor_view<64xi32, strides=[1]>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
  }
}

// -----

// 8.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    // expected-error @+1 {{expected 1 results due to view index space rank, but got 2}}
    %0:2 = "cuda_tile.get_index_space_shape"(%w) : (!cuda_tile.partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>)
  }
}

// -----

// 8.4: no dictionary in custom form
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{expected ':'}}
    %0 = get_tensor_shape %v {note} : tensor_view<64xi32, strides=[1]> -> tile<i32>
  }
}

// -----

// 8.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{must be variadic of 0D tile of i1 or i8 or i16 or i32 or i64 values}}
    %0 = get_tensor_shape %v : tensor_view<64xi32, strides=[1]> -> tile<f32>
  }
}

// -----

// 8.5: views
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{TileView instance}}
    %x, %t = load_view_tko weak %v[%n] : tensor_view<64xi32, strides=[1]>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

// 8.5
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    // expected-error @+1 {{expect one of: weak, relaxed, or acquire, but got: release}}
    %x, %t = load_view_tko release device %w[%n] : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

// 8.5
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    // expected-error @+1 {{memory scope is required for acquire load}}
    %x, %t = load_view_tko acquire %w[%n] : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

// textual format, 8: one index type, or one each
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>>
    // expected-error @+1 {{expected 2 index types, got 3}}
    %x, %t = load_view_tko weak %w[%n, %n] : partition_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>>, tile<i32>, tile<i32>, tile<i32> -> tile<8x8xi32>, token
  }
}

// -----

// textual format, 8: without indices there are no index types
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    // expected-error @+1 {{expected 1 index operands (based on view type), got 0}}
    %x, %t = load_view_tko weak %w[] : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>> -> tile<8xi32>, token
  }
}

// -----

// textual format, 8: view operations take no quoted keywords
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    // expected-error @+1 {{expected}}
    %x, %t = load_view_tko "weak" %w[%n] : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

// textual format, 9: the dictionary needs its keyword here
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    // expected-error @+1 {{expected ':'}}
    %x, %t = load_view_tko weak %w[%n] {note} : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
  }
}

// -----

// 8.6
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{expect one of: weak, relaxed, or release, but got: acquire}}
    %t = store_view_tko acquire device %x, %w[%n] : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 8.6
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{memory scope is required for release store}}
    %t = store_view_tko release %x, %w[%n] : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 8.6
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{operation specifies weak memory ordering semantics, but then provides "sys" scope, expected no memory scope.}}
    %t = store_view_tko weak sys %x, %w[%n] : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.1: atomic_rmw_tko
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
    %x, %t = atomic_rmw_tko weak device %p, add, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// 9.1: the scope is not optional
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'memory_scope'}}
    %x, %t = atomic_rmw_tko relaxed %p, add, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// 9.1: `XCHF` of the sources is `xchg`
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'mode'}}
    %x, %t = atomic_rmw_tko relaxed device %p, xchf, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i64>>, %n: tile<i32>) {
    // expected-error @+1 {{expected pointee type ('i64') to match element type of 'arg' ('i32')}}
    %x, %t = atomic_rmw_tko relaxed device %p, add, %n : tile<ptr<i64>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %n = iota : tile<2xi32>
    // expected-error @+1 {{failed to verify that all of {pointers, arg, result} have same shape}}
    %x, %t = atomic_rmw_tko relaxed device %p, add, %n : tile<ptr<i32>>, tile<2xi32> -> tile<2xi32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %m = iota : tile<2xi1>
    // expected-error @+1 {{failed to verify that all of {pointers, arg, mask} have same shape}}
    %x, %t = atomic_rmw_tko relaxed device %p, add, %n, %m : tile<ptr<i32>>, tile<i32>, tile<2xi1> -> tile<i32>, token
  }
}

// -----

// 9.1: modes and types
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>, %n: tile<i8>) {
    // expected-error @+1 {{'add' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, add, %n : tile<ptr<i8>>, tile<i8> -> tile<i8>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<f32>) {
    // expected-error @+1 {{'and' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, and, %n : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i16>>, %n: tile<i16>) {
    // expected-error @+1 {{'or' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, or, %n : tile<ptr<i16>>, tile<i16> -> tile<i16>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i1>>, %n: tile<i1>) {
    // expected-error @+1 {{'xor' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, xor, %n : tile<ptr<i1>>, tile<i1> -> tile<i1>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<f32>) {
    // expected-error @+1 {{'max' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, max, %n : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<f32>) {
    // expected-error @+1 {{'min' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, min, %n : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<f32>) {
    // expected-error @+1 {{'umax' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, umax, %n : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %n: tile<f32>) {
    // expected-error @+1 {{'umin' works only with integers i32 and i64}}
    %x, %t = atomic_rmw_tko relaxed device %p, umin, %n : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{'addf' works only with floats f16, bf16, f32, and f64}}
    %x, %t = atomic_rmw_tko relaxed device %p, addf, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<tf32>>, %n: tile<tf32>) {
    // expected-error @+1 {{'addf' works only with floats f16, bf16, f32, and f64}}
    %x, %t = atomic_rmw_tko relaxed device %p, addf, %n : tile<ptr<tf32>>, tile<tf32> -> tile<tf32>, token
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16>>, %n: tile<f16>) {
    // expected-error @+1 {{'xchg' works only with integers or float of 32 or 64 bitwidth}}
    %x, %t = atomic_rmw_tko relaxed device %p, xchg, %n : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
  }
}

// -----

// 9.1: tf32 counts 19 bits
cuda_tile.module @m {
  entry @k(%p: tile<ptr<tf32>>, %n: tile<tf32>) {
    // expected-error @+1 {{'xchg' works only with integers or float of 32 or 64 bitwidth}}
    %x, %t = atomic_rmw_tko relaxed device %p, xchg, %n : tile<ptr<tf32>>, tile<tf32> -> tile<tf32>, token
  }
}

// -----

// 9.2: atomic_cas_tko
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f16>>, %n: tile<f16>) {
    // expected-error @+1 {{expect only float or integer types with 32 or 64 bit}}
    %x, %t = atomic_cas_tko relaxed device %p, %n, %n : tile<ptr<f16>>, tile<f16> -> tile<f16>, token
  }
}

// -----

// 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i64>>, %n: tile<i32>) {
    // expected-error @+1 {{expected pointee type ('i64') to match element type of 'val' ('i32')}}
    %x, %t = atomic_cas_tko relaxed device %p, %n, %n : tile<ptr<i64>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %n = iota : tile<2xi32>
    // expected-error @+1 {{failed to verify that all of {pointers, cmp, val, result} have same shape}}
    %x, %t = atomic_cas_tko relaxed device %p, %n, %n : tile<ptr<i32>>, tile<2xi32> -> tile<2xi32>, token
  }
}

// -----

// 9.2, 2.4
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
    %x, %t = atomic_cas_tko weak device %p, %n, %n : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// 9.3: atomic_red_view_tko
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{only 'relaxed' memory ordering is supported for view-based atomic reductions}}
    %t = atomic_red_view_tko release device %w[%n], add, %x : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility}}
    %t = atomic_red_view_tko relaxed sys %w[%n], add, %x : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_gather_scatter_view %v : gather_scatter_view<tile=(8), tensor_view<64xi32, strides=[1]>, sparse_dim=0>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{gather_scatter_view is not supported; use partition_view instead}}
    %t = atomic_red_view_tko relaxed device %w[%x], add, %x : tile<8xi32>, gather_scatter_view<tile=(8), tensor_view<64xi32, strides=[1]>, sparse_dim=0>, tile<8xi32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), padding_value = zero, tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{views with padding_value are not supported for atomic reductions}}
    %t = atomic_red_view_tko relaxed device %w[%n], add, %x : tile<8xi32>, partition_view<tile=(8), padding_value = zero, tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{atomic_red_view_tko op cannot use xchg operation}}
    %t = atomic_red_view_tko relaxed device %w[%n], xchg, %x : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi64>
    // expected-error @+1 {{view element type ('i32') must match value element type ('i64')}}
    %t = atomic_red_view_tko relaxed device %w[%n], add, %x : tile<8xi64>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<4xi32>
    // expected-error @+1 {{view tile shape 8 must match value shape 4 for element-wise atomic operations}}
    %t = atomic_red_view_tko relaxed device %w[%n], add, %x : tile<4xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{expected 1 index operand(s) for view with tile rank 1, got 2}}
    %t = atomic_red_view_tko relaxed device %w[%n, %n], add, %x : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{index operand 0 must be a scalar tile (rank 0), got shape 8}}
    %t = atomic_red_view_tko relaxed device %w[%x], add, %x : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<8xi32> -> token
  }
}

// -----

// 9.3: modes and types as for pointers
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i8>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi8, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi8, strides=[1]>>
    %x = iota : tile<8xi8>
    // expected-error @+1 {{'umin' works only with integers i32 and i64}}
    %t = atomic_red_view_tko relaxed device %w[%n], umin, %x : tile<8xi8>, partition_view<tile=(8), tensor_view<64xi8, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 9.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>
    %x = iota : tile<8xi32>
    // expected-error @+1 {{'addf' works only with floats f16, bf16, f32, and f64}}
    %t = atomic_red_view_tko relaxed device %w[%n], addf, %x : tile<8xi32>, partition_view<tile=(8), tensor_view<64xi32, strides=[1]>>, tile<i32> -> token
  }
}

// -----

// 8.4: one type for all results
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    // expected-error @+1 {{expected all results to have the same type}}
    %0:2 = "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.tensor_view<64x64xi32, strides=[64,1]>) -> (!cuda_tile.tile<i32>, !cuda_tile.tile<i64>)
  }
}

// -----

// textual format, 10: mandatory properties
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{requires attribute 'memory_ordering_semantics'}}
    %x:2 = "cuda_tile.load_ptr_tko"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> (!cuda_tile.tile<i32>, !cuda_tile.token)
  }
}

// -----

// textual format, 10
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{requires attribute 'memory_scope'}}
    %x:2 = "cuda_tile.atomic_cas_tko"(%p, %n, %n) <{memory_ordering_semantics = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<i32>, !cuda_tile.token)
  }
}

// -----

// 9.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>, %x: tile<f32>) {
    // expected-error @+1 {{failed to verify that all of {cmp, val, result} have same type}}
    %r:2 = "cuda_tile.atomic_cas_tko"(%p, %x, %n) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>, !cuda_tile.tile<f32>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<i32>, !cuda_tile.token)
  }
}

// -----

// 9.1
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>, %n: tile<i32>) {
    // expected-error @+1 {{failed to verify that all of {arg, result} have same type}}
    %r:2 = "cuda_tile.atomic_rmw_tko"(%p, %n) <{memory_ordering_semantics = 1 : i32, memory_scope = 1 : i32, mode = 3 : i32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>, !cuda_tile.tile<i32>) -> (!cuda_tile.tile<f32>, !cuda_tile.token)
  }
}

// -----

// 8.2
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    // expected-error @+1 {{result #0 must be tensor_view, but got}}
    %v = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<i32>>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 8.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{result #0 must be partition_view, but got}}
    %w = "cuda_tile.make_partition_view"(%v) : (!cuda_tile.tensor_view<64xi32, strides=[1]>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 8.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{result #0 must be strided_view, but got}}
    %w = "cuda_tile.make_strided_view"(%v) : (!cuda_tile.tensor_view<64xi32, strides=[1]>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 8.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{result #0 must be gather_scatter_view, but got}}
    %w = "cuda_tile.make_gather_scatter_view"(%v) : (!cuda_tile.tensor_view<64xi32, strides=[1]>) -> !cuda_tile.tile<i32>
  }
}

// -----

// 8.3
cuda_tile.module @m {
  entry @k(%p: tile<ptr<i32>>) {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    // expected-error @+1 {{failed to verify that type of 'tensor_view' matches the tensor_view of 'result'}}
    %w = "cuda_tile.make_partition_view"(%v) : (!cuda_tile.tensor_view<64xi32, strides=[1]>) -> !cuda_tile.partition_view<tile=(8), tensor_view<?xi32, strides=[1]>>
  }
}
