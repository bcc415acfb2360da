// The examples of the specification (one value renamed): all are valid, and print as a text
// that prints as itself (test/completeness.py holds every valid module to that).
// RUN: tilewright-opt %s --split-input-file -o %t.once
// RUN: tilewright-opt %t.once --split-input-file | diff %t.once -

// textual format, 1
// Row-wise scaling: one tile block handles 16 rows of a ?x64 matrix.
!mat = !cuda_tile.tensor_view<?x64xf32, strides=[64, 1]>
!win = !cuda_tile.partition_view<tile=(16x64), padding_value = zero, tensor_view<?x64xf32, strides=[64, 1]>>

cuda_tile.module @scaling attributes {producer = "example frontend 0.1"} {
  global private constant @gain alignment = 8 <f32: [0.5, 2.0]> : tile<2xf32>

  entry @scale_rows(%src: tile<ptr<f32>>, %dst: tile<ptr<f32>>, %rows: tile<i32>)
      optimization_hints=<sm_90 = {occupancy = 2}> {
    %n = assume bounded<0, 1048576>, %rows : tile<i32>
    %a = make_tensor_view %src, shape = [%n, 64], strides = [64, 1] : tile<i32> -> !mat
    %b = make_tensor_view %dst, shape = [%n, 64], strides = [64, 1] : tile<i32> -> !mat
    %wa = make_partition_view %a : !win
    %wb = make_partition_view %b : !win
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %g = get_global @gain : tile<ptr<f32>>
    %gv, %t0 = load_ptr_tko weak %g : tile<ptr<f32>> -> tile<f32>, token
    %g1 = reshape %gv : tile<f32> -> tile<1x1xf32>
    %g2 = broadcast %g1 : tile<1x1xf32> -> tile<16x64xf32>
    %x, %t1 = load_view_tko weak %wa[%bx, %zero] : !win, tile<i32> -> tile<16x64xf32>, token
    %y = mulf %x, %g2 : tile<16x64xf32>
    %t2 = store_view_tko weak %y, %wb[%bx, %zero] token = %t1 : tile<16x64xf32>, !win, tile<i32> -> token
    return
  }
}

// -----

// textual format, 5
cuda_tile.module @globals {
  global @counters alignment = 4 <i32: 0> : tile<64xi32>
  global constant @table <f16: [1.0, 0.5, 0.25, 0.125]> : tile<4xf16>
  global private @scratch {note = "discardable"} <i8: [1, 2]> : tile<2xi8>
  entry @bump() {
    %p = get_global @counters : tile<ptr<i32>>
    %one = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko relaxed device %p, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}

// -----

// textual format, 6
cuda_tile.module @entries {
  entry @none() { }
  entry @named(%n: tile<i64>, %p: tile<ptr<bf16>> {hint.noalias}) optimization_hints=<default = {num_worker_warps_per_cta = 4}> {
    return
  } {note.origin = "hand written"}
  entry @unnamed(tile<i32>) {
  ^bb0(%x: !cuda_tile.tile<i32>):
    %y = addi %x, %x : tile<i32>
  }
}

// -----

// textual format, 7
cuda_tile.module @regions {
  entry @k(%n: tile<i32>, %x: tile<f32>) {
    %z = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %v = constant <f32: 1.0> : tile<8x16xf32>
    %sum = for %i in (%z to %n, step %one) : tile<i32> iter_values(%acc = %x) -> (tile<f32>) {
      %nxt = addf %acc, %x : tile<f32>
      continue %nxt : tile<f32>
    }
    %m = reduce %v dim=1 identities=[0.0 : f32] : tile<8x16xf32> -> tile<8xf32> (%a: tile<f32>, %b: tile<f32>) {
      %s = addf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %p = scan %v dim=0 reverse=false identities=[1.0 : f32] : tile<8x16xf32> -> tile<8x16xf32> (%a: tile<f32>, %b: tile<f32>) {
      %s = mulf %a, %b : tile<f32>
      yield %s : tile<f32>
    }
    %big = cmpi greater_than %n, %one, signed : tile<i32> -> tile<i1>
    %w = if %big -> (tile<i32>) {
      yield %n : tile<i32>
    } else {
      yield %one : tile<i32>
    }
    if %big {
      return
    }
    %last = loop iter_values(%k = %z) : tile<i32> -> tile<i32> {
      %k1 = addi %k, %one : tile<i32>
      %done = cmpi greater_than_or_equal %k1, %w, signed : tile<i32> -> tile<i1>
      if %done {
        break %k1 : tile<i32>
      }
      continue %k1 : tile<i32>
    }
    for unsigned %j in (%z to %last, step %one) : tile<i32> {
      print_tko "step %i", %j : tile<i32> -> token
    }
  }
}

// -----

// textual format, 10
"cuda_tile.module"() <{sym_name = "gen", producer = "x"}> ({
  "cuda_tile.global"() <{sym_name = "t", value = dense<[1, 2]> : !cuda_tile.tile<2xi32>, alignment = 8 : i64, symbol_visibility = #cuda_tile.symbol_visibility<private>}> : () -> ()
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<i32>) -> (), arg_attrs = [{}]}> ({
  ^bb0(%a: !cuda_tile.tile<i32>):
    %c = "cuda_tile.constant"() <{value = dense<7> : !cuda_tile.tile<i32>}> : () -> !cuda_tile.tile<i32>
    %d = "cuda_tile.addi"(%a, %c) <{overflow = #cuda_tile.overflow<no_signed_wrap>}> : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// textual format, 12.2
cuda_tile.module @naming {
  entry @show(%arg0: tile<i32>, %arg1: tile<ptr<f32>>) {
    %cst_2_i32 = constant <i32: 2> : tile<i32>
    %cst_f32 = constant <f32: 2.500000e-01> : tile<f32>
    %cst_f32_0 = constant <f32: -1.000000e+00> : tile<f32>
    %0 = muli %arg0, %cst_2_i32 : tile<i32>
    %assume = assume bounded<0, ?>, %0 : tile<i32>
    %assume_assume = assume div_by<4>, %assume : tile<i32>
    %1 = loop iter_values(%arg2 = %cst_f32) : tile<f32> -> tile<f32> {
      %result_3, %result_token_4 = load_ptr_tko weak %arg1 : tile<ptr<f32>> -> tile<f32>, token
      break %result_3 : tile<f32>
    }
    %result, %result_token = load_ptr_tko weak %arg1 : tile<ptr<f32>> -> tile<f32>, token
    %for:2 = for %loopIdx in (%0 to %assume_assume, step %cst_2_i32) : tile<i32> iter_values(%iterArg0 = %cst_f32, %iterArg1 = %0) -> (tile<f32>, tile<i32>) {
      %cst_2_i32_3 = constant <i32: 2> : tile<i32>
      continue %iterArg0, %cst_2_i32_3 : tile<f32>, tile<i32>
    }
    %assume_ = assume bounded<?, 9>, %for#1 : tile<i32>
    %cst_2_i32_1 = constant <i32: 2> : tile<i32>
    %cst_2_i32_2 = constant <i32: 2> : tile<i32>
    return
  }
}

// -----

// types, 3
!row = !cuda_tile.tile<8xf32>
!src = !cuda_tile.tensor_view<?x8xf32, strides=[8, 1]>
cuda_tile.module @forms {
  entry @mixed(%p: tile<ptr<f32>>, %n: !cuda_tile.tile<i32>) {
    %v = make_tensor_view %p, shape = [%n, 8], strides = [8, 1] : tile<i32> -> !src
    %c = constant <f32: 0.5> : !row
    %d = addf %c, %c rounding<nearest_even> : tile < 8 x f32 >
  }
}

// -----

// types, 4.3
cuda_tile.module @tv {
  entry @k(%p: tile<ptr<bf16>>, %rows: tile<i64>, %pitch: tile<i64>) {
    %a = make_tensor_view %p, shape = [100, 30], strides = [32, 1] : tensor_view<100x30xbf16, strides=[32,1]>
    %b = make_tensor_view %p, shape = [%rows, 30], strides = [%pitch, 1] : tile<i64> -> tensor_view<?x30xbf16, strides=[?,1]>
    %c = make_tensor_view %p, shape = [], strides = [] : tensor_view<bf16>
    %n:2 = get_tensor_shape %b : tensor_view<?x30xbf16, strides=[?,1]> -> tile<i64>
  }
}

// -----

// types, 4.11
!tv = !cuda_tile.tensor_view<1000x64xf16, strides=[64, 1]>
!gs = !cuda_tile.gather_scatter_view<tile=(8x16), padding_value = zero, tensor_view<1000x64xf16, strides=[64, 1]>, sparse_dim=0>
cuda_tile.module @gather {
  entry @rows(%p: tile<ptr<f16>>, %col: tile<i32>) {
    %v = make_tensor_view %p, shape = [1000, 64], strides = [64, 1] : !tv
    %g = make_gather_scatter_view %v : !gs
    %r = iota : tile<8xi32>
    %x, %t0 = load_view_tko weak %g[%r, %col] : !gs, tile<8xi32>, tile<i32> -> tile<8x16xf16>, token
    %t1 = store_view_tko weak %x, %g[%r, %col] token = %t0 : tile<8x16xf16>, !gs, tile<8xi32>, tile<i32> -> token
  }
}

// -----

// types, 8.3
cuda_tile.module @facts {
  entry @k(%n: tile<i32>, %f: tile<i1>, %p: tile<ptr<f16>>) {
    %n1 = assume bounded<0, 4095>, %n : tile<i32>
    %n2 = assume #cuda_tile.div_by<32>, %n1 : tile<i32>
    %f1 = assume bounded<-1, 0>, %f : tile<i1>
    %p1 = assume div_by<16>, %p : tile<ptr<f16>>
    %q0 = reshape %p1 : tile<ptr<f16>> -> tile<1x1xptr<f16>>
    %q1 = broadcast %q0 : tile<1x1xptr<f16>> -> tile<4x8xptr<f16>>
    %q2 = assume same_elements<[4, 8]>, %q1 : tile<4x8xptr<f16>>
    %v = make_tensor_view %p1, shape = [%n2, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %v1 = assume div_by<128>, %v : tensor_view<?x64xf16, strides=[64,1]>
    %i = iota : tile<16xi32>
    %i1 = assume div_by<4, every 4 along 0>, %i : tile<16xi32>
  }
}

// -----

// types, 9.3
cuda_tile.module @tuned {
  entry @k(%p: tile<ptr<f32>>) optimization_hints=<default = {occupancy = 2}, sm_100 = {num_cta_in_cga = 4, num_worker_warps_per_cta = 8}> {
    %x, %t = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 6}> : tile<ptr<f32>> -> tile<f32>, token
    %v = make_tensor_view %p, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>
    %i = constant <i32: 3> : tile<i32>
    %y, %u = load_view_tko weak %w[%i] token = %t optimization_hints = <sm_100 = {allow_tma = false, latency = 4}> : partition_view<tile=(32), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
  }
}

// -----

// types, 10.2
#f  = #cuda_tile.di_file<"saxpy.py" in "/proj">
#cu = #cuda_tile.di_compile_unit<file = #f>
#sp = #cuda_tile.di_subprogram<file = #f, line = 10, name = "saxpy", linkageName = "saxpy_f32", compileUnit = #cu, scopeLine = 11>
#lb = #cuda_tile.di_lexical_block<scope = #sp, file = #f, line = 12, column = 5>
#l0 = loc(#cuda_tile.di_loc<loc("saxpy.py":10:1) in #sp>)
#l1 = loc(#cuda_tile.di_loc<loc("saxpy.py":13:9) in #lb>)
cuda_tile.module @dbg {
  entry @saxpy_f32(%a: tile<f32>) {
    %b = mulf %a, %a rounding<nearest_even> : tile<f32> loc(#l1)
    return loc(#l0)
  } loc(#l0)
}

// -----

// types, 11.3
cuda_tile.module @lits {
  global constant @lut alignment = 16 <i16: [-1, 65535, 0x7f, 12]> : tile<4xi16>
  entry @k() {
    %a = constant <i1: [true, false]> : tile<2xi1>
    %b = constant <i32: 0xffffffff> : tile<2x2xi32>
    %c = constant <f32: [[1.0, -2.5e-3], [0x7f800000, 0x7fc00000]]> : tile<2x2xf32>
    %d = constant <tf32: 0x1fc00> : tile<4xtf32>
    %e = constant <f8E8M0FNU: [0x7f, 0.5]> : tile<2xf8E8M0FNU>
    %f = constant <f4E2M1FN: [0x2, 6.0]> : tile<2xf4E2M1FN>
    %g = constant <f64: 1.> : tile<f64>
  }
}

// -----

// operations (core), 3.1
cuda_tile.module @scale_kernels attributes {producer = "mygen 0.3"} {
  global constant @gain alignment = 16 <f32: [0.5, 2.0]> : tile<2xf32>
  entry @noop() { return }
}

// -----

// operations (core), 3.2
cuda_tile.module @m {
  entry @fill(%dst: tile<ptr<f32>>, %count: tile<i32>, %value: tile<f32>)
      optimization_hints=<sm_90 = {num_cta_in_cga = 2}, default = {occupancy = 4}> {
    return
  }
}

// -----

// operations (core), 3.3
cuda_tile.module @m {
  global private @histogram alignment = 128 <i32: 0> : tile<256xi32>
  global private constant @primes <i64: [2, 3, 5, 7]> : tile<4xi64>
}

// -----

// operations (core), 3.4
cuda_tile.module @m {
  global private @tbl <i32: 7> : tile<8xi32>
  entry @use() {
    %q = get_global @tbl : tile<ptr<i32>>
    %val, %tok = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token
  }
}

// -----

// operations (core), 2.6: the names that the snippets of this document use
cuda_tile.module @snippets {
  entry @all(%p: tile<ptr<f32>>, %n: tile<i32>, %b: tile<i1>) {
    %i  = constant <i32: 1> : tile<i32>
    %j  = constant <i32: 2> : tile<i32>
    %x  = constant <f32: 1.5> : tile<f32>
    %v  = constant <f32: 0.25> : tile<16xf32>
    %w  = iota : tile<16xi32>
    %m  = constant <i1: true> : tile<16xi1>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %pb = broadcast %p1 : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %pp = offset %pb, %w : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %t  = make_token : token
    %a  = constant <f32: 0.0> : tile<4x8xf32>
    %tv = make_tensor_view %p, shape = [%n, 96], strides = [96, 1] : tile<i32> -> tensor_view<?x96xf32, strides=[96,1]>
    // operations (core), 4.1
    %c0 = constant <i8: [-1, 255, 0x10, 0]> : tile<4xi8>
    %c1 = constant <bf16: -3.5> : tile<2x64xbf16>
    %c2 = constant <f32: [[1.0, 2.0], [3.0, 0x7FC00000]]> : tile<2x2xf32>
    %c3 = constant <i1: [true, 0]> : tile<2xi1>
    // operations (core), 4.2
    %ids = iota : tile<128xi16>
    // operations (core), 4.5
    %q4 = reshape %v : tile<16xf32> -> tile<1x16xf32>
    %q5 = broadcast %q4 : tile<1x16xf32> -> tile<8x16xf32>
    %q6 = permute %q5 [1, 0] : tile<8x16xf32> -> tile<16x8xf32>
    // operations (core), 4.6
    %cc = cat %a, %a dim = 0 : tile<4x8xf32>, tile<4x8xf32> -> tile<8x8xf32>
    // operations (core), 4.7
    %sub = extract %a[%i, %j] : tile<4x8xf32> -> tile<2x2xf32>
    // operations (core), 4.8
    %sel = select %m, %v, %v : tile<16xi1>, tile<16xf32>
    // operations (core), 4.11
    %sum, %cnt = reduce %v, %w dim=0 identities=[0.0 : f32, 0 : i32]
        : tile<16xf32>, tile<16xi32> -> tile<f32>, tile<i32>
    (%e0: tile<f32>, %acc0: tile<f32>, %e1: tile<i32>, %acc1: tile<i32>) {
      %s0 = addf %e0, %acc0 rounding<nearest_even> : tile<f32>
      %s1 = addi %e1, %acc1 : tile<i32>
      yield %s0, %s1 : tile<f32>, tile<i32>
    }
    // operations (core), 4.12
    %run = scan %w dim=0 reverse=true identities=[0 : i32] : tile<16xi32> -> tile<16xi32>
    (%cur: tile<i32>, %prev: tile<i32>) {
      %s = addi %cur, %prev : tile<i32>
      yield %s : tile<i32>
    }
    // operations (core), 5.1
    %u = if %b -> (tile<f32>) {
      yield %x : tile<f32>
    } else {
      %y = addf %x, %x rounding<nearest_even> : tile<f32>
      yield %y : tile<f32>
    }
    // operations (core), 5.2
    %tot = for unsigned %k in (%i to %n, step %j) : tile<i32> iter_values(%s = %x) -> (tile<f32>) {
      if %b { continue %s : tile<f32> }
      %s2 = addf %s, %x rounding<nearest_even> : tile<f32>
      continue %s2 : tile<f32>
    }
    // operations (core), 5.3
    %steps = loop iter_values(%cur = %x, %k = %i) : tile<f32>, tile<i32> -> tile<i32> {
      %nk = addi %k, %j : tile<i32>
      if %b { break %nk : tile<i32> }
      continue %cur, %nk : tile<f32>, tile<i32>
    }
    // operations (core), 6.2
    %al = assume div_by<16>, %p : tile<ptr<f32>>
    %nn = assume bounded<0, ?>, %n : tile<i32>
    %gr = assume div_by<8, every 8 along 0>, %w : tile<16xi32>
    %se = assume same_elements<[4]>, %w : tile<16xi32>
    // operations (core), 6.3
    %pt = print_tko "n=%d v=%.3f (%%)\n", %n, %v token=%t : tile<i32>, tile<16xf32> -> token
    // operations (core), 7.2
    %scratch = alloca num_elem = 256, alignment = 16 : tile<ptr<f32>>
    %shared  = alloca num_elem = 1, alignment = 4 global : tile<ptr<i32>>
    // operations (core), 7.3
    %d0, %k0 = load_ptr_tko weak %pp, %m, %v token=%t optimization_hints = <default = {latency = 4}>
             : tile<16xptr<f32>>, tile<16xi1>, tile<16xf32> -> tile<16xf32>, token
    %d1, %k1 = load_ptr_tko acquire device %p : tile<ptr<f32>> -> tile<f32>, token
    // operations (core), 7.4
    %s0 = store_ptr_tko release sys %pp, %v, %m token=%t : tile<16xptr<f32>>, tile<16xf32>, tile<16xi1> -> token
    // operations (core), 8.2
    %g = make_tensor_view %p, shape = [%n, 64, 8], strides = [512, %j, 1] : tile<i32> -> tensor_view<?x64x8xf32, strides=[512,?,1]>
    %s = make_tensor_view %p, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    // operations (core), 8.3
    %pv = make_partition_view %tv : partition_view<tile=(4x8), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>>
    %sv = make_strided_view %tv : strided_view<tile=(4x8), traversal_strides=[1,8], tensor_view<?x96xf32, strides=[96,1]>>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(4x8), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>
    // operations (core), 8.4
    %pv1 = make_partition_view %tv : partition_view<tile=(4x8), tensor_view<?x96xf32, strides=[96,1]>>
    %r0, %r1 = get_index_space_shape %pv1 : partition_view<tile=(4x8), tensor_view<?x96xf32, strides=[96,1]>> -> tile<i32>
    %h0, %h1 = get_tensor_shape %tv : tensor_view<?x96xf32, strides=[96,1]> -> tile<i64>
    // operations (core), 8.5
    %pv2 = make_partition_view %tv : partition_view<tile=(4x8), padding_value = neg_inf, tensor_view<?x96xf32, strides=[96,1]>>
    %l0, %lt0 = load_view_tko weak %pv2[%i, %j] token = %t optimization_hints = <sm_100 = {allow_tma = false}>
              : partition_view<tile=(4x8), padding_value = neg_inf, tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> tile<4x8xf32>, token
    %gv2 = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x8), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>
    %l1, %lt1 = load_view_tko relaxed tl_blk %gv2[%w, %j]
              : gather_scatter_view<tile=(16x8), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x8xf32>, token
    // operations (core), 8.6
    %sv3 = make_strided_view %tv : strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<?x96xf32, strides=[96,1]>>
    %st = store_view_tko release device %a, %sv3[%i, %j] token = %t
        : tile<4x8xf32>, strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
    // operations (core), 9.1
    %o0, %ot0 = atomic_rmw_tko relaxed device %pp, addf, %v, %m token=%t : tile<16xptr<f32>>, tile<16xf32>, tile<16xi1> -> tile<16xf32>, token
    // operations (core), 9.2
    %o1, %ot1 = atomic_cas_tko acq_rel sys %pp, %v, %v token=%t : tile<16xptr<f32>>, tile<16xf32> -> tile<16xf32>, token
    // operations (core), 9.3
    %pv4 = make_partition_view %tv : partition_view<tile=(4x8), tensor_view<?x96xf32, strides=[96,1]>>
    %rt = atomic_red_view_tko relaxed device %pv4[%i, %j], addf, %a token = %t
        : tile<4x8xf32>, partition_view<tile=(4x8), tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
  }
}
