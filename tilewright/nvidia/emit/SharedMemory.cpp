// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SharedMemory.h.

#include "tilewright/nvidia/emit/SharedMemory.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/bit.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;
namespace LLVM = mlir::LLVM;

void SharedMemory::declare(mlir::ModuleOp into, const Reserved &size) {
  memory = {};
  if (!size.bytes)
    return;
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(into.getBody());
  std::string name = "tw_shared" + std::to_string(llvm::range_size(into.getOps<LLVM::GlobalOp>()));
  memory = LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), size.bytes),
                                  /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                  mlir::Attribute(), size.alignment, SharedSpace);
  b.createBlock(&memory.getInitializer());
  Value nothing = LLVM::UndefOp::create(b, memory.getType());
  LLVM::ReturnOp::create(b, nothing);
}

Value SharedMemory::base() { return LLVM::AddressOfOp::create(b, memory); }

/// There are 32 banks, each of the words of 4 bytes whose numbers agree in 5 bits. To these, all
/// groups of 5 higher bits are added without carry. Lanes that differ in successive bits of the
/// number, of which no two are the same ones of a group, have different banks; so it is in all
/// layouts but those of fragments. Wide elements take two banks, and are accessed by half a warp at
/// a time; of narrow ones, several share a word.
Value SharedMemory::spread(Value number, mlir::Type elementType, int64_t size) {
  int64_t bytes = elementwise::wordBytes(elementType);
  int64_t banks = bytes == 8 ? 16 : 32, together = std::max<int64_t>(1, 4 / bytes);
  Value bank = b.i32(0);
  for (int64_t above = together * banks; above < size; above *= banks)
    bank = b.createOrFold<mlir::arith::XOrIOp>(bank, b.dividedBy(number, above));
  if (size <= together * banks)
    return number;
  bank = b.times(b.modulo(bank, banks), together);
  return b.createOrFold<mlir::arith::XOrIOp>(number, bank);
}

/// Of the numbers of elements, the upper bits are that of the window.
void SharedMemory::writeWindow(const Given &given, Value at, Value window, int64_t size,
                               int64_t windows, bool isSpread) {
  b.branch(tiles.isOwner(given.layout), [&] {
    tiles.forEachOwn(given.layout, [&](const Own &own) {
      Value number = given.numberOf ? given.numberOf(own) : own.index;
      Value isThere = windows == 1 ? Value() : b.isEqual(b.dividedBy(number, size), window);
      Value place = b.modulo(number, size);
      if (isSpread)
        place = spread(place, given.elementType, size);
      b.branch(isThere, [&] { b.writeWord(at, given.elementType, place, given.element(own)); });
    });
  });
}

void SharedMemory::exchange(const Given &given, llvm::ArrayRef<Wanted> wanted, int64_t bytes) {
  int64_t elements = given.layout.elements();
  int64_t size = std::min<int64_t>(
      elements, llvm::bit_floor(uint64_t(bytes / elementwise::wordBytes(given.elementType))));
  int64_t windows = elements / size;
  b.forEach(0, windows, [&](Value window) {
    Value at = base();
    b.barrier();
    writeWindow(given, at, window, size, windows, /*isSpread=*/true);
    b.barrier();
    for (const Wanted &want : wanted)
      tiles.forEachOwn(want.layout, [&](const Own &own) {
        Value number = want.number(own);
        Value isThere = windows == 1 ? Value() : b.isEqual(b.dividedBy(number, size), window);
        if (want.condition)
          isThere = b.conjunction(isThere, want.condition(own));
        b.branch(isThere, [&] {
          Value place = spread(b.modulo(number, size), given.elementType, size);
          want.receive(own, b.readWord(at, given.elementType, place));
        });
      });
  });
}

void SharedMemory::gather(Value source, llvm::ArrayRef<Wanted> wanted, int64_t bytes) {
  auto type = llvm::cast<tile::TileType>(source.getType());
  TileLayout layout = tiles.layoutOf(source);
  bool isAtHand = layout.elements() == 1 || layout.isPrivate() || isRecomputed(source);
  if (!isAtHand)
    return exchange(
        {layout, type.getElementType(), [&](const Own &own) { return tiles.read(source, own); }},
        wanted, bytes);
  // Every thread has the only element, or all, or computes them.
  for (const Wanted &want : wanted)
    tiles.forEachOwn(want.layout, [&](const Own &own) {
      Value number = layout.elements() > 1 ? want.number(own) : b.i32(0);
      b.branch(want.condition ? want.condition(own) : Value(),
               [&] { want.receive(own, tiles.read(source, {number, number})); });
    });
}

void SharedMemory::share(Value tile, int64_t bytes) {
  auto type = llvm::cast<tile::TileType>(tile.getType());
  TileLayout layout = tiles.layoutOf(tile);
  auto element = [&](const Own &own) { return tiles.read(tile, own); };
  auto number = [](const Own &own) { return own.index; };
  auto receive = [&](const Own &own, Value value) { tiles.write(tile, own, value); };
  exchange({layout, type.getElementType(), element}, {{layout, number, receive}}, bytes);
}
