// A product of 16 x 16 and 16 x 8: a tile in one thread, and a warp with matrix instructions. The
// second operand is in memory as K x N, so it is read transposed (layouts, 4.6).
// RUN: %tilewright simt %s --function=tile --random=3 > %t.tile
// RUN: %tilewright simt %s --function=threads --threads=32 --random=3 > %t.threads
// RUN: diff %t.tile %t.threads
// RUN: FileCheck %s < %t.threads
// CHECK: argument 2: memref<16x8xf32>
// CHECK-NEXT: {{.*[1-9].*}}

#shared = #gpu.address_space<workgroup>

func.func @tile(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f16
  %zero32 = arith.constant 0.0 : f32
  %va = vector.transfer_read %a[%c0, %c0], %zero : memref<16x16xf16>, vector<16x16xf16>
  %vb = vector.transfer_read %b[%c0, %c0], %zero : memref<16x8xf16>, vector<16x8xf16>
  %vc = vector.transfer_read %c[%c0, %c0], %zero32 : memref<16x8xf32>, vector<16x8xf32>
  %r = vector.contract {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %va, %vb, %vc : vector<16x16xf16>, vector<16x8xf16> into vector<16x8xf32>
  vector.transfer_write %r, %c[%c0, %c0] : vector<16x8xf32>, memref<16x8xf32>
  return
}

func.func @threads(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero32 = arith.constant 0.0 : f32
  %lane = gpu.lane_id
  %sa = memref.alloc() : memref<16x16xf16, #shared>
  %sb = memref.alloc() : memref<16x8xf16, #shared>
  %half:2 = affine.delinearize_index %lane into (2, 16) : index, index
  %eight = affine.apply affine_map<(d) -> (8 * d)>(%half#0)
  %four = affine.apply affine_map<(d) -> (4 * d)>(%half#0)
  %wa = vector.load %a[%half#1, %eight] : memref<16x16xf16>, vector<8xf16>
  vector.store %wa, %sa[%half#1, %eight] : memref<16x16xf16, #shared>, vector<8xf16>
  %wb = vector.load %b[%half#1, %four] : memref<16x8xf16>, vector<4xf16>
  vector.store %wb, %sb[%half#1, %four] : memref<16x8xf16, #shared>, vector<4xf16>
  gpu.barrier
  %fa = nvgpu.ldmatrix %sa[%half#1, %eight] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #shared> -> vector<4x2xf16>
  %fb = nvgpu.ldmatrix %sb[%half#1, %c0] {numTiles = 2 : i32, transpose = true} : memref<16x8xf16, #shared> -> vector<2x2xf16>
  // Rows g and g + 8, columns 2t and 2t + 1.
  %g:2 = affine.delinearize_index %lane into (8, 4) : index, index
  %below = affine.apply affine_map<(d) -> (d + 8)>(%g#0)
  %column = affine.apply affine_map<(d) -> (2 * d)>(%g#1)
  %upper = vector.load %c[%g#0, %column] : memref<16x8xf32>, vector<2xf32>
  %lower = vector.load %c[%below, %column] : memref<16x8xf32>, vector<2xf32>
  %none = ub.poison : vector<2x2xf32>
  %one = vector.insert %upper, %none[0] : vector<2xf32> into vector<2x2xf32>
  %acc = vector.insert %lower, %one[1] : vector<2xf32> into vector<2x2xf32>
  %r = nvgpu.mma.sync(%fa, %fb, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %up = vector.extract %r[0] : vector<2xf32> from vector<2x2xf32>
  %low = vector.extract %r[1] : vector<2xf32> from vector<2x2xf32>
  vector.store %up, %c[%g#0, %column] : memref<16x8xf32>, vector<2xf32>
  vector.store %low, %c[%below, %column] : memref<16x8xf32>, vector<2xf32>
  return
}
