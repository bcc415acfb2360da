// What the prose forbids and the verifier accepts all the same (textual format, 11.1),
// written as it prints. Warnings about it are not errors.
// RUN: %canonical %s
// RUN: tilewright-opt %s 2>&1 >/dev/null | FileCheck %s

// CHECK: warning: {{.*}}extract index 0 value 4 may be out of bounds (max valid index: 3)
// CHECK: warning: {{.*}}extract index 0 value -1 may be out of bounds (max valid index: 3)

module {
  // Several modules in one file, and items outside of any module.
  cuda_tile.module @first {
  }
  cuda_tile.module @second {
    // A pure operation, a nested module, and an operation of another dialect.
    %cst_1_i32 = constant <i32: 1> : tile<i32>
    module @inner {
    }
    builtin.module @foreign {
    }
    entry @nested() {
      module @in_entry {
      }
      return
    }
    entry @slice_out_of_range() {
      %0 = iota : tile<64xi8>
      %cst_4_i32 = constant <i32: 4> : tile<i32>
      %cst_-1_i32 = constant <i32: -1> : tile<i32>
      %1 = extract %0[%cst_4_i32] : tile<64xi8> -> tile<16xi8>
      %2 = extract %0[%cst_-1_i32] : tile<64xi8> -> tile<16xi8>
      return
    }
    // The rank of what a body yields is not checked, its element type is.
    entry @shaped_yield() {
      %0 = iota : tile<8xi32>
      %reduce = reduce %0 dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
      (%reduce_lhs: tile<i32>, %reduce_rhs: tile<i32>) {
        %1 = iota : tile<4xi32>
        yield %1 : tile<4xi32>
      }
      return
    }
  }
  cuda_tile.entry @loose(%arg0: tile<i32>) {
    return
  }
  cuda_tile.global  @loose_data <i32: 1> : tile<1xi32>
}
