// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The assumptions that an `assume` can make: div_by, same_elements and bounded. Defines their
// syntax, and the values for which they are valid (types, 8).

#include "tilewright/tile/types/Types.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

using EmitError = function_ref<InFlightDiagnostic()>;

/// The type of a tile of integers (including i4); null for anything else.
static TileType intTile(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile && tile.getElementType().isSignlessInteger() ? tile : TileType();
}

static TileType intOrPointerTile(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile && isa<PointerType>(tile.getElementType()) ? tile : intTile(type);
}

//===-- div_by (types, 8.1) -------------------------------------------------------------===//

/// The run along a dimension: `every E along A`.
static LogicalResult verifyRun(int64_t every, int64_t along, Type type, EmitError emitError) {
  if (isa<TensorViewType>(type))
    return emitError() << "'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained "
                          "value is a tensor_view";
  auto tile = dyn_cast<TileType>(type);
  if (!tile)
    return success(); // reported by the caller
  if (tile.getRank() == 0)
    return emitError() << "'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained "
                          "value is a 0D tile";
  if (!intOrPointerTile(type))
    return success();
  if (along < 0 || along >= tile.getRank())
    return emitError() << "'cuda_tile.div_by' every_dim (" << along
                       << ") must be >= 0 and < tile rank (" << tile.getRank() << ")";
  int64_t extent = tile.getDimSize(along);
  if (every < 0 || every > extent)
    return emitError() << "expected 'cuda_tile.div_by' every_dim to be within 0 and the size of "
                          "the respective dimension ("
                       << extent << ")";
  return success();
}

LogicalResult DivByAttr::verifyFor(Type type, EmitError emitError) const {
  if (!llvm::isPowerOf2_64(getDivisor()))
    return emitError() << "'cuda_tile.div_by' divisor must be a power of 2";
  if (getEvery().has_value() != getAlong().has_value())
    return emitError() << "'cuda_tile.div_by' 'every'/'along' must be used in combination";
  if (getDivisor() > uint64_t(1) << 62)
    return emitError() << "'cuda_tile.div_by' divisor is too large";
  if (getEvery() && failed(verifyRun(*getEvery(), *getAlong(), type, emitError)))
    return failure();
  if (!isa<TensorViewType>(type) && !intOrPointerTile(type))
    return emitError() << "'cuda_tile.div_by' is valid only for tile of integer/pointer or "
                          "tensor_view values";
  return success();
}

Attribute DivByAttr::parse(AsmParser &parser, Type) {
  uint64_t divisor;
  std::optional<int64_t> every, along;
  if (parser.parseLess() || parser.parseInteger(divisor))
    return {};
  if (succeeded(parser.parseOptionalComma()))
    if (parser.parseKeyword("every") || parser.parseInteger(every.emplace()) ||
        parser.parseKeyword("along") || parser.parseInteger(along.emplace()))
      return {};
  if (parser.parseGreater())
    return {};
  return DivByAttr::get(parser.getContext(), divisor, every, along);
}

void DivByAttr::print(AsmPrinter &printer) const {
  printer << "<" << getDivisor();
  if (getEvery() && getAlong())
    printer << ", every " << *getEvery() << " along " << *getAlong();
  printer << ">";
}

//===-- same_elements (types, 8.2) --------------------------------------------------------===//

LogicalResult SameElementsAttr::verifyFor(Type type, EmitError emitError) const {
  TileType tile = intOrPointerTile(type);
  if (!tile)
    return emitError()
           << "'cuda_tile.same_elements' is valid only for tile of integer/pointer values";
  if (int64_t(getValues().size()) != tile.getRank())
    return emitError() << "expected number of values in 'cuda_tile.same_elements' ("
                       << getValues().size() << ") to match rank of constrained tile ("
                       << tile.getRank() << ")";
  for (auto [dim, value, extent] : llvm::enumerate(getValues(), tile.getShape()))
    if (value < 0 || value > extent)
      return emitError() << "expected 'cuda_tile.same_elements' value " << dim
                         << " to be within 0 and the size of the respective dimension (" << extent
                         << ")";
  return success();
}

Attribute SameElementsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> values;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] { return parser.parseInteger(values.emplace_back()); }) ||
      parser.parseGreater())
    return {};
  return SameElementsAttr::get(parser.getContext(), values);
}

void SameElementsAttr::print(AsmPrinter &printer) const { printer << "<[" << getValues() << "]>"; }

//===-- bounded (types, 8.3) --------------------------------------------------------------===//

LogicalResult BoundedAttr::verifyFor(Type type, EmitError emitError) const {
  TileType tile = intTile(type);
  if (!tile)
    return emitError() << "'cuda_tile.bounded' is valid only for tile of integer values";
  unsigned width = tile.getElementType().getIntOrFloatBitWidth();
  int64_t least = llvm::minIntN(width), greatest = llvm::maxIntN(width);
  auto verifyBound = [&](std::optional<int64_t> bound, StringRef name) -> LogicalResult {
    if (!bound || (*bound >= least && *bound <= greatest))
      return success();
    return emitError() << "'cuda_tile.bounded' expects " << name << " bound to be within [" << least
                       << ", " << greatest << "]";
  };
  if (failed(verifyBound(getLb(), "lower")) || failed(verifyBound(getUb(), "upper")))
    return failure();
  if (getLb() && getUb() && *getLb() > *getUb())
    return emitError() << "'cuda_tile.bounded' expects lower bound to be less than or equal to "
                          "upper bound";
  return success();
}

Attribute BoundedAttr::parse(AsmParser &parser, Type) {
  std::optional<int64_t> lb, ub;
  auto parseBound = [&](std::optional<int64_t> &bound) -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion()))
      return success();
    return parser.parseInteger(bound.emplace());
  };
  if (parser.parseLess() || parseBound(lb) || parser.parseComma() || parseBound(ub) ||
      parser.parseGreater())
    return {};
  return BoundedAttr::get(parser.getContext(), lb, ub);
}

void BoundedAttr::print(AsmPrinter &printer) const {
  auto printBound = [&](std::optional<int64_t> bound) {
    if (bound)
      printer << *bound;
    else
      printer << "?";
  };
  printer << "<";
  printBound(getLb());
  printer << ", ";
  printBound(getUb());
  printer << ">";
}
