// Sums of rows: a tile in one thread, and by hand over 64 threads in two subgroups, four threads
// to a row. They get the same numbers and have to leave the same memory.
// RUN: %tilewright simt %s --function=tile --random=1 > %t.tile
// RUN: %tilewright simt %s --function=threads --threads=64 --random=1 > %t.threads
// RUN: diff %t.tile %t.threads
// RUN: FileCheck %s < %t.threads
// CHECK: argument 1: memref<16xf32>
// CHECK-NEXT: [{{.*[1-9].*}}]

func.func @tile(%in: memref<16x32xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %start = arith.constant dense<0.0> : vector<16xf32>
  %v = vector.transfer_read %in[%c0, %c0], %zero {in_bounds = [true, true]} : memref<16x32xf32>, vector<16x32xf32>
  %sum = vector.multi_reduction <add>, %v, %start [1] : vector<16x32xf32> to vector<16xf32>
  vector.transfer_write %sum, %out[%c0] {in_bounds = [true]} : vector<16xf32>, memref<16xf32>
  return
}

func.func @threads(%in: memref<16x32xf32>, %out: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %t = gpu.thread_id x
  %i:3 = affine.delinearize_index %t into (2, 8, 4) : index, index, index
  %row = affine.linearize_index [%i#0, %i#1] by (2, 8) : index
  %column = affine.apply affine_map<(d) -> (8 * d)>(%i#2)
  %v = vector.transfer_read %in[%row, %column], %zero {in_bounds = [true]} : memref<16x32xf32>, vector<8xf32>
  %own = vector.reduction <add>, %v : vector<8xf32> into f32
  %sum = gpu.subgroup_reduce add %own cluster(size = 4) : (f32) -> f32
  %first = arith.cmpi eq, %i#2, %c0 : index
  scf.if %first {
    memref.store %sum, %out[%row] : memref<16xf32>
  }
  return
}
