// Modules, globals and entries (textual format, 3 to 6), written as they print. Items may
// come in any order, and an entry may use a global that stands behind it.
// RUN: %canonical %s

module {
  cuda_tile.module @empty {
  }
  cuda_tile.module @described attributes {note.other = 1 : i64, producer = "hand 1.0"} {
  }
  cuda_tile.module @"two words" {
  }
  cuda_tile.module @items {
    global  @counters alignment = 4 <i32: 0> : tile<64xi32>
    global  constant @table <f16: [1.000000e+00, 5.000000e-01, 2.500000e-01, 1.250000e-01]> : tile<4xf16>
    global private  @scratch {note = "kept"} <i8: [1, 2]> : tile<2xi8>
    global private  constant @primes alignment = 128 {a = 1 : i64, b, c = "t"} <i64: [2, 3, 5, 7]> : tile<4xi64>
    // The alignment is not checked (textual format, 11.1).
    global  @odd alignment = 3 <i1: true> : tile<1xi1>
    global  @negative alignment = -8 <f4E2M1FN: [0.000000e+00, 6.000000e+00]> : tile<2xf4E2M1FN>
    global  @"a b" <tf32: 1.500000e+00> : tile<2xtf32>
    entry @empty() {
      return
    }
    entry @"symbol with blanks"() {
      return
    }
    entry @arguments(%arg0: tile<i1>, %arg1: tile<i4>, %arg2: tile<i8>, %arg3: tile<i16>, %arg4: tile<i32>, %arg5: tile<i64>, %arg6: tile<f16>, %arg7: tile<bf16>, %arg8: tile<f32>, %arg9: tile<tf32>, %arg10: tile<f64>, %arg11: tile<f8E4M3FN>, %arg12: tile<f8E5M2>, %arg13: tile<f8E8M0FNU>, %arg14: tile<ptr<f4E2M1FN>>) {
      return
    }
    entry @hints(%arg0: tile<i32>) optimization_hints=<default = {num_worker_warps_per_cta = 4}, sm_100 = {num_cta_in_cga = 2}> {
      return
    }
    entry @dictionary() {
      return
    } {note.origin = "hand written"}
    entry @get_global() {
      %0 = get_global @counters : tile<ptr<i32>>
      %1 = get_global @table {note} : tile<ptr<f16>>
      %2 = get_global @later : tile<ptr<bf16>>
      %3 = get_global @"a b" : tile<ptr<tf32>>
      return
    }
    global  @later <bf16: 0.000000e+00> : tile<8xbf16>
  }
}
