// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HostCalls.h.

#include "tilewright/cpu/emit/HostCalls.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/runtime/Kernel.h"
#include "tilewright/tile/attributes/Places.h"
#include "tilewright/tile/text/FormatString.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::LogicalResult;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

/// The fields of a twText.
void HostCalls::addText(Fields &fields, llvm::StringRef text) {
  fields.push_back({0, globals.constantBytes("text", text, 1)});
  fields.push_back({int64_t(text.size()), {}});
}

/// Appends the rank and extents of a tile.
void HostCalls::addShape(Fields &fields, Value tile) {
  auto shape = llvm::cast<tile::TileType>(tile.getType()).getShape();
  Fields extents;
  for (int64_t extent : shape)
    extents.push_back({extent, {}});
  fields.push_back({int64_t(shape.size()), {}});
  fields.push_back({0, shape.empty() ? LLVM::GlobalOp() : globals.constantStruct(extents)});
}

//===-- print_tko -----------------------------------------------------------------------------===//

static bool isFloat(mlir::Type elementType) { return llvm::isa<mlir::FloatType>(elementType); }

/// Converts an element to 64 bits, as C promotes it for this conversion (runtime/Kernel.h).
static Value promoted(LoopBuilder &b, const Target &target, Value element, mlir::Type elementType,
                      char conversion) {
  if (isFloat(elementType)) {
    if (elementType.isF64())
      return element;
    Value single = widen(b, b.getLoc(), target, *tile::formatOf(elementType), element);
    return arith::ExtFOp::create(b, b.getF64Type(), single);
  }
  if (element.getType().isInteger(64))
    return element;
  bool isSigned = llvm::StringRef("dieEfFgGaA").contains(conversion) && !elementType.isInteger(1);
  mlir::Type word = b.getI64Type();
  return isSigned ? Value(arith::ExtSIOp::create(b, word, element))
                  : Value(arith::ExtUIOp::create(b, word, element));
}

void HostCalls::emit(tile::PrintOp op) {
  auto pieces = tile::scanFormat(op.getStr());
  Fields pieceFields;
  mlir::OperandRange arguments = op.getArgs();
  int64_t number = 0;
  for (const tile::FormatPiece &piece : *pieces) {
    addText(pieceFields, piece.text);
    if (!piece.isExpression) {
      pieceFields.append({{twPlainText, {}}, {0, {}}, {0, {}}});
      continue;
    }
    Value argument = arguments[number];
    auto type = llvm::cast<tile::TileType>(argument.getType());
    mlir::Type elementType = type.getElementType();
    pieceFields.push_back({isFloat(elementType) ? twDoubles : twIntegers, {}});
    addShape(pieceFields, argument);
    Value to = buffers.scratch(op, 1 + number); // after the array of pointers
    mlir::Type slot = isFloat(elementType) ? mlir::Type(b.getF64Type()) : b.getI64Type();
    b.forEach(type.getShape(), 1, [&](const Position &position) {
      Value value = promoted(b, target, evaluator.evaluate(argument, position), elementType,
                             piece.text.back());
      b.writeWords(to, slot, b.locate(type.getShape(), position).first, 1, value);
    });
    LLVM::StoreOp::create(b, to, buffers.scratch(op, 0, 8 * number++));
  }
  LLVM::GlobalOp format = globals.constantStruct(
      {{int64_t(pieces->size()), {}},
       {0, pieces->empty() ? LLVM::GlobalOp() : globals.constantStruct(pieceFields)}});
  Value site = LLVM::AddressOfOp::create(b, format);
  mlir::Type pointer = frame.launch.getType();
  Value pointers = number > 0 ? buffers.scratch(op) : frame.arena; // never read
  LLVM::CallOp::create(
      b, globals.hostFunction("tw_print", {pointer, pointer, b.getI64Type(), pointer}),
      mlir::ValueRange{frame.launch, site, frame.blockNumber, pointers});
}

//===-- assert --------------------------------------------------------------------------------===//

void HostCalls::emit(tile::AssertOp op) {
  Fields fields;
  addText(fields, op.getMessage());
  addText(fields, tile::locationText(op.getLoc()));
  addShape(fields, op.getCondition());
  LLVM::GlobalOp site = globals.constantStruct(fields);
  mlir::Type pointer = frame.launch.getType(), word = b.getI64Type();
  LLVM::LLVMFuncOp report =
      globals.hostFunction("tw_assert_failed", {pointer, pointer, word, word});
  auto shape = llvm::cast<tile::TileType>(op.getCondition().getType()).getShape();
  auto reportIf = [&](Value holds, Value element) {
    b.branch(
        holds, [] {},
        [&] {
          Value address = LLVM::AddressOfOp::create(b, site);
          LLVM::CallOp::create(b, report,
                               mlir::ValueRange{frame.launch, address, frame.blockNumber, element});
        });
  };
  evaluator.forEach(shape, [&](const Position &position) {
    Value condition = evaluator.evaluate(op.getCondition(), position);
    auto [first, stride] = b.locate(shape, position);
    if (position.width == 1)
      return reportIf(condition, first);
    Value all = mlir::vector::ReductionOp::create(b, mlir::vector::CombiningKind::AND, condition);
    b.branch(
        all, [] {},
        [&] {
          auto lanes = mlir::scf::ForOp::create(b, b.i64(0), b.i64(position.width), b.i64(1));
          mlir::OpBuilder::InsertionGuard guard(b);
          b.setInsertionPointToStart(lanes.getBody());
          Value lane = arith::IndexCastOp::create(b, b.getIndexType(), lanes.getInductionVar());
          Value holds = mlir::vector::ExtractOp::create(b, condition, mlir::OpFoldResult(lane));
          reportIf(holds, b.add(first, b.mul(lanes.getInductionVar(), b.i64(stride))));
        });
  });
}

void HostCalls::emitYield() {
  LLVM::CallOp::create(b, globals.hostFunction("tw_yield", {frame.launch.getType()}), frame.launch);
}
