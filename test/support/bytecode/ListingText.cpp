// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ListingText.h. The notation is that of test/bytecode/vectors/README.md.

#include "test/support/bytecode/ListingText.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bytecode;
using namespace tilewright::tile;

static std::string inQuotes(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : c == '\'' ? "\\'" : std::string(1, c);
  return result + "'";
}

StringRef bytecode::spellingOf(StringRef enumName, uint32_t value) {
  for (const MemberRow &row : allEnumMembers())
    if (row.enumName == enumName && row.value == value)
      return row.spelling;
  return "no member";
}

//===-- Types -------------------------------------------------------------------------------===//

static std::string sizeText(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

static std::string shapeText(ArrayRef<int64_t> shape) {
  return joinMapped(shape, "", [](int64_t extent) { return sizeText(extent) + "x"; });
}

template <typename T> static std::string listText(ArrayRef<T> numbers) {
  return "[" + joinMapped(numbers, ", ", [](T number) { return std::to_string(number); }) + "]";
}

static std::string paddingText(PaddingValueAttr padding) {
  StringRef value =
      padding ? spellingOf("PaddingValue", static_cast<uint32_t>(padding.getValue())) : "none";
  return ", pad=" + value.str() + ">";
}

static std::string attributeText(PointerAttributeAttr attribute) {
  return attribute ? ", " + spellingOf("PointerAttribute", uint32_t(attribute.getValue())).str()
                   : "";
}

std::string bytecode::typeText(Type type) {
  return llvm::TypeSwitch<Type, std::string>(type)
      .Case([](TokenType) { return "token"; })
      .Case([](F8E5M3FNUType) { return "f8E5M3FNU"; })
      .Case([](PointerType pointer) {
        return "ptr<" + typeText(pointer.getPointeeType()) + attributeText(pointer.getAttribute()) +
               ">";
      })
      .Case([](TileType tile) {
        return "tile<" + shapeText(tile.getShape()) + typeText(tile.getElementType()) + ">";
      })
      .Case([](TensorViewType view) {
        return "tensor_view<" + shapeText(view.getShape()) + typeText(view.getElementType()) +
               ", strides=[" + joinMapped(view.getStrides(), ",", sizeText) + "]" +
               attributeText(view.getAttribute()) + ">";
      })
      .Case([](PartitionViewType view) {
        return "partition_view<tile=" + listText(view.getTileShape()) + ", " +
               typeText(view.getTensorView()) + ", dim_map=" + listText(view.getDimMap()) +
               paddingText(view.getPaddingValue());
      })
      .Case([](StridedViewType view) {
        return "strided_view<tile=" + listText(view.getTileShape()) +
               ", step=" + listText(view.getTraversalStrides()) + ", " +
               typeText(view.getTensorView()) + ", dim_map=" + listText(view.getDimMap()) +
               paddingText(view.getPaddingValue());
      })
      .Case([](GatherScatterViewType view) {
        return "gather_scatter_view<tile=" + listText(view.getTileShape()) + ", " +
               typeText(view.getTensorView()) +
               ", sparse_dim=" + std::to_string(view.getSparseDim()) +
               paddingText(view.getPaddingValue());
      })
      .Default([](Type element) {
        std::string text;
        llvm::raw_string_ostream(text) << element;
        return text;
      });
}

//===-- Numbers -----------------------------------------------------------------------------===//

static std::string hexText(const APInt &bits, unsigned digits) {
  SmallString<20> text;
  bits.toString(text, 16, /*Signed=*/false, /*formatAsCLiteral=*/false, /*UpperCase=*/false);
  std::string padding(digits > text.size() ? digits - text.size() : 0, '0');
  return "0x" + padding + text.str().str();
}

/// Formats below 16 bits as bits, others with the fewest digits that identify the number.
static std::string floatText(APFloat value) {
  if (APFloat::getSizeInBits(value.getSemantics()) < 16)
    return "bits " + hexText(value.bitcastToAPInt(), 1);
  bool inexact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  char digits[32];
  std::to_chars_result end = std::to_chars(digits, std::end(digits), value.convertToDouble());
  std::string text(digits, end.ptr);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

static std::string integerText(const APInt &value) {
  bool isBool = value.getBitWidth() == 1;
  return llvm::toString(value, 10, /*Signed=*/!isBool);
}

std::string bytecode::elementsText(DenseElementsAttr elements) {
  Type type = elements.getElementType();
  SmallVector<std::string> texts;
  if (isa<FloatType>(type))
    texts = llvm::map_to_vector(elements.getValues<APFloat>(), floatText);
  else
    texts = llvm::map_to_vector(elements.getValues<APInt>(), integerText);
  if (elements.isSplat() && type.isInteger(1))
    return texts[0] == "1" ? "splat true" : "splat false";
  if (elements.isSplat())
    return texts.size() == 1 ? texts[0] : "splat " + texts[0];
  return "[" + llvm::join(texts, ", ") + "]";
}

//===-- Attributes --------------------------------------------------------------------------===//

static std::string taggedText(Attribute attr);

static std::string dictionaryText(DictionaryAttr dictionary) {
  return "{" +
         joinMapped(dictionary, ", ",
                    [](NamedAttribute entry) {
                      return inQuotes(entry.getName()) + ": " + taggedText(entry.getValue());
                    }) +
         "}";
}

static std::string arrayText(ArrayAttr array) {
  return "[" + joinMapped(array, ", ", taggedText) + "]";
}

static std::string optionalText(std::optional<int64_t> number) {
  return number ? std::to_string(*number) : "None";
}

/// An attribute with a tag that states its kind (bytecode format, 10.2).
static std::string taggedText(Attribute attr) {
  return llvm::TypeSwitch<Attribute, std::string>(attr)
      .Case([](BoolAttr value) {
        return "('Bool', " + std::string(value.getValue() ? "True" : "False") + ")";
      })
      .Case([](IntegerAttr value) {
        return "('Integer', " + inQuotes(typeText(value.getType())) + ", " +
               integerText(value.getValue()) + ")";
      })
      .Case([](FloatAttr value) {
        unsigned digits = (APFloat::getSizeInBits(value.getValue().getSemantics()) + 3) / 4;
        return "('Float', " + inQuotes(typeText(value.getType())) + ", " +
               inQuotes(hexText(value.getValue().bitcastToAPInt(), digits)) + ")";
      })
      .Case([](StringAttr value) { return "('String', " + inQuotes(value) + ")"; })
      .Case([](TypeAttr value) { return "('Type', " + inQuotes(typeText(value.getValue())) + ")"; })
      .Case([](ArrayAttr value) { return "('Array', " + arrayText(value) + ")"; })
      .Case([](DictionaryAttr value) { return "('Dictionary', " + dictionaryText(value) + ")"; })
      .Case([](DivByAttr value) {
        return "('DivBy', " + std::to_string(value.getDivisor()) + ", " +
               optionalText(value.getEvery()) + ", " + optionalText(value.getAlong()) + ")";
      })
      .Case([](SameElementsAttr value) {
        return "('SameElements', " + listText(value.getValues()) + ")";
      })
      .Case([](BoundedAttr value) {
        return "('Bounded', " + optionalText(value.getLb()) + ", " + optionalText(value.getUb()) +
               ")";
      })
      .Default([](Attribute) { return "an attribute that bytecode does not have"; });
}

static uint32_t enumValueOf(Attribute attr) {
  return llvm::TypeSwitch<Attribute, uint32_t>(attr)
      .Case<SignednessAttr, IntegerOverflowAttr, RoundingModeAttr, ComparisonPredicateAttr,
            ComparisonOrderingAttr, MultimemReductionKindAttr, SymbolVisibilityAttr>(
          [](auto member) { return static_cast<uint32_t>(member.getValue()); })
      .Default([](Attribute plain) { return cast<IntegerAttr>(plain).getInt(); });
}

std::string bytecode::inlineText(Attribute attr, const FieldRow &field) {
  switch (field.attributeKind) {
  case AttributeKind::Enum:
    return spellingOf(field.enumName, enumValueOf(attr)).str();
  case AttributeKind::Int32:
  case AttributeKind::Int64:
    return integerText(cast<IntegerAttr>(attr).getValue());
  case AttributeKind::Bool:
    return cast<BoolAttr>(attr).getValue() ? "True" : "False";
  case AttributeKind::String:
    return inQuotes(cast<StringAttr>(attr));
  case AttributeKind::Symbol:
    return inQuotes(cast<FlatSymbolRefAttr>(attr).getValue());
  case AttributeKind::Constant:
    return elementsText(cast<DenseElementsAttr>(attr));
  case AttributeKind::Int32Array:
    return listText(cast<DenseI32ArrayAttr>(attr).asArrayRef());
  case AttributeKind::BoolArray:
    return listText(cast<DenseBoolArrayAttr>(attr).asArrayRef());
  case AttributeKind::Array:
    return arrayText(cast<ArrayAttr>(attr));
  case AttributeKind::Hints:
    return hintsText(cast<OptimizationHintsAttr>(attr));
  case AttributeKind::Predicate:
    return taggedText(attr);
  case AttributeKind::None:
  case AttributeKind::Unit:
  case AttributeKind::Type:
    break;
  }
  llvm_unreachable("not an attribute that an operation of a body holds");
}

std::string bytecode::hintsText(OptimizationHintsAttr hints) {
  return dictionaryText(hints.getValue());
}

//===-- Locations ---------------------------------------------------------------------------===//

static std::string fileText(DIFileAttr file) {
  return "file(" + file.getName().str() + "," + file.getDirectory().str() + ")";
}

static std::string scopeText(Attribute scope) {
  if (auto block = dyn_cast<DILexicalBlockAttr>(scope))
    return llvm::formatv("block({0},{1},{2}:{3})", scopeText(block.getScope()),
                         fileText(block.getFile()), block.getLine(), block.getColumn());
  auto sub = cast<DISubprogramAttr>(scope);
  return llvm::formatv("sub({0},line {1},{2},{3},cu({4}),scope_line {5})", fileText(sub.getFile()),
                       sub.getLine(), sub.getName().getValue(), sub.getLinkageName().getValue(),
                       fileText(sub.getCompileUnit().getFile()), sub.getScopeLine());
}

static std::string locationText(Location location) {
  return llvm::TypeSwitch<LocationAttr, std::string>(location)
      .Case([](DILocAttr loc) {
        FileLineColLoc at = loc.getSourceLoc();
        return llvm::formatv("loc({0},{1}:{2}:{3})", scopeText(loc.getScope()),
                             at.getFilename().getValue(), at.getLine(), at.getColumn())
            .str();
      })
      .Case([](CallSiteLoc call) {
        return "call(" + locationText(call.getCallee()) + " at " + locationText(call.getCaller()) +
               ")";
      })
      .Case([](UnknownLoc) { return "unknown"; })
      .Default([](LocationAttr) { return "a location that bytecode does not have"; });
}

std::string bytecode::locationSuffix(Location location) {
  return isa<UnknownLoc>(location) ? "" : "  @" + locationText(location);
}
