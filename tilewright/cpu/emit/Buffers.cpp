// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Buffers.h.

#include "tilewright/cpu/emit/Buffers.h"
#include "tilewright/cpu/plan/Arena.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using mlir::Value;
namespace LLVM = mlir::LLVM;

Value Buffers::arenaAddress(int64_t offset) { return b.byteAddress(frame.arena, b.i64(offset)); }

Value Buffers::scratch(mlir::Operation *op, unsigned part, int64_t bytes) {
  return arenaAddress(arena.scratchOffset(op, part) + bytes);
}

Value Buffers::slots(mlir::Operation *product, unsigned operand) {
  return arenaAddress(arena.slotsOffset(product, operand));
}

Value Buffers::slotHeaders(mlir::Operation *product, unsigned operand) {
  return arenaAddress(arena.headersOffset(product, operand));
}

void Buffers::clearSlotHeaders() {
  const Buffer &headers = arena.allHeaders();
  LLVM::MemsetOp::create(b, arenaAddress(headers.offset), b.constantBits(b.getI8Type(), 0),
                         b.i64(headers.bytes), /*isVolatile=*/false);
}

bool Buffers::hasScratch(mlir::Operation *op) const { return arena.hasScratch(op); }

bool Buffers::areShared(Value a, Value b) const { return arena.shareBuffer(a, b); }

Value Buffers::addressOf(Value tile) { return arenaAddress(arena.offsetOf(tile)); }

Value Buffers::memoryOf(Value tile) {
  tile = placements.reshapedFrom(tile);
  return placements.of(tile) == Placement::Constant
             ? constantAddress(tile.getDefiningOp<tile::ConstantOp>())
             : addressOf(tile);
}

Value Buffers::read(Value tile, const Position &position) {
  tile::TileType type = tileTypeOf(tile);
  assert(placements.of(tile) != Placement::InLoop &&
         "known where it is computed, and read nowhere else");
  if (std::optional<unsigned> rowDim = placements.rowOnly(tile))
    return b.readWords(addressOf(tile), type.getElementType(), position.at[*rowDim], 1,
                       position.width);
  auto [linear, stride] = b.locate(type.getShape(), position);
  return b.readWords(memoryOf(tile), type.getElementType(), linear, stride, position.width);
}

void Buffers::write(Value base, tile::TileType type, const Position &position, Value value) {
  auto [linear, stride] = b.locate(type.getShape(), position);
  b.writeWords(base, type.getElementType(), linear, stride, value);
}

void Buffers::writeTile(Value tile, Position position, Value value) {
  while (tile::CatOp cat = catOf(tile)) {
    if (tile == cat.getRhs())
      position.at[cat.getDim()] =
          b.add(position.at[cat.getDim()], b.i64(cat.getLhs().getType().getShape()[cat.getDim()]));
    tile = cat.getResult();
  }
  write(addressOf(tile), tileTypeOf(tile), position, value);
}

//===-- Constants -----------------------------------------------------------------------------===//

Value Buffers::constantAddress(tile::ConstantOp op) {
  LLVM::GlobalOp &global = constants[op];
  if (!global)
    global = globals.constantBytes("constant", wordsOf(op), arenaAlignment);
  return LLVM::AddressOfOp::create(b, global);
}
