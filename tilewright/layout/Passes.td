// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes over programs with layouts.

#ifndef TILEWRIGHT_LAYOUT_PASSES_TD
#define TILEWRIGHT_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def PropagateLayouts : Pass<"tw-propagate-layouts"> {
  let summary = "Give every vector a layout, starting at to_layout";
  let description = [{
    ```mlir
    %a = iree_vector_ext.to_layout %x to layout(#rows) : vector<64x64xf32>
    %b = iree_vector_ext.to_layout %y to layout(#columns) : vector<64x64xf32>
    %c = arith.addf %a, %b : vector<64x64xf32>
    ```
    becomes
    ```mlir
    %a = iree_vector_ext.to_layout %x to layout(#rows) : vector<64x64xf32>
    %b = iree_vector_ext.to_layout %y to layout(#columns) : vector<64x64xf32>
    %d = iree_vector_ext.to_layout %b to layout(#rows) : vector<64x64xf32>
    %c = arith.addf %a, %d : vector<64x64xf32>
    ```

    Afterwards each vector that is connected with a `to_layout` has one layout, and each
    operation finds its operands in the layouts that it needs. Layouts spread at the same
    pace and the first that reaches a value wins: the nearest, or of several the first in
    the program. Where two meet, constants, masks and what is computed from them in a few
    operations are computed again; for other values there is a `to_layout` more.
  }];
  let options = [
    Option<"annotate", "annotate", "bool", "false",
           "Write the layouts of its vector results on each operation, as `iree_vector_ext.layouts`">,
  ];
}

def DistributeVectors : Pass<"tw-distribute-vectors", "::mlir::ModuleOp"> {
  let summary = "Rewrite functions over whole vectors into what one thread does";
  let description = [{
    With `#layout` spreading rows over 8 threads and each thread's columns over 4, for
    `threads=32`,
    ```mlir
    %0 = vector.transfer_read %a[%c0, %c0], %pad : memref<8x16xf32>, vector<8x16xf32>
    %1 = iree_vector_ext.to_layout %0 to layout(#layout) : vector<8x16xf32>
    %2 = arith.addf %1, %1 : vector<8x16xf32>
    vector.transfer_write %2, %b[%c0, %c0] : vector<8x16xf32>, memref<8x16xf32>
    ```
    becomes
    ```mlir
    %id = gpu.thread_id x
    %at:3 = affine.delinearize_index %id into (8, 4)
    %j = affine.apply affine_map<(d0) -> (d0 * 4)>(%at#2)
    %0 = vector.transfer_read %a[%at#1, %j], %pad : memref<8x16xf32>, vector<1x4xf32>
    ...
    ```

    Afterwards no vector is whole: each is what its thread holds, `batches x outers x elements`.
    Data that change threads go through workgroup memory; reductions go over lanes by
    `gpu.subgroup_reduce`, contractions with an `mma_kind` by `nvgpu.mma.sync`; where threads
    touch the same memory there is a `gpu.barrier`; what several threads hold is stored by the
    first. All vectors must be connected with a `to_layout`, in functions that move them through
    memory only.
  }];
  let options = [
    ListOption<"threads", "threads", "int64_t",
               "Threads of a workgroup along x, y and z">,
    Option<"lanes", "subgroup-size", "int64_t", "32", "Threads of a subgroup">,
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect", "VectorExtDialect",
  ];
}

def LowerGathers : Pass<"tw-lower-gathers"> {
  let summary = "Read what transfer_gather reads with operations of the vector dialect";
  let description = [{
    ```mlir
    %v = iree_vector_ext.transfer_gather %source[%c0, %c0][%rows : vector<2xindex>, None], %pad
           {indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [true, true]}
           : memref<1000x256xbf16>, vector<2x256xbf16>
    ```
    becomes
    ```mlir
    %row0 = vector.extract %rows[0] : index from vector<2xindex>
    %v0 = vector.transfer_read %source[%row0, %c0], %pad {in_bounds = [true, true]}
            : memref<1000x256xbf16>, vector<1x256xbf16>
    ...
    ```

    Afterwards no `transfer_gather` of memory is left. A row of the vector is read together where
    its elements lie together, by `vector.gather` where only the innermost index changes along it,
    and element by element else.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect",
  ];
}

#endif // TILEWRIGHT_LAYOUT_PASSES_TD
