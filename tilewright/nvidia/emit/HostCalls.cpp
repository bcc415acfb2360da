// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HostCalls.h.

#include "tilewright/nvidia/emit/HostCalls.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/attributes/Places.h"
#include "tilewright/tile/text/FormatString.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Calls ---------------------------------------------------------------------------------===//

/// A C string in global memory.
Value HostCalls::text(llvm::StringRef text) {
  LLVM::GlobalOp &global = texts[text];
  if (!global) {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(into.getBody());
    std::string bytes = (text + llvm::StringRef("\0", 1)).str();
    std::string name = b.symbols.next("tw_text");
    global = LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
                                    /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                    b.getStringAttr(bytes), /*alignment=*/1, GlobalSpace);
  }
  Value address = LLVM::AddressOfOp::create(b, global);
  return LLVM::AddrSpaceCastOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), address);
}

LLVM::LLVMFuncOp HostCalls::function(llvm::StringRef name, mlir::Type result,
                                     llvm::ArrayRef<mlir::Type> arguments) {
  if (auto declared = into.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return declared;
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  return LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(result, arguments));
}

/// The most values that `vprintf` takes besides the format (CUDA C++ Programming Guide, Formatted
/// Output).
static constexpr size_t mostValues = 32;

/// Calls `vprintf`. Values have 64 bits each; there are at most `mostValues`.
void HostCalls::print(llvm::StringRef format, mlir::ValueRange values) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value slots = b.localArray(b.getI64Type(), std::max<size_t>(1, values.size()));
  for (auto [number, value] : llvm::enumerate(values)) {
    Value slot = b.byteOffset(slots, b.i64(8 * number));
    LLVM::StoreOp::create(b, value, slot, 8);
  }
  LLVM::CallOp::create(b, function("vprintf", b.getI32Type(), {pointer, pointer}),
                       mlir::ValueRange{text(format), slots});
}

static std::string escaped(llvm::StringRef text) {
  std::string format;
  for (char c : text)
    format += c == '%' ? std::string("%%") : std::string(1, c);
  return format;
}

void HostCalls::printPlain(llvm::StringRef text) { print(escaped(text), {}); }

//===-- print_tko -----------------------------------------------------------------------------===//

/// The C conversion for a value of 64 bits; for a character, of its lower half.
static std::string conversionOf(const runtime::Specifier &specifier) {
  bool hasLength = llvm::StringRef("diuoxX").contains(specifier.conversion);
  return "%" + specifier.flags + (hasLength ? "ll" : "") + specifier.conversion;
}

/// Converts an element to 64 bits, as C promotes it for this conversion (operations, 6.3).
Value HostCalls::promoted(Value element, mlir::Type elementType,
                          const runtime::Specifier &specifier) {
  mlir::Type wide = b.getF64Type(), word = b.getI64Type();
  if (llvm::isa<mlir::FloatType>(elementType)) {
    Value value = element;
    if (!elementType.isF64())
      value = arith::ExtFOp::create(
          b, wide, widen(b, b.getLoc(), plan.target, *tile::formatOf(elementType), element));
    Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
    if (specifier.isFloat()) // `nan`, whatever its sign
      return b.select(isNan, mlir::math::AbsFOp::create(b, value), value);
    auto bound = [&](double limit) -> Value {
      return arith::ConstantOp::create(b, b.getF64FloatAttr(limit));
    };
    Value isIn = arith::AndIOp::create(
        b, arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, value, bound(-9.2e18)),
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, value, bound(9.2e18)));
    Value near = arith::FPToSIOp::create(b, word, b.select(isIn, value, bound(0)));
    return near;
  }
  bool isSigned = specifier.isSigned() && !elementType.isInteger(1);
  auto extended = [&](Value value, bool bySign) -> Value {
    if (value.getType() == word)
      return value;
    return bySign ? Value(arith::ExtSIOp::create(b, word, value))
                  : Value(arith::ExtUIOp::create(b, word, value));
  };
  Value bits = extended(element, isSigned);
  if (specifier.isFloat())
    return arith::SIToFPOp::create(b, wide, bits);
  if (specifier.isLong || specifier.conversion == 'p')
    return bits;
  // Without `ll`, only the low 32 bits are significant.
  return extended(b.createOrFold<arith::TruncIOp>(b.getI32Type(), bits), specifier.isSigned());
}

/// Prints a tile in one thread: before each element, its brackets and commas, then the element.
void HostCalls::printTile(Value tile, const runtime::Specifier &specifier, int64_t bytes) {
  auto type = llvm::cast<tile::TileType>(tile.getType());
  auto shape = type.getShape();
  TileLayout layout = tiles.layoutOf(tile);
  int64_t elements = layout.elements();
  int64_t size = std::min<int64_t>(
      elements, llvm::bit_floor(uint64_t(bytes / wordBytes(type.getElementType()))));
  Value isFirst = b.isEqual(tiles.thread, b.i32(0));
  auto element = [&](const Own &own) { return tiles.read(tile, own); };
  b.branch(isFirst, [&] { printPlain(std::string(shape.size(), '[')); });
  b.forEach(0, elements / size, [&](Value window) {
    Value base = shared.base();
    b.barrier();
    shared.writeWindow({layout, type.getElementType(), element}, base, window, size,
                       elements / size);
    b.barrier();
    b.branch(isFirst, [&] {
      b.forEach(0, size, [&](Value at) {
        Value index = b.add(b.times(window, size), at);
        auto bracket = [&](const char *text) {
          int64_t inner = shape.back();
          for (size_t dim = shape.size() - 1; dim > 0; inner *= shape[--dim])
            b.branch(b.isEqual(b.modulo(index, inner), b.i32(0)), [&] { printPlain(text); });
        };
        Value isLater = b.isBelow(b.i32(0), index);
        b.branch(isLater, [&] {
          bracket("]");
          printPlain(", ");
          bracket("[");
        });
        Value value = b.readWord(base, type.getElementType(), at);
        print(conversionOf(specifier), promoted(value, type.getElementType(), specifier));
      });
    });
  });
  b.branch(isFirst, [&] { printPlain(std::string(shape.size(), ']')); });
}

void HostCalls::emit(tile::PrintOp op) {
  auto pieces = tile::scanFormat(op.getStr());
  Value isFirst = b.isEqual(tiles.thread, b.i32(0));
  mlir::OperandRange arguments = op.getArgs();
  size_t number = 0;
  std::string format; // the format of values that are not printed yet
  SmallVector<Value> values;
  auto flush = [&] {
    if (!format.empty())
      b.branch(isFirst, [&] { print(format, values); });
    format.clear();
    values.clear();
  };
  for (const tile::FormatPiece &piece : *pieces) {
    if (!piece.isExpression) {
      format += escaped(piece.text);
      continue;
    }
    Value argument = arguments[number++];
    runtime::Specifier specifier = runtime::parseSpecifier(piece.text);
    if (specifier.isRefused) {
      format += escaped(piece.text);
      continue;
    }
    if (isScalar(argument)) {
      if (values.size() == mostValues)
        flush();
      mlir::Type elementType = llvm::cast<tile::TileType>(argument.getType()).getElementType();
      format += conversionOf(specifier);
      values.push_back(promoted(tiles.scalar(argument), elementType, specifier));
      continue;
    }
    flush();
    printTile(argument, specifier, plan.exchangeOf(op)->bytes);
  }
  flush();
}

//===-- assert --------------------------------------------------------------------------------===//

void HostCalls::emit(tile::AssertOp op) {
  mlir::Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  std::optional<tile::SourcePosition> place = tile::sourcePosition(op.getLoc());
  std::string file = place ? place->file.str() : tile::locationText(op.getLoc());
  TileLayout layout = tiles.layoutOf(op.getCondition());
  Value isOwner = tiles.isOwner(layout);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value fails = arith::XOrIOp::create(b, tiles.read(op.getCondition(), own),
                                        b.constantBits(b.getI1Type(), 1));
    b.branch(b.conjunction(isOwner, fails), [&] {
      auto report = function("__assertfail", LLVM::LLVMVoidType::get(b.getContext()),
                             {pointer, pointer, b.getI32Type(), pointer, b.getI64Type()});
      Value line = b.i32(place ? place->line : 0);
      LLVM::CallOp::create(b, report,
                           mlir::ValueRange{text(op.getMessage()), text(file), line,
                                            text(tile::EntryOp(plan.entry).getSymName()),
                                            b.i64(1)});
    });
  });
}
