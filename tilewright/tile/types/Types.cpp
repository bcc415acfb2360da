// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules and text of pointers, tiles and tensor views. A type is verified when it is built, so an
// invalid one is an error at the type (types, 3 and 4). The three tile views are in ViewTypes.cpp.

#include "tilewright/tile/types/Types.h"
#include "tilewright/tile/text/Spelling.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

#include "tilewright/tile/types/TypeInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "tilewright/tile/types/Types.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilewright/tile/types/Types.cpp.inc"
      >();
}

//===-- Element types --------------------------------------------------------------===//

std::optional<numerics::Format> tile::formatOf(Type type) {
  using numerics::Format;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() ? numerics::integerFormat(integer.getWidth()) : std::nullopt;
  // By class, not by interface, for speed: the reference machine calls this for every result.
  return llvm::TypeSwitch<Type, std::optional<Format>>(type)
      .Case([](Float16Type) { return Format::F16; })
      .Case([](BFloat16Type) { return Format::BF16; })
      .Case([](FloatTF32Type) { return Format::TF32; })
      .Case([](Float32Type) { return Format::F32; })
      .Case([](Float64Type) { return Format::F64; })
      .Case([](Float8E4M3FNType) { return Format::F8E4M3FN; })
      .Case([](Float8E5M2Type) { return Format::F8E5M2; })
      .Case([](Float8E8M0FNUType) { return Format::F8E8M0FNU; })
      .Case([](Float4E2M1FNType) { return Format::F4E2M1FN; })
      .Case([](F8E5M3FNUType) { return Format::F8E5M3FNU; })
      .Case([](PointerType) { return Format::Pointer; })
      .Default(std::optional<Format>());
}

Type tile::typeOf(numerics::Format format, MLIRContext *context) {
  using numerics::Format;
  const numerics::FormatInfo &facts = numerics::info(format);
  if (facts.isInteger())
    return IntegerType::get(context, facts.bits);
  switch (format) {
  case Format::F16:
    return Float16Type::get(context);
  case Format::BF16:
    return BFloat16Type::get(context);
  case Format::TF32:
    return FloatTF32Type::get(context);
  case Format::F32:
    return Float32Type::get(context);
  case Format::F64:
    return Float64Type::get(context);
  case Format::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case Format::F8E5M2:
    return Float8E5M2Type::get(context);
  case Format::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case Format::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case Format::F8E5M3FNU:
    return F8E5M3FNUType::get(context);
  default:
    llvm_unreachable("a pointer type needs its pointee");
  }
}

const llvm::fltSemantics &F8E5M3FNUType::getFloatSemantics() const { return APFloat::Float8E3M4(); }

bool tile::isNumber(Type type) {
  std::optional<numerics::Format> format = formatOf(type);
  return format && *format != numerics::Format::I4 && *format != numerics::Format::Pointer;
}

//===-- Short forms: the mnemonic without `!cuda_tile.` (types, 3) -------------------===//

namespace {
struct ShortType {
  StringRef mnemonic;
  Type (*parse)(AsmParser &);
};
} // namespace

/// The spelling in the text of the 13.4 specification.
static constexpr StringLiteral otherE5M3 = "fnv8E5M3FNU";

static Type parseE5M3(AsmParser &parser) { return F8E5M3FNUType::get(parser.getContext()); }

static const ShortType shortTypes[] = {
    {TileType::getMnemonic(), TileType::parse},
    {PointerType::getMnemonic(), PointerType::parse},
    {TensorViewType::getMnemonic(), TensorViewType::parse},
    {PartitionViewType::getMnemonic(), PartitionViewType::parse},
    {StridedViewType::getMnemonic(), StridedViewType::parse},
    {GatherScatterViewType::getMnemonic(), GatherScatterViewType::parse},
    {F8E5M3FNUType::getMnemonic(), parseE5M3},
    {otherE5M3, parseE5M3},
    {TokenType::getMnemonic(),
     [](AsmParser &parser) -> Type { return TokenType::get(parser.getContext()); }},
};

ParseResult tile::parseShortType(AsmParser &parser, Type &type) {
  SMLoc loc = parser.getCurrentLocation();
  // Our mnemonics first: where the dialect expects a type, `token` is its own.
  SmallVector<StringRef, 8> mnemonics;
  for (const ShortType &shortType : shortTypes)
    mnemonics.push_back(shortType.mnemonic);
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word, mnemonics))) {
    const ShortType *found =
        llvm::find_if(shortTypes, [&](const ShortType &t) { return t.mnemonic == word; });
    type = found->parse(parser);
    return success(bool(type));
  }
  OptionalParseResult builtin = parser.parseOptionalType(type);
  if (builtin.has_value())
    return *builtin;
  if (parser.parseKeyword(&word))
    return failure();
  InFlightDiagnostic diag = parser.emitError(loc) << "unknown type: " << word;
  if (std::string advice = adviceForType(word); !advice.empty())
    diag.attachNote() << advice;
  return diag;
}

void tile::printShortType(AsmPrinter &printer, Type type) {
  if (isa<TileDialect>(type.getDialect()))
    (void)generatedTypePrinter(type, printer);
  else
    printer << type;
}

Type TileDialect::parseType(DialectAsmParser &parser) const {
  SMLoc loc = parser.getCurrentLocation();
  StringRef mnemonic;
  Type type;
  OptionalParseResult result = generatedTypeParser(parser, &mnemonic, type);
  if (result.has_value())
    return succeeded(*result) ? type : Type();
  if (mnemonic == otherE5M3)
    return F8E5M3FNUType::get(getContext());
  // The public tools print the two blanks.
  InFlightDiagnostic diag = parser.emitError(loc) << "unknown  type `" << mnemonic
                                                  << "` in dialect `" << getNamespace() << "`";
  if (std::string advice = adviceForType(mnemonic); !advice.empty())
    diag.attachNote() << advice;
  return {};
}

void TileDialect::printType(Type type, DialectAsmPrinter &printer) const {
  if (failed(generatedTypePrinter(type, printer)))
    llvm_unreachable("a type of another dialect");
}

//===-- The attribute of pointers and tensor views (13.4, sections 8.1 and 14) ----------===//

/// The name of a member; texts of older Tilewright versions call `none` `default`.
static ParseResult parsePointerAttributeName(AsmParser &parser, PointerAttributeAttr &attribute) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<PointerAttribute> value =
      symbolizePointerAttribute(word == "default" ? "none" : word);
  if (!value)
    return parser.emitError(loc)
           << "expected a pointer attribute, one of: none, unicast, multicast, but got '" << word
           << "'";
  attribute = PointerAttributeAttr::get(parser.getContext(), *value);
  return success();
}

/// `<multicast>` as in pointers, `#cuda_tile.ptr_attr<multicast>` as in views, or `multicast` as in
/// texts of older Tilewright versions.
static ParseResult parsePointerAttribute(AsmParser &parser, PointerAttributeAttr &attribute) {
  if (*parser.getCurrentLocation().getPointer() == '#')
    return parser.parseAttribute(attribute);
  if (failed(parser.parseOptionalLess()))
    return parsePointerAttributeName(parser, attribute);
  return failure(parsePointerAttributeName(parser, attribute) || parser.parseGreater());
}

/// `, <multicast>`, if it is there.
static ParseResult parseOptionalPointerAttribute(AsmParser &parser,
                                                 PointerAttributeAttr &attribute) {
  return failed(parser.parseOptionalComma()) ? ParseResult(success())
                                             : parsePointerAttribute(parser, attribute);
}

//===-- ptr -----------------------------------------------------------------------------===//

Type PointerType::parse(AsmParser &parser) {
  Type pointee;
  PointerAttributeAttr attribute;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseShortType(parser, pointee) ||
      parseOptionalPointerAttribute(parser, attribute) || parser.parseGreater())
    return {};
  return parser.getChecked<PointerType>(loc, parser.getContext(), pointee, attribute);
}

void PointerType::print(AsmPrinter &printer) const {
  printer << "<";
  printShortType(printer, getPointeeType());
  if (PointerAttributeAttr attribute = getAttribute()) {
    printer << ", ";
    attribute.print(printer);
  }
  printer << ">";
}

//===-- tile ----------------------------------------------------------------------------===//

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type elementType) {
  if (llvm::any_of(shape, [](int64_t extent) { return extent <= 0; }))
    return emitError() << "all dimensions must be positive constants, got " << shape;
  if (!llvm::all_of(shape, [](int64_t extent) { return llvm::isPowerOf2_64(extent); }))
    return emitError() << "all dimensions must be powers of two, got " << shape;
  int64_t elements = 1;
  for (int64_t extent : shape) {
    // Both factors are at most 2^24, so the product cannot overflow.
    if (extent > maxElements || (elements *= extent) > maxElements)
      return emitError() << "tile would exceed the maximum of " << maxElements << " elements, got "
                         << shape;
  }
  // Two 4-bit floats share a byte (types, 2.4).
  if (isa<Float4E2M1FNType>(elementType) && elements == 1)
    return emitError() << "F4E2M1FN tiles must have an even number of elements";
  return success();
}

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  SMLoc shapeLoc = parser.getCurrentLocation();
  if (parser.parseDimensionList(shape, /*allowDynamic=*/true))
    return {};
  if (ShapedType::isDynamicShape(shape)) {
    parser.emitError(shapeLoc) << "expected static shape";
    return {};
  }
  if (parseShortType(parser, elementType) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(loc, parser.getContext(), shape, elementType);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape())
    printer << extent << "x";
  printShortType(printer, getElementType());
  printer << ">";
}

//===-- tensor_view ---------------------------------------------------------------------===//

static LogicalResult verifySizes(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> sizes, StringRef what) {
  for (int64_t size : sizes)
    if (size <= 0 && !ShapedType::isDynamic(size))
      return emitError() << "dimensions must have strictly positive constant " << what
                         << " but got [" << sizes << "]";
  return success();
}

LogicalResult TensorViewType::verify(function_ref<InFlightDiagnostic()> emitError, Type elementType,
                                     ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                                     PointerAttributeAttr) {
  if (shape.size() != strides.size())
    return emitError() << "expected shape and stride to be of same rank but got shape of rank "
                       << shape.size() << " and stride of rank " << strides.size();
  if (failed(verifySizes(emitError, shape, "sizes")))
    return failure();
  return verifySizes(emitError, strides, "strides");
}

int64_t TensorViewType::getNumDynamicExtents() const {
  return llvm::count_if(getShape(), ShapedType::isDynamic);
}

int64_t TensorViewType::getNumDynamicStrides() const {
  return llvm::count_if(getStrides(), ShapedType::isDynamic);
}

/// One stride: `?` or a positive 64-bit integer.
static ParseResult parseStride(AsmParser &parser, SmallVectorImpl<int64_t> &strides) {
  if (succeeded(parser.parseOptionalQuestion())) {
    strides.push_back(ShapedType::kDynamic);
    return success();
  }
  SMLoc loc = parser.getCurrentLocation();
  int64_t stride;
  OptionalParseResult result = parser.parseOptionalInteger(stride);
  if (!result.has_value())
    return parser.emitError(loc) << "expected either 64-bit integer or question mark";
  if (failed(*result))
    return failure();
  if (stride <= 0)
    return parser.emitError(loc) << "expected strictly positive integer, got " << stride;
  strides.push_back(stride);
  return success();
}

/// What may follow the element type of a view of rank 0, which has no strides.
static ParseResult parseEndOfScalarView(AsmParser &parser, PointerAttributeAttr &attribute) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalGreater()))
    return success();
  if (failed(parser.parseOptionalComma()))
    return parser.emitError(loc) << "unexpected token after element type in 0-d tensor_view";
  if (succeeded(parser.parseOptionalKeyword("strides")))
    return parser.emitError(loc) << "strides must not be provided for 0-d tiles";
  return failure(parsePointerAttribute(parser, attribute) || parser.parseGreater());
}

Type TensorViewType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, strides;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/true) ||
      parseShortType(parser, elementType))
    return {};
  PointerAttributeAttr attribute;
  if (shape.empty()) {
    if (parseEndOfScalarView(parser, attribute))
      return {};
  } else if (parser.parseComma() || parser.parseKeyword("strides") || parser.parseEqual() ||
             parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            [&] { return parseStride(parser, strides); }) ||
             parseOptionalPointerAttribute(parser, attribute) || parser.parseGreater()) {
    return {};
  }
  return parser.getChecked<TensorViewType>(loc, parser.getContext(), elementType,
                                           ArrayRef<int64_t>(shape), ArrayRef<int64_t>(strides),
                                           attribute);
}

static void printSize(AsmPrinter &printer, int64_t size) {
  if (ShapedType::isDynamic(size))
    printer << "?";
  else
    printer << size;
}

void TensorViewType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t extent : getShape()) {
    printSize(printer, extent);
    printer << "x";
  }
  printShortType(printer, getElementType());
  if (!getStrides().empty()) {
    printer << ", strides=[";
    llvm::interleave(
        getStrides(), [&](int64_t stride) { printSize(printer, stride); }, [&] { printer << ","; });
    printer << "]";
  }
  if (PointerAttributeAttr attribute = getAttribute())
    printer << ", " << attribute;
  printer << ">";
}
