// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations (layouts, 2).

#ifndef TILEWRIGHT_LAYOUT_DIALECT_OPS_TD
#define TILEWRIGHT_LAYOUT_DIALECT_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilewright/layout/dialect/Attributes.td"

// ===-- Layouts of values ---------------------------------------------------------===//

def VectorExt_ToLayoutOp
    : VectorExt_Op<"to_layout", [Pure, AllTypesMatch<["input", "output"]>]> {
  let summary = "Request a layout for a value";
  let description = [{
    The result is the input in the given layout. If the input has another layout, data move;
    with `shared_memory_conversion` they do so through shared memory. `mma_kind` names the
    matrix instruction that the value is an operand of.

    ```mlir
    %1 = iree_vector_ext.to_layout %0 to layout(#layout) {shared_memory_conversion} : vector<64x64xf16>
    ```
  }];
  let arguments = (ins AnyShaped:$input, VectorLayoutInterface:$layout,
                       UnitAttr:$shared_memory_conversion, OptionalAttr<AnyAttr>:$mma_kind);
  let results = (outs AnyShaped:$output);
  let assemblyFormat = "$input `to` `layout` `(` $layout `)` attr-dict `:` type($input)";
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input,
                   "::tilewright::layout::VectorLayoutInterface":$layout,
                   CArg<"::mlir::Attribute", "{}">:$mmaKind, CArg<"bool", "false">:$sharedMemory), [{
      build($_builder, $_state, input.getType(), input, layout, sharedMemory, mmaKind);
    }]>,
  ];
  let extraClassDeclaration = [{
    bool hasTensorSemantics() {
      return ::llvm::isa<::mlir::RankedTensorType>(getOutput().getType());
    }
  }];
}

class VectorExt_BridgeOp<string mnemonic>
    : VectorExt_Op<mnemonic, [Pure, SameOperandsAndResultElementType]> {
  let arguments = (ins AnyVectorOfAnyRank:$input);
  let results = (outs AnyVectorOfAnyRank:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasFolder = 1;
}

def VectorExt_ToSIMDOp : VectorExt_BridgeOp<"to_simd"> {
  let summary = "Convert the elements of a thread to the whole vector";
  let description = [{
    A bridge for partially distributed programs, between operations that are already distributed
    and users that are not. `tw-distribute-vectors` rewrites whole functions and needs none.

    ```mlir
    %1 = iree_vector_ext.to_simd %0 : vector<2x4x1x1x1x4xf16> -> vector<64x64xf16>
    ```
  }];
}

def VectorExt_ToSIMTOp : VectorExt_BridgeOp<"to_simt"> {
  let summary = "Convert a whole vector to the elements of a thread";
  let description = [{
    The bridge in the other direction. Two opposite bridges that lead back to the original type
    are folded.

    ```mlir
    %1 = iree_vector_ext.to_simt %0 : vector<64x64xf16> -> vector<2x4x1x1x1x4xf16>
    ```
  }];
}

//===-- Gathering -----------------------------------------------------------------===//

// Not a VectorTransferOpInterface: upstream assumes that the memory of such operations is
// contiguous (docs/decisions/layout-dialect.md).
def VectorExt_TransferGatherOp
    : VectorExt_Op<"transfer_gather",
                   [AttrSizedOperandSegments, DeclareOpInterfaceMethods<ConditionallySpeculatable>,
                    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Read a vector from indexed rows of memory";
  let description = [{
    Reads like `vector.transfer_read`, but from a slice of the source that need not be
    contiguous. The second list in brackets has an entry for each dimension of the source:
    `None` if the slice is contiguous along it, or a vector of indices that replace the
    position along the dimension. `indexed_maps` has a map for each of these vectors, from
    positions in the slice to positions in the vector.

    ```mlir
    %v = iree_vector_ext.transfer_gather %source[%c0, %c0][%rows : vector<32xindex>, None], %pad
           {indexed_maps = [affine_map<(i, j) -> (i)>], in_bounds = [true, true]}
           : memref<1000x256xbf16>, vector<32x256xbf16>
    ```
    gives `v[i, j] = source[rows[i], j]`. `permutation_map`, `in_bounds`, padding and mask are
    those of `vector.transfer_read`, on the slice. If a dimension is marked in bounds, the
    indices in its vector must be in bounds, too; otherwise elements outside are padding.
  }];
  let arguments = (ins AnyShaped:$source, Variadic<Index>:$indices,
                       Variadic<VectorOfAnyRankOf<[Index]>>:$index_vecs,
                       BoolArrayAttr:$indexed, AffineMapArrayAttr:$indexed_maps,
                       AffineMapAttr:$permutation_map, AnyType:$padding,
                       Optional<VectorOfNonZeroRankOf<[I1]>>:$mask, BoolArrayAttr:$in_bounds);
  let results = (outs AnyVectorOfAnyRank:$vector);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::VectorType getVectorType() {
      return ::llvm::cast<::mlir::VectorType>(getVector().getType());
    }
    ::mlir::ShapedType getSourceType() {
      return ::llvm::cast<::mlir::ShapedType>(getSource().getType());
    }

    /// Whether a dimension of the source is gathered, and the list of these dimensions, with one
    /// for each index vector.
    bool isGathered(unsigned dim) {
      return ::llvm::cast<::mlir::BoolAttr>(getIndexed()[dim]).getValue();
    }
    ::llvm::SmallVector<unsigned> getGatheredDims();

    /// The map of each index vector.
    ::llvm::SmallVector<::mlir::AffineMap> getIndexedMapValues();

    /// The extent of the slice along each dimension of the source.
    ::llvm::SmallVector<int64_t> getSliceShape();
  }];
}

#endif // TILEWRIGHT_LAYOUT_DIALECT_OPS_TD
