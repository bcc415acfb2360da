// One layout into another (layouts, 3.4): by names of registers only, through shared memory, and
// where a layout of the whole workgroup stands for subgroups and lanes (1.8). 128 threads.
// RUN: %tilewright distribute %s --threads 128 --check
// RUN: %tilewright distribute %s --threads 32,2,2 --check

#rows = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [1, 2], outer_tile = [1, 2], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#other_registers = #iree_vector_ext.nested_layout<
  subgroup_tile = [4, 1], batch_tile = [1, 4], outer_tile = [1, 1], thread_tile = [8, 4], element_tile = [1, 4],
  subgroup_strides = [1, 0], thread_strides = [4, 1]>
#columns = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 4], batch_tile = [2, 1], outer_tile = [2, 1], thread_tile = [2, 16], element_tile = [4, 1],
  subgroup_strides = [0, 1], thread_strides = [16, 1]>
#few = #iree_vector_ext.nested_layout<
  subgroup_tile = [2, 1], batch_tile = [2, 4], outer_tile = [1, 1], thread_tile = [8, 2], element_tile = [1, 8],
  subgroup_strides = [2, 0], thread_strides = [4, 1]>
#workgroup = #iree_vector_ext.nested_layout<
  subgroup_tile = [1, 1], batch_tile = [1, 2], outer_tile = [1, 1], thread_tile = [32, 4], element_tile = [1, 8],
  subgroup_strides = [0, 0], thread_strides = [4, 1]>

func.func @registers(%a: memref<32x64xf32>, %b: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  %2 = iree_vector_ext.to_layout %1 to layout(#other_registers) : vector<32x64xf32>
  vector.transfer_write %2, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}

// Four conversions in a row, of which each uses the buffer that the last but one did.
func.func @around(%a: memref<32x64xf16>, %b: memref<32x64xf16>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf16>, vector<32x64xf16>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf16>
  %2 = iree_vector_ext.to_layout %1 to layout(#columns) : vector<32x64xf16>
  %3 = arith.addf %2, %2 : vector<32x64xf16>
  %4 = iree_vector_ext.to_layout %3 to layout(#few) : vector<32x64xf16>
  %5 = iree_vector_ext.to_layout %4 to layout(#rows) : vector<32x64xf16>
  %6 = iree_vector_ext.to_layout %5 to layout(#workgroup) : vector<32x64xf16>
  %7 = arith.mulf %6, %6 : vector<32x64xf16>
  vector.transfer_write %7, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf16>, memref<32x64xf16>
  return
}

// Asked for, although nothing has to move.
func.func @asked(%a: memref<32x64xi8>, %b: memref<32x64xi8>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0 : i8
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xi8>, vector<32x64xi8>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xi8>
  %2 = iree_vector_ext.to_layout %1 to layout(#rows) {shared_memory_conversion} : vector<32x64xi8>
  vector.transfer_write %2, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xi8>, memref<32x64xi8>
  return
}

// Where two layouts meet the analysis inserts the conversion.
func.func @conflict(%a: memref<32x64xf32>, %b: memref<32x64xf32>, %c: memref<32x64xf32>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %0 = vector.transfer_read %a[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
  %2 = vector.transfer_read %b[%c0, %c0], %pad {in_bounds = [true, true]} : memref<32x64xf32>, vector<32x64xf32>
  %3 = iree_vector_ext.to_layout %2 to layout(#columns) : vector<32x64xf32>
  %4 = arith.subf %1, %3 : vector<32x64xf32>
  vector.transfer_write %4, %c[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}

// In loops, one in the other, and around a branch.
func.func @loops(%a: memref<?x32x64xf32>, %b: memref<32x64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant 0.0 : f32
  %init = arith.constant dense<1.0> : vector<32x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %init) -> vector<32x64xf32> {
    %0 = vector.transfer_read %a[%i, %c0, %c0], %pad {in_bounds = [true, true]} : memref<?x32x64xf32>, vector<32x64xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#rows) : vector<32x64xf32>
    %2 = iree_vector_ext.to_layout %1 to layout(#columns) : vector<32x64xf32>
    %w = scf.for %j = %c0 to %i step %c1 iter_args(%u = %v) -> vector<32x64xf32> {
      %3 = iree_vector_ext.to_layout %u to layout(#few) : vector<32x64xf32>
      %4 = arith.addf %3, %1 : vector<32x64xf32>
      scf.yield %4 : vector<32x64xf32>
    }
    %odd = arith.cmpi eq, %i, %c1 : index
    %5 = scf.if %odd -> vector<32x64xf32> {
      scf.yield %2 : vector<32x64xf32>
    } else {
      %6 = arith.negf %w : vector<32x64xf32>
      scf.yield %6 : vector<32x64xf32>
    }
    %7 = arith.addf %5, %w : vector<32x64xf32>
    scf.yield %7 : vector<32x64xf32>
  }
  vector.transfer_write %r, %b[%c0, %c0] {in_bounds = [true, true]} : vector<32x64xf32>, memref<32x64xf32>
  return
}
