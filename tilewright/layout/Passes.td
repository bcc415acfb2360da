// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes over programs with layouts.

#ifndef TILEWRIGHT_LAYOUT_PASSES_TD
#define TILEWRIGHT_LAYOUT_PASSES_TD

include "mlir/Pass/PassBase.td"

def PropagateLayouts : Pass<"tw-propagate-layouts"> {
  let summary = "Propagate layouts from to_layout to all vectors";
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

    Afterwards each vector that is connected to a `to_layout` has one layout, and the operands
    of each operation have the layouts that it requires. Layouts propagate breadth-first, and the
    first that reaches a value wins: the nearest one, and of equally near ones the first in the
    program. Where two layouts meet, constants, masks and values computed from them in a few
    operations are recomputed; for other values a `to_layout` is inserted.
  }];
  let options = [
    Option<"annotate", "annotate", "bool", "false",
           "Write the layouts of its vector results on each operation, as `iree_vector_ext.layouts`">,
  ];
}

def DistributeVectors : Pass<"tw-distribute-vectors", "::mlir::ModuleOp"> {
  let summary = "Rewrite functions over whole vectors into functions of one thread";
  let description = [{
    If `#layout` distributes rows over 8 threads and columns over 4, with `threads=32`,
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

    Afterwards each vector contains only the elements of its thread, `batches x outers x elements`.
    Data move between threads through workgroup memory. Reductions over lanes use
    `gpu.subgroup_reduce`, and contractions with an `mma_kind` use `nvgpu.mma.sync`. A
    `gpu.barrier` separates conflicting accesses of different threads. Elements that several
    threads hold are stored by the first of them. All vectors must be connected to a `to_layout`,
    and functions may exchange them with their callers only through memory.
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
  let summary = "Lower transfer_gather to the vector dialect";
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

    Afterwards no `transfer_gather` of memory is left. A row of the vector is read as a whole if its
    elements are contiguous, by `vector.gather` if only the innermost index changes along it, and
    otherwise element by element.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect",
  ];
}

#endif // TILEWRIGHT_LAYOUT_PASSES_TD
