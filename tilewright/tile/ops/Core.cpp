// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of the core and miscellaneous operations, which create and rearrange tiles, and the text of
// constants (operations, 4.1 to 4.10 and 6).

#include "tilewright/support/Shape.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Constants.h"
#include "tilewright/tile/text/Assembly.h"
#include "tilewright/tile/text/FormatString.h"
#include "tilewright/tile/text/Literal.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using numerics::Element;

//===-- constant ------------------------------------------------------------------------===//

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  DenseElementsAttr value;
  if (parseLiteral(parser, value) || parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.getOrAddProperties<Properties>().value = value;
  result.addTypes(value.getType());
  return success();
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printer << " ";
  printLiteral(printer, cast<DenseElementsAttr>(getValue()));
  printer.printOptionalAttrDict((*this)->getAttrs(), {getValueAttrName()});
}

LogicalResult ConstantOp::verify() {
  if (isa<DenseElementsAttr>(getValue()))
    return success();
  return emitOpError() << "value must be dense elements, but is " << getValue();
}

//===-- Shapes --------------------------------------------------------------------------===//

LogicalResult IotaOp::verify() {
  if (getType().getRank() != 1)
    return emitOpError() << "expects result type to be 1-d tile";
  // The largest element is the number of elements minus one (operations, 4.2).
  unsigned width = getType().getElementType().getIntOrFloatBitWidth();
  int64_t count = getType().getNumElements();
  if (width < 64 && uint64_t(count) > uint64_t(1) << width)
    return emitOpError() << "the number of elements " << count
                         << " exceeds the maximum value of element type "
                         << getType().getElementType();
  return success();
}

LogicalResult BroadcastOp::verify() {
  ArrayRef<int64_t> from = getSource().getType().getShape(), to = getType().getShape();
  for (auto [dim, source, result] : llvm::enumerate(from, to))
    if (source != result && source != 1)
      return emitOpError() << "expects the shape of source tile to be compatible with that of the "
                              "result tile, but along dimension "
                           << dim << " got " << source << " and " << result
                           << "; only an extent of 1 can be broadcast";
  return success();
}

LogicalResult ReshapeOp::verify() {
  const int64_t from = getSource().getType().getNumElements(), to = getType().getNumElements();
  if (from != to)
    return emitOpError() << "expected source tile and result tile to have the same number of "
                            "elements, but got "
                         << from << " and " << to;
  return success();
}

LogicalResult PermuteOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape(), result = getType().getShape();
  ArrayRef<int32_t> permutation = getPermutation();
  int64_t rank = source.size();
  if (rank < 2)
    return emitOpError() << "expects at least rank 2, but got: " << rank;
  if (int64_t(permutation.size()) != rank)
    return emitOpError() << "expect permutation size (" << permutation.size()
                         << ") to equal the rank of the source (" << rank << ")";
  llvm::SmallDenseSet<int32_t> seen;
  for (auto [k, dim] : llvm::enumerate(permutation)) {
    if (dim < 0 || dim >= rank)
      return emitOpError() << "permutation element at index " << k << " (" << dim
                           << ") is out of bound [0, " << rank << ")";
    if (!seen.insert(dim).second)
      return emitOpError() << "expect permutation elements to be unique";
  }
  for (auto [k, dim] : llvm::enumerate(permutation))
    if (result[k] != source[dim])
      return emitOpError() << "result shape invalid at index " << k << ", expected: " << source[dim]
                           << ", but got: " << result[k];
  return success();
}

LogicalResult CatOp::verify() {
  ArrayRef<int64_t> lhs = getLhs().getType().getShape(), rhs = getRhs().getType().getShape();
  ArrayRef<int64_t> result = getType().getShape();
  int64_t rank = lhs.size(), dim = getDim();
  if (dim < 0 || dim >= rank)
    return emitOpError() << "expect dim to be [0, " << rank << "), but got: " << dim;
  for (int64_t i = 0; i < rank; ++i) {
    if (i == dim) {
      if (lhs[i] + rhs[i] != result[i])
        return emitOpError() << "invalid concat at position " << i
                             << ", expected: " << lhs[i] + rhs[i] << " but got: " << result[i];
      continue;
    }
    if (lhs[i] != rhs[i])
      return emitOpError() << "expect lhs and rhs shapes to match at non-concat position " << i
                           << ", expected: " << lhs[i] << " but got: " << rhs[i];
    if (lhs[i] != result[i])
      return emitOpError() << "expect lhs and result shapes to match at non-concat position " << i
                           << ", expected: " << lhs[i] << " but got: " << result[i];
  }
  return success();
}

LogicalResult ExtractOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape(), result = getType().getShape();
  if (getSource().getType().getElementType() != getType().getElementType())
    return emitOpError() << "source and result element type do not match";
  if (getIndices().size() != source.size())
    return emitOpError() << "expected " << source.size() << " indices, but got "
                         << getIndices().size();
  for (auto [dim, extents] : llvm::enumerate(llvm::zip_equal(source, result)))
    if (auto [from, to] = extents; from % to != 0)
      return emitOpError() << "source dimension " << dim << " size (" << from
                           << ") must be evenly divisible by result dimension " << dim << " size ("
                           << to << ")";
  for (auto [dim, index] : llvm::enumerate(getIndices())) {
    std::optional<int64_t> constant = constantInteger(index);
    if (!constant)
      continue;
    int64_t value = *constant;
    int64_t last = source[dim] / result[dim] - 1;
    // The warning has no operation: printing the operation would verify it again.
    if (value < 0 || value > last)
      mlir::emitWarning(getLoc()) << "extract index " << dim << " value " << value
                                  << " may be out of bounds (max valid index: " << last << ")";
  }
  return success();
}

LogicalResult InsertOp::verify() {
  ArrayRef<int64_t> source = getSource().getType().getShape();
  ArrayRef<int64_t> destination = getDestination().getType().getShape();
  if (getIndices().size() != destination.size())
    return emitOpError() << "expected " << destination.size() << " indices, but got "
                         << getIndices().size();
  for (auto [dim, extents] : llvm::enumerate(llvm::zip_equal(destination, source)))
    if (auto [whole, part] = extents; whole % part != 0)
      return emitOpError() << "destination dimension " << dim << " size (" << whole
                           << ") must be evenly divisible by source dimension " << dim << " size ("
                           << part << ")";
  return success();
}

//===-- Element steps (RearrangementOpInterface) ------------------------------------------===//

using Steps = SmallVector<int64_t>;

static Steps stepsIn(Value source) {
  return support::rowMajorStrides<Steps>(cast<TileType>(source.getType()).getShape());
}

Steps BroadcastOp::getElementSteps() {
  Steps steps = stepsIn(getSource());
  for (auto [step, extent] : llvm::zip_equal(steps, getSource().getType().getShape()))
    if (extent == 1)
      step = 0;
  return steps;
}

Steps ReshapeOp::getElementSteps() { return stepsIn(getResult()); }

Steps PermuteOp::getElementSteps() {
  Steps steps = stepsIn(getSource());
  return llvm::map_to_vector(getPermutation(), [&](int32_t dim) { return steps[dim]; });
}

Steps ExtractOp::getElementSteps() { return stepsIn(getSource()); }
ValueRange ExtractOp::getSelectors() { return getIndices(); }

/// An index numbers slices, not elements (operations, 4.7).
Steps ExtractOp::getSelectorSteps() {
  Steps steps = stepsIn(getSource());
  for (auto [step, extent] : llvm::zip_equal(steps, getType().getShape()))
    step *= extent;
  return steps;
}

//===-- select and offset ------------------------------------------------------------------===//

Element SelectOp::evalElement(ArrayRef<Element> in) {
  return numerics::select(in[0], in[1], in[2]);
}

LogicalResult SelectOp::verify() {
  if (isa<Float4E2M1FNType>(getType().getElementType()))
    return emitOpError() << "cannot operate on sub-byte type F4E2M1FN";
  return success();
}

/// addr + sext(offset) * storage size of the pointee. Overflow is undefined, and so is half a byte:
/// 4-bit elements are addressable only in pairs (operations, 4.9).
Element OffsetOp::evalElement(ArrayRef<Element> in) {
  if (in[0].poison || in[1].poison)
    return Element::poisoned(numerics::Format::Pointer);
  auto pointer = cast<PointerType>(getType().getElementType());
  __int128 bits =
      __int128(in[1].asSigned()) * numerics::info(*formatOf(pointer.getPointeeType())).storageBits;
  __int128 address = __int128(in[0].asUnsigned()) + bits / 8;
  bool fits = bits % 8 == 0 && bits / 8 == int64_t(bits / 8) && address >= 0 &&
              address == __int128(uint64_t(address));
  return fits ? Element::fromBits(numerics::Format::Pointer, uint64_t(address))
              : Element::poisoned(numerics::Format::Pointer);
}

//===-- Miscellaneous ------------------------------------------------------------------------===//

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyFor(getType(), [&] { return emitOpError(); });
}

LogicalResult PrintOp::verify() {
  std::optional<SmallVector<FormatPiece>> pieces = scanFormat(getStr());
  if (!pieces)
    return emitOpError() << "found unterminated format expression";
  size_t expressions =
      llvm::count_if(*pieces, [](FormatPiece piece) { return piece.isExpression; });
  if (expressions != getArgs().size())
    return emitOpError() << "incorrect number of operands: expected " << expressions << ", found "
                         << getArgs().size();
  return success();
}

//===-- Names in printed text (textual format, 12.2) ---------------------------------------===//

void BroadcastOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "bcast"); }

void ReshapeOp::getAsmResultNames(OpAsmSetValueNameFn setName) { setName(getResult(), "reshape"); }

void GetTileBlockIdOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getBlockIdX(), "blockId_x");
  setName(getBlockIdY(), "blockId_y");
  setName(getBlockIdZ(), "blockId_z");
}

void GetNumTileBlocksOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getGridSizeX(), "gridSize_x");
  setName(getGridSizeY(), "gridSize_y");
  setName(getGridSizeZ(), "gridSize_z");
}
