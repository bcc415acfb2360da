// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of layouts, and its only implementation (layouts, 1).

#ifndef TILEWRIGHT_LAYOUT_DIALECT_ATTRIBUTES_TD
#define TILEWRIGHT_LAYOUT_DIALECT_ATTRIBUTES_TD

include "tilewright/layout/dialect/Dialect.td"

def VectorLayoutInterface : AttrInterface<"VectorLayoutInterface"> {
  let cppNamespace = "::tilewright::layout";
  let description = "A mapping from the threads of a workgroup to the elements of a vector.";
  let methods = [
    InterfaceMethod<"Emits an error if the type has another rank, or an extent that the layout does "
                    "not cover. Dynamic extents match every layout.",
      "::llvm::LogicalResult", "isValidLayout",
      (ins "::mlir::ShapedType":$type, "::mlir::Location":$loc)>,
    InterfaceMethod<"Dimension `i` of the result is dimension `permutation[i]`.",
      "::tilewright::layout::VectorLayoutInterface", "permute",
      (ins "::llvm::ArrayRef<int64_t>":$permutation)>,
    InterfaceMethod<"Drops the flagged dimensions.",
      "::tilewright::layout::VectorLayoutInterface", "project",
      (ins "::llvm::ArrayRef<bool>":$dropped)>,
    InterfaceMethod<"Dimension `i` of the result is the dimension that result `i` of the map "
                    "selects, or has one element if that is a constant.",
      "::tilewright::layout::VectorLayoutInterface", "apply", (ins "::mlir::AffineMap":$map)>,
    InterfaceMethod<"The same elements in row-major order in another shape; null if no layout "
                    "expresses that.",
      "::tilewright::layout::VectorLayoutInterface", "reshape",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"Whether a conversion to that layout moves data between threads, as far as "
                    "tiles and strides tell.",
      "bool", "needsSharedMemoryForConversion",
      (ins "::tilewright::layout::VectorLayoutInterface":$target)>,
    InterfaceMethod<"The shape of the whole vector.",
      "::llvm::SmallVector<int64_t>", "getUndistributedShape">,
    InterfaceMethod<"The shape of the elements of one thread.",
      "::llvm::SmallVector<int64_t>", "getDistributedShape">,
    InterfaceMethod<"The rank of the whole vector.", "int64_t", "getRank">,
    StaticInterfaceMethod<"The layout of a result over an iteration space, derived from those of "
                          "the operands; null if there is none. The domain of the maps is the "
                          "iteration space, and their results are plain dimensions.",
      "::tilewright::layout::VectorLayoutInterface", "getRecombinedLayout",
      (ins "::llvm::ArrayRef<::tilewright::layout::VectorLayoutInterface>":$layouts,
           "::llvm::ArrayRef<::mlir::AffineMap>":$maps, "::mlir::AffineMap":$resultMap)>,
  ];
}

def NestedLayoutAttr
    : AttrDef<VectorExt_Dialect, "NestedLayout", [DeclareAttrInterfaceMethods<VectorLayoutInterface>]> {
  let mnemonic = "nested_layout";
  let summary = "how many subgroups, batches, outers, threads and elements a vector has along each "
                "dimension";
  let description = [{
    ```mlir
    #iree_vector_ext.nested_layout<
      subgroup_tile = [2, 1], batch_tile = [2, 4], outer_tile = [2, 1],
      thread_tile = [8, 4], element_tile = [1, 4],
      subgroup_strides = [1, 0], thread_strides = [1, 8]>
    ```
    is a layout of 64 x 64 elements. An index along a dimension is a number with five digits,
    from the most significant: subgroup, batch, outer, thread, element; the first five lists are
    their radices. The thread at position `p` of the thread tile has the id `p * stride`, and
    likewise for subgroups. A thread holds all batches, outers and elements: here 2x4x2x1x1x4.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$subgroupTile,
    ArrayRefParameter<"int64_t">:$batchTile,
    ArrayRefParameter<"int64_t">:$outerTile,
    ArrayRefParameter<"int64_t">:$threadTile,
    ArrayRefParameter<"int64_t">:$elementTile,
    ArrayRefParameter<"int64_t">:$subgroupStrides,
    ArrayRefParameter<"int64_t">:$threadStrides);
  // The storage normalises strides, so every way to construct a layout does.
  let storageClass = "NestedLayoutAttrStorage";
  let genStorageClass = 0;
  let builders = [
    AttrBuilder<(ins "const ::tilewright::layout::Layout &":$layout), [{
      return get($_ctxt, layout.each(&Dim::subgroups), layout.each(&Dim::batches),
                 layout.each(&Dim::outers), layout.each(&Dim::threads),
                 layout.each(&Dim::elements), layout.each(&Dim::subgroupStride),
                 layout.each(&Dim::threadStride));
    }]>,
    // The dimensions of a layout, followed by those of seven lists.
    AttrBuilderWithInferredContext<(ins "::tilewright::layout::NestedLayoutAttr":$source,
        "::llvm::ArrayRef<int64_t>":$subgroupTile, "::llvm::ArrayRef<int64_t>":$batchTile,
        "::llvm::ArrayRef<int64_t>":$outerTile, "::llvm::ArrayRef<int64_t>":$threadTile,
        "::llvm::ArrayRef<int64_t>":$elementTile, "::llvm::ArrayRef<int64_t>":$subgroupStrides,
        "::llvm::ArrayRef<int64_t>":$threadStrides), [{
      return get(source.getContext(), joined(source.getSubgroupTile(), subgroupTile),
                 joined(source.getBatchTile(), batchTile),
                 joined(source.getOuterTile(), outerTile),
                 joined(source.getThreadTile(), threadTile),
                 joined(source.getElementTile(), elementTile),
                 joined(source.getSubgroupStrides(), subgroupStrides),
                 joined(source.getThreadStrides(), threadStrides));
    }]>,
  ];
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The layout in the form that the layout algebra uses.
    ::tilewright::layout::Layout getLayout() const;
  }];
}

#endif // TILEWRIGHT_LAYOUT_DIALECT_ATTRIBUTES_TD
