// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every layout can be asked, and the one layout there is (layouts, 1).

#ifndef TILEWRIGHT_LAYOUT_DIALECT_ATTRIBUTES_TD
#define TILEWRIGHT_LAYOUT_DIALECT_ATTRIBUTES_TD

include "tilewright/layout/dialect/Dialect.td"

def VectorLayoutInterface : AttrInterface<"VectorLayoutInterface"> {
  let cppNamespace = "::tilewright::layout";
  let description = "A mapping from the threads of a workgroup to the elements of a vector.";
  let methods = [
    InterfaceMethod<"Diagnoses a type of another rank, or with an extent that the layout does not "
                    "cover. Dynamic extents are whatever the layout says.",
      "::llvm::LogicalResult", "isValidLayout",
      (ins "::mlir::ShapedType":$type, "::mlir::Location":$loc)>,
    InterfaceMethod<"Dimension `i` of the result is dimension `permutation[i]`.",
      "::tilewright::layout::VectorLayoutInterface", "permute",
      (ins "::llvm::ArrayRef<int64_t>":$permutation)>,
    InterfaceMethod<"Without the dimensions that are flagged.",
      "::tilewright::layout::VectorLayoutInterface", "project",
      (ins "::llvm::ArrayRef<bool>":$dropped)>,
    InterfaceMethod<"Dimension `i` of the result is the dimension that result `i` of the map "
                    "names, or has one element if it names none.",
      "::tilewright::layout::VectorLayoutInterface", "apply", (ins "::mlir::AffineMap":$map)>,
    InterfaceMethod<"The same elements in row-major order under another shape; null if no layout "
                    "says that.",
      "::tilewright::layout::VectorLayoutInterface", "reshape",
      (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"Whether a change to that layout moves data between threads, as far as one can "
                    "tell from tiles and strides.",
      "bool", "needsSharedMemoryForConversion",
      (ins "::tilewright::layout::VectorLayoutInterface":$target)>,
    InterfaceMethod<"The shape of the whole vector.",
      "::llvm::SmallVector<int64_t>", "getUndistributedShape">,
    InterfaceMethod<"The shape of what one thread holds.",
      "::llvm::SmallVector<int64_t>", "getDistributedShape">,
    InterfaceMethod<"The rank of the whole vector.", "int64_t", "getRank">,
    StaticInterfaceMethod<"The layout of a result over an iteration space, from those of the "
                          "operands; null if they do not give one. The maps lead from the "
                          "iteration space and have plain dimensions as results.",
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
    from the top: subgroup, batch, outer, thread, element; the first five lists are their
    radices. The thread at position `p` of the thread tile is `p * stride`, and so for
    subgroups. A thread holds all batches, outers and elements: here 2x4x2x1x1x4.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$subgroupTile,
    ArrayRefParameter<"int64_t">:$batchTile,
    ArrayRefParameter<"int64_t">:$outerTile,
    ArrayRefParameter<"int64_t">:$threadTile,
    ArrayRefParameter<"int64_t">:$elementTile,
    ArrayRefParameter<"int64_t">:$subgroupStrides,
    ArrayRefParameter<"int64_t">:$threadStrides);
  // The storage normalises strides, so no way to construct a layout goes around that.
  let storageClass = "NestedLayoutAttrStorage";
  let genStorageClass = 0;
  let builders = [
    AttrBuilder<(ins "const ::tilewright::layout::Layout &":$layout), [{
      return get($_ctxt, layout.each(&Dim::subgroups), layout.each(&Dim::batches),
                 layout.each(&Dim::outers), layout.each(&Dim::threads),
                 layout.each(&Dim::elements), layout.each(&Dim::subgroupStride),
                 layout.each(&Dim::threadStride));
    }]>,
    // The dimensions of a layout, and behind them those of seven lists.
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
    /// What the arithmetic of layouts works on.
    ::tilewright::layout::Layout getLayout() const;
  }];
}

#endif // TILEWRIGHT_LAYOUT_DIALECT_ATTRIBUTES_TD
