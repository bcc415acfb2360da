// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types (types, 4) and the classes of tiles that operations accept (types, 2.8).

#ifndef TILEWRIGHT_TILE_TYPES_TYPES_TD
#define TILEWRIGHT_TILE_TYPES_TYPES_TD

include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "tilewright/tile/attributes/Enums.td"

//===-- Common interface of the three tile views ------------------------------===//

def Tile_TileViewInterface : TypeInterface<"TileView"> {
  let cppNamespace = "::tilewright::tile";
  let description = [{
    A tensor view plus a rule that maps an index to a tile, that is, to the elements
    of the tensor that form it (types, 4.4 and 4.11).
  }];
  let methods = [
    InterfaceMethod<"The tensor view that the view tiles: a TensorViewType.",
      "::mlir::Type", "getTensorViewType", (ins), [{ return $_type.getTensorView(); }]>,
    InterfaceMethod<"Extents of the tile that an index selects.",
      "::llvm::ArrayRef<int32_t>", "getTileShape">,
    InterfaceMethod<"Value of elements outside the tensor; null: unspecified.",
      "::tilewright::tile::PaddingValueAttr", "getPaddingValue">,
    InterfaceMethod<"Checks the types of an access's index operands (types, 4.11).",
      "::llvm::LogicalResult", "verifyIndices",
      (ins "::mlir::TypeRange":$indices,
           "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError)>,
  ];
  let extraClassDeclaration = [{
    /// The tensor view that the view tiles.
    ::tilewright::tile::TensorViewType getTensorView();
    /// The number of indices per access: the rank of the tile.
    int64_t getIndexRank();
    /// The type of the tile that one access loads or stores.
    ::tilewright::tile::TileType getTileType();
  }];
}

//===-- Element types (types, 2.1): MLIR's own, with tag and version -----------===//

class Tile_Element<string spelling_, string test, int bytecodeTag, string sinceVersion = "13.1">
    : Type<CPred<test>, spelling_> {
  string spelling = spelling_;
  int tag = bytecodeTag;
  string since = sinceVersion;
}
class Tile_IntElement<int width, int tag, string since = "13.1">
    : Tile_Element<"i" # width, "$_self.isSignlessInteger(" # width # ")", tag, since>;
class Tile_FloatElement<string spelling, string cppClass, int tag, string since = "13.1">
    : Tile_Element<spelling, "::llvm::isa<::mlir::" # cppClass # ">($_self)", tag, since>;

def Tile_I1 : Tile_IntElement<1, 0>;
def Tile_I4 : Tile_IntElement<4, 22, "13.3">;
def Tile_I8 : Tile_IntElement<8, 1>;
def Tile_I16 : Tile_IntElement<16, 2>;
def Tile_I32 : Tile_IntElement<32, 3>;
def Tile_I64 : Tile_IntElement<64, 4>;
def Tile_F16 : Tile_FloatElement<"f16", "Float16Type", 5>;
def Tile_BF16 : Tile_FloatElement<"bf16", "BFloat16Type", 6>;
def Tile_F32 : Tile_FloatElement<"f32", "Float32Type", 7>;
def Tile_TF32 : Tile_FloatElement<"tf32", "FloatTF32Type", 8>;
def Tile_F64 : Tile_FloatElement<"f64", "Float64Type", 9>;
def Tile_F8E4M3FN : Tile_FloatElement<"f8E4M3FN", "Float8E4M3FNType", 10>;
def Tile_F8E5M2 : Tile_FloatElement<"f8E5M2", "Float8E5M2Type", 11>;
def Tile_F8E8M0FNU : Tile_FloatElement<"f8E8M0FNU", "Float8E8M0FNUType", 18, "13.2">;
def Tile_F4E2M1FN : Tile_FloatElement<"f4E2M1FN", "Float4E2M1FNType", 19, "13.3">;
def Tile_F8E5M3FNU : Tile_Element<"f8E5M3FNU",
    "::llvm::isa<::tilewright::tile::F8E5M3FNUType>($_self)", 130, "13.4">;
def Tile_Pointer : Type<CPred<"::llvm::isa<::tilewright::tile::PointerType>($_self)">,
                        "Pointer type", "::tilewright::tile::PointerType">;

defvar Tile_Ints = [Tile_I1, Tile_I8, Tile_I16, Tile_I32, Tile_I64];
defvar Tile_BaseFloats = [Tile_F16, Tile_BF16, Tile_F32, Tile_F64];
defvar Tile_SmallFloats =
    [Tile_F8E4M3FN, Tile_F8E5M2, Tile_F8E8M0FNU, Tile_F4E2M1FN, Tile_F8E5M3FNU];
defvar Tile_AnyFloats = Tile_BaseFloats # [Tile_TF32] # Tile_SmallFloats;
// The order in which diagnostics list the number types.
defvar Tile_Numbers =
    [Tile_F16, Tile_BF16, Tile_F32, Tile_TF32, Tile_F64] # Tile_SmallFloats # Tile_Ints;

// The pointees of pointers, and the elements of tiles.
def Tile_NumberElement
    : AnyTypeOf<Tile_Numbers, !interleave(!foreach(e, Tile_Numbers, e.summary), " or ")>;
def Tile_TileElement
    : AnyTypeOf<Tile_Numbers # [Tile_Pointer, Tile_I4],
                Tile_NumberElement.summary # " or Pointer type or i4">;

//===-- Types -----------------------------------------------------------------===//

// The only element type that MLIR lacks. Constants hold elements of MLIR float types, and such a
// type refers to an LLVM format, which LLVM lacks for this one. The format used instead has as many
// bits and a value for each pattern; its numbers are never used (docs/decisions/e5m3-constants.md).
def Tile_F8E5M3FNUType : TypeDef<Tile_Dialect, "F8E5M3FNU", [
    DeclareTypeInterfaceMethods<FloatTypeInterface, ["getFloatSemantics"]>]> {
  let mnemonic = "f8E5M3FNU";
  let summary = "unsigned 8-bit float: 5 bits of exponent, 3 of mantissa, NaN, no infinity";
}

def Tile_PointerType : Tile_Type<"Pointer", "ptr", 12, "13.1"> {
  let summary = "64-bit device address of one element; only inside a tile";
  let parameters = (ins Tile_NumberElement:$pointeeType,
      OptionalParameter<"::tilewright::tile::PointerAttributeAttr">:$attribute);
  let hasCustomAssemblyFormat = 1;
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::Type":$pointeeType,
           CArg<"::tilewright::tile::PointerAttributeAttr", "{}">:$attribute), [{
    return $_get(pointeeType.getContext(), pointeeType, attribute);
  }]>];
  let skipDefaultBuilders = 1;
}

def Tile_TileType : Tile_Type<"Tile", "tile", 13, "13.1", [ShapedTypeInterface]> {
  let summary = "array of elements with static power-of-two extents; rank 0 is a scalar";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, Tile_TileElement:$elementType);
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let builders = [TypeBuilderWithInferredContext<
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType), [{
    return $_get(elementType.getContext(), shape, elementType);
  }]>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// The most elements of a tile: 2^24 (types, 4.2).
    static constexpr int64_t maxElements = int64_t(1) << 24;

    bool hasRank() const { return true; }
    TileType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
                       ::mlir::Type elementType) const {
      return TileType::get(shape.value_or(getShape()), elementType);
    }
    using ::mlir::ShapedType::Trait<TileType>::clone;
    using ::mlir::ShapedType::Trait<TileType>::getNumElements;
    using ::mlir::ShapedType::Trait<TileType>::getRank;

    TileType withShape(::llvm::ArrayRef<int64_t> shape) const {
      return TileType::get(shape, getElementType());
    }
    TileType withElementType(::mlir::Type elementType) const {
      return TileType::get(getShape(), elementType);
    }
  }];
}

def Tile_TensorViewType : Tile_Type<"TensorView", "tensor_view", 14, "13.1"> {
  let summary = "pointer, extents and strides: an array in global memory";
  let description = "A dynamic extent or stride is stored as INT64_MIN.";
  let parameters = (ins Tile_NumberElement:$elementType, ArrayRefParameter<"int64_t">:$shape,
      ArrayRefParameter<"int64_t">:$strides,
      OptionalParameter<"::tilewright::tile::PointerAttributeAttr">:$attribute);
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let builders = [TypeBuilder<(ins "::mlir::Type":$elementType, "::llvm::ArrayRef<int64_t>":$shape,
                                   "::llvm::ArrayRef<int64_t>":$strides), [{
    return $_get($_ctxt, elementType, shape, strides, PointerAttributeAttr());
  }]>];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    int64_t getNumDynamicExtents() const;
    int64_t getNumDynamicStrides() const;
  }];
}

class Tile_ViewType<string name, string mnemonic, int tag, string since>
    : Tile_Type<name, mnemonic, tag, since, [Tile_TileViewInterface]> {
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::LogicalResult verifyIndices(
        ::mlir::TypeRange indices,
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
  }];
}

def Tile_PartitionViewType : Tile_ViewType<"PartitionView", "partition_view", 15, "13.1"> {
  let summary = "grid of tiles side by side that covers the tensor";
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape,
                        "::tilewright::tile::TensorViewType":$tensorView,
                        ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::tilewright::tile::PaddingValueAttr">:$paddingValue);
}

def Tile_StridedViewType : Tile_ViewType<"StridedView", "strided_view", 21, "13.3"> {
  let summary = "tiles that start at multiples of a traversal stride; they may overlap";
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape,
                        ArrayRefParameter<"int32_t">:$traversalStrides,
                        "::tilewright::tile::TensorViewType":$tensorView,
                        ArrayRefParameter<"int32_t">:$dimMap,
                        OptionalParameter<"::tilewright::tile::PaddingValueAttr">:$paddingValue);
}

def Tile_GatherScatterViewType
    : Tile_ViewType<"GatherScatterView", "gather_scatter_view", 20, "13.3"> {
  let summary = "tiles whose coordinates along one dimension are listed explicitly";
  let parameters = (ins ArrayRefParameter<"int32_t">:$tileShape,
                        "::tilewright::tile::TensorViewType":$tensorView,
                        "uint32_t":$sparseDim,
                        OptionalParameter<"::tilewright::tile::PaddingValueAttr">:$paddingValue);
}

def Tile_TokenType : Tile_Type<"Token", "token", 17, "13.1"> {
  let summary = "orders memory operations; carries no data";
}

//===-- Classes of tiles that operations accept (types, 2.8) --------------------===//

class Tile_TileOf<list<Type> elements, string what = "tile">
    : Type<And<[CPred<"::llvm::isa<::tilewright::tile::TileType>($_self)">,
                Concat<"[](::mlir::Type elementType) { return ",
                  SubstLeaves<"$_self", "elementType", AnyTypeOf<elements>.predicate>,
                  "; }(::llvm::cast<::tilewright::tile::TileType>($_self).getElementType())">]>,
           what # " of " # !interleave(!foreach(e, elements, e.summary), " or ") # " values",
           "::tilewright::tile::TileType">;

class Tile_ScalarOf<list<Type> elements>
    : Type<And<[Tile_TileOf<elements>.predicate,
                CPred<"::llvm::cast<::tilewright::tile::TileType>($_self).getRank() == 0">]>,
           "0D " # Tile_TileOf<elements>.summary, "::tilewright::tile::TileType">;

def Tile_AnyTile : Type<CPred<"::llvm::isa<::tilewright::tile::TileType>($_self)">, "tile",
                        "::tilewright::tile::TileType">;
def Tile_IntTile : Tile_TileOf<Tile_Ints>;
def Tile_IntOrI4Tile : Tile_TileOf<Tile_Ints # [Tile_I4]>;
def Tile_I1Tile : Tile_TileOf<[Tile_I1]>;
def Tile_I8Tile : Tile_TileOf<[Tile_I8]>;
def Tile_I64Tile : Tile_TileOf<[Tile_I64]>;
def Tile_PowerExponentTile : Tile_TileOf<[Tile_I1, Tile_I8, Tile_I16, Tile_I32]>;
def Tile_BaseFloatTile : Tile_TileOf<Tile_BaseFloats>;
def Tile_AnyFloatTile : Tile_TileOf<Tile_AnyFloats>;
def Tile_NumberTile : Tile_TileOf<Tile_Numbers>;
def Tile_NumberOrI4Tile : Tile_TileOf<Tile_Numbers # [Tile_I4]>;
def Tile_PointerTile : Tile_TileOf<[Tile_Pointer]>;
def Tile_IntScalar : Tile_ScalarOf<Tile_Ints>;
def Tile_I1Scalar : Tile_ScalarOf<[Tile_I1]>;
def Tile_I32Scalar
    : Tile_ScalarOf<[Tile_I32]>,
      BuildableType<"::tilewright::tile::TileType::get({}, $_builder.getI32Type())">;
def Tile_PointerScalar : Tile_ScalarOf<[Tile_Pointer]>;

def Tile_MmaFOperand
    : Tile_TileOf<Tile_BaseFloats # [Tile_TF32, Tile_F8E4M3FN, Tile_F8E5M2], "mmaf operand tile type">;
def Tile_MmaFResult : Tile_TileOf<[Tile_F16, Tile_F32, Tile_F64], "mmaf acc/result tile type">;
def Tile_MmaIOperand : Tile_TileOf<[Tile_I8], "mmai operand tile type">;
def Tile_MmaIResult : Tile_TileOf<[Tile_I32], "mmai acc/result tile type">;
def Tile_MmaScaledOperand
    : Tile_TileOf<[Tile_F8E4M3FN, Tile_F8E5M2, Tile_F4E2M1FN], "mmaf_scaled operand tile type">;
def Tile_MmaScaledScale
    : Tile_TileOf<[Tile_F8E4M3FN, Tile_F8E8M0FNU, Tile_F8E5M3FNU], "mmaf_scaled scale tile type">;
def Tile_MmaScaledResult : Tile_TileOf<[Tile_F32], "mmaf_scaled result tile type">;

def Tile_AnyView : Type<CPred<"::llvm::isa<::tilewright::tile::TileView>($_self)">,
                        "TileView instance", "::tilewright::tile::TileView">;
def Tile_Token : Type<CPred<"::llvm::isa<::tilewright::tile::TokenType>($_self)">,
                      "cuda tile token type", "::tilewright::tile::TokenType">,
                 BuildableType<"::tilewright::tile::TokenType::get($_builder.getContext())">;
class Tile_Exactly<string cppClass, string what>
    : Type<CPred<"::llvm::isa<::tilewright::tile::" # cppClass # ">($_self)">, what,
           "::tilewright::tile::" # cppClass>;
def Tile_TensorView : Tile_Exactly<"TensorViewType", "tensor_view">;
def Tile_PartitionView : Tile_Exactly<"PartitionViewType", "partition_view">;
def Tile_StridedView : Tile_Exactly<"StridedViewType", "strided_view">;
def Tile_GatherScatterView : Tile_Exactly<"GatherScatterViewType", "gather_scatter_view">;

#endif // TILEWRIGHT_TILE_TYPES_TYPES_TD
