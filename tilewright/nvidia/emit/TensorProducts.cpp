// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TensorProducts.h.

#include "tilewright/nvidia/emit/TensorProducts.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/nvidia/plan/TensorScales.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

/// Lanes are in the upper half of an address in tensor memory, columns in the lower one.
static constexpr int64_t laneStep = int64_t(1) << 16;

static const char *fenceBefore = "tcgen05.fence::before_thread_sync;";
static const char *fenceAfter = "tcgen05.fence::after_thread_sync;";

//===-- Allocation ----------------------------------------------------------------------------===//

/// Emits code for the warp of the multiplier, the last one of the CTA.
static void inMultiplier(ThreadBuilder &b, const Plan &plan, Value thread,
                         llvm::function_ref<void()> body) {
  const int64_t first = plan.launchedThreads() - multiplierThreads;
  b.branch(b.isBelow(b.i32(first - 1), thread), body);
}

/// Other CTAs on the multiprocessor may allocate the other columns at once.
void TensorProducts::allocate(ThreadBuilder &b, const Plan &plan, SharedMemory &shared,
                              Value thread) {
  inMultiplier(b, plan, thread, [&] {
    Value place = b.byteOffset(shared.base(), b.i32(plan.tensor.address));
    b.instruction(
        formatv("tcgen05.alloc.{0}.sync.aligned.shared::cta.b32 [$0], $1;", ctaGroupOf(plan)).str(),
        {LLVM::PtrToIntOp::create(b, b.getI32Type(), place), b.i32(plan.tensor.columns)}, "r,r");
    b.instruction(
        formatv("tcgen05.relinquish_alloc_permit.{0}.sync.aligned;", ctaGroupOf(plan)).str());
  });
}

static Value baseOf(ThreadBuilder &b, const Plan &plan, SharedMemory &shared) {
  Value place = b.byteOffset(shared.base(), b.i32(plan.tensor.address));
  return b.readWord(place, b.getI32Type(), b.i32(0));
}

void TensorProducts::free(ThreadBuilder &b, const Plan &plan, SharedMemory &shared, Value thread) {
  inMultiplier(b, plan, thread, [&] {
    b.instruction(formatv("tcgen05.dealloc.{0}.sync.aligned.b32 $0, $1;", ctaGroupOf(plan)).str(),
                  {baseOf(b, plan, shared), b.i32(plan.tensor.columns)}, "r,r");
  });
}

//===-- Handing over --------------------------------------------------------------------------===//

/// All warps of the consumers arrive when the columns may be written, or have the initial
/// accumulators; a commit arrives when the products are complete.
void TensorProducts::initialize(const Plan &plan, Mbarriers &barriers) {
  for (const auto &[product, sums] : plan.tensor.products) {
    barriers.initialize(sums.ready, plan.threads / 32);
    barriers.initialize(sums.done, 1);
  }
}

/// If accumulators are held and begin with zeros, the columns may be written at first: the
/// multiplier waits for the phase before the first one, which counts as complete.
void TensorProducts::begin() {
  if (!plan.tensor.isUsed() || role == Role::Producer)
    return;
  base = baseOf(b, plan, shared);
  for (const auto &[product, sums] : plan.tensor.products) {
    State &state =
        states[product] = {b.localArray(b.getI32Type(), 1), b.localArray(b.getI32Type(), 1)};
    const bool isReadyAtFirst = sums.isHeld && sums.beginWithZeros();
    writeState(b, state.parity, 0, b.i32(role == Role::Multiplier && isReadyAtFirst ? 1 : 0));
  }
}

/// Calls `body` for the products of the loop. If this begins with zeros and does not run, nothing
/// is handed over; initial accumulators always are, so that they are not live during the loop.
void TensorProducts::forEach(
    tile::ForOp loop, Value runs,
    llvm::function_ref<void(mlir::Operation *, const TensorAccumulators &)> body) {
  if (role == Role::Producer)
    return;
  for (const auto &entry : plan.tensor.products)
    if (entry.second.loop == loop && entry.second.isHeld)
      b.branch(entry.second.beginWithZeros() ? runs : Value(),
               [&] { body(entry.first, entry.second); });
}

void TensorProducts::waitFor(int64_t barrier, State &state) {
  Value parity = readState(b, state.parity);
  Value address = barriers.addressAt(barrier);
  if (role == Role::Multiplier) // Consumers arrive at *ready*, of a pair those of both CTAs.
    barriers.waitForCluster(address, parity);
  else
    barriers.wait(address, parity);
  writeState(b, state.parity, 0, b.createOrFold<arith::XOrIOp>(parity, b.i32(1)));
}

/// Behind accesses of all lanes.
void TensorProducts::makeReady(const TensorAccumulators &sums) {
  b.instruction(fenceBefore);
  b.instruction("bar.warp.sync -1;");
  Value ready = barriers.addressAt(sums.ready);
  if (plan.isPair())
    barriers.arriveInFirstCta(ready);
  else
    barriers.arriveOnce(ready);
}

void TensorProducts::enter(tile::ForOp loop, Value runs) {
  forEach(loop, runs, [&](mlir::Operation *product, const TensorAccumulators &sums) {
    if (role == Role::Multiplier) {
      State &state = states[product];
      waitFor(sums.ready, state);
      writeState(b, state.adds, 0, b.i32(sums.beginWithZeros() ? 0 : 1));
    } else if (!sums.beginWithZeros()) {
      store(product, sums);
      makeReady(sums);
    }
  });
}

void TensorProducts::commit(const TensorAccumulators &sums) {
  barriers.arriveByCommit(barriers.addressAt(sums.done));
}

void TensorProducts::receive(mlir::Operation *product, const TensorAccumulators &sums) {
  waitFor(sums.done, states[product]);
  b.instruction(fenceAfter);
  load(product, sums);
}

void TensorProducts::emit(tile::MatmulOpInterface op) {
  const TensorAccumulators &sums = *plan.tensor.find(op);
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op.getOperation()))
    scales.write(scaled);
  if (sums.isHeld)
    return; // the multiplier computes it
  operands.give(op);
  if (plan.staged.find(op)->second.lhs.way == StagedOperand::InTensorMemory)
    storeLhs(op, sums);
  if (!sums.beginWithZeros()) {
    tiles.copy(op.getAcc(), sums.loaded());
    store(op, sums);
  }
  makeReady(sums);
  receive(op, sums);
}

void TensorProducts::leave(tile::ForOp loop, Value runs) {
  forEach(loop, runs, [&](mlir::Operation *product, const TensorAccumulators &sums) {
    if (role == Role::Multiplier) {
      commit(sums);
      return;
    }
    receive(product, sums);
    if (sums.beginWithZeros())
      makeReady(sums);
  });
}

//===-- Products ------------------------------------------------------------------------------===//

/// It has the fields of a descriptor for `wgmma`, and a version.
Value TensorProducts::descriptorOf(const Matrix &matrix) {
  constexpr uint64_t version = uint64_t(1) << 46;
  return b.matrixDescriptor(matrix.base, matrix.image.descriptor(matrix.isAlongK) | version);
}

/// From this row of lhs or column of rhs, and this step along k, on.
static Value descriptorFrom(ThreadBuilder &b, Value descriptor, const Matrix &matrix, int64_t line,
                            int64_t step, const MatrixProduct &product) {
  const int64_t offset = matrix.isAlongK ? matrix.image.offsetOf(line, product.bytesOfRun(step))
                                         : matrix.image.offsetOf(step, product.bytesOfRun(line));
  return b.add(descriptor, b.i64(offset / SharedImage::pieceBytes));
}

/// The same for lhs, which may be in tensor memory, instead of a descriptor its address.
static Value lhsFrom(ThreadBuilder &b, Value start, const std::optional<Matrix> &lhs, int64_t row,
                     int64_t step, const MatrixProduct &product) {
  if (lhs)
    return descriptorFrom(b, start, *lhs, row, step, product);
  const int64_t block = row / product.form.rows;
  return b.add(start, b.i32(block * product.wordsOfLhs().n + product.bytesOfRun(step) / 4));
}

/// The instruction descriptor (PTX ISA, 9.7.16.4.2).
static int64_t instructionOf(const MatrixProduct &product, const Staging &staging) {
  return int64_t(product.form.typeBits) | int64_t(!staging.isLhsAlongK) << 15 |
         int64_t(!staging.isRhsAlongK) << 16 | product.columnsOfOne() / 8 << 17 |
         product.rowsOfOne() / 16 << 24;
}

void TensorProducts::multiply(Value columns, Value lhs, Value rhs, Value descriptor, Value adds,
                              llvm::StringRef kind, const Scales &scales) {
  const bool isInColumns = lhs.getType().isInteger(32); // not a descriptor
  std::string text = formatv("{{ .reg .pred p; setp.ne.b32 p, $4, 0; "
                             "tcgen05.mma.{2}.kind::{0} [$0], {3}, $2, $3, {1}p; }",
                             kind, scales.lhs ? "[$5], [$6], " : "", ctaGroupOf(plan),
                             isInColumns ? "[$1]" : "$1");
  const std::string address = isInColumns ? "r" : "l";
  SmallVector<Value> operands = {columns, lhs, rhs, descriptor, adds};
  if (scales.lhs)
    operands.append({scales.lhs, scales.rhs});
  b.instruction(text, operands, "r," + address + (scales.lhs ? ",l,r,r,r,r" : ",l,r,r"));
}

/// The scales for the block along k at `step`, from this row of lhs and this column of rhs on.
TensorProducts::Scales TensorProducts::scalesAt(const MatrixProduct &product,
                                                const TensorAccumulators &sums, int64_t row,
                                                int64_t column, int64_t step) {
  if (!product.isScaled())
    return {};
  const TensorScales places(product);
  const int64_t block = step / product.scaledBlock, word = block / TensorScales::blocksOfWord;
  const int64_t byte = block % TensorScales::blocksOfWord;
  auto address = [&](bool isLhs, int64_t line) {
    return b.add(base, b.i32(sums.column + places.columnOf(isLhs, word, line)));
  };
  return {address(true, row), address(false, column), byte << 29 | byte << 4};
}

/// The fence is behind the waits for columns and for operands.
void TensorProducts::multiply(tile::MatmulOpInterface op) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  const TensorAccumulators &sums = *plan.tensor.find(op);
  if (!sums.isHeld) {
    waitFor(sums.ready, states[op]);
    writeState(b, states[op].adds, 0, b.i32(sums.beginWithZeros() ? 0 : 1));
  }
  auto [lhs, rhs] = operands.take(op);
  b.instruction(fenceAfter);
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op.getOperation()))
    scales.copy(scaled, b.add(base, b.i32(sums.column)));
  Value ofLhs = lhs ? descriptorOf(*lhs) : b.add(base, b.i32(sums.lhsColumn));
  Value ofRhs = descriptorOf(rhs);
  const int64_t instruction = instructionOf(product, plan.staged.find(op)->second);
  Value adds = readState(b, states[op].adds);
  for (int64_t step = 0; step < product.k; step += product.steps()) {
    for (int64_t row = 0; row < product.rowsOfCta(); row += product.form.rows)
      for (int64_t column = 0; column < product.n; column += product.columnsOfOne()) {
        const int64_t first = sums.column + row / product.form.rows * product.n + column;
        const Scales scales = scalesAt(product, sums, row, column, step);
        multiply(b.add(base, b.i32(first)), lhsFrom(b, ofLhs, lhs, row, step, product),
                 descriptorFrom(b, ofRhs, rhs, column, step, product),
                 b.i32(instruction | scales.numbers), adds, product.form.name, scales);
      }
    adds = b.i32(1);
  }
  writeState(b, states[op].adds, 0, adds);
  operands.release(op);
  if (!sums.isHeld)
    commit(sums);
}

//===-- Loads and stores ----------------------------------------------------------------------===//

/// `{$first, $second, ...}`
static std::string registers(int64_t first, int64_t count) {
  std::string text;
  for (int64_t at = first; at < first + count; ++at)
    text += (text.empty() ? "{$" : ", $") + std::to_string(at);
  return text + "}";
}

/// The address of the warp's accumulators, which are in its quarter of the lanes: of 128 rows, each
/// lane has one; 64 rows are in the first 16 lanes of each quarter.
Value TensorProducts::addressOf(const MatrixProduct &product, int64_t first) {
  Value warp = b.dividedBy(tiles.thread, 32), group = b.dividedBy(warp, 4);
  Value alongM =
      b.modulo(b.dividedBy(group, product.warpsAlongN), product.warpsAlongM / product.ctas);
  Value alongN = b.modulo(group, product.warpsAlongN);
  Value column = b.add(b.times(alongM, product.fragmentsAlongM() * product.n),
                       b.times(alongN, product.n / product.warpsAlongN));
  Value lane = b.times(b.modulo(warp, 4), 32 * laneStep);
  return b.add(b.add(base, b.i32(first)), b.add(column, lane));
}

/// All accumulators of a thread, in the order of slots: for each block of rows, or, if they are in
/// local memory, for fewer columns at a time.
SmallVector<TensorProducts::Move, 4> TensorProducts::movesOf(const MatrixProduct &product) {
  constexpr int64_t mostAtOnce = 64;
  const TileLayout layout = product.layout(plan.threads);
  const int64_t ofBlock = layout.slots() / product.fragmentsAlongM();
  const int64_t slots = layout.isInRegisters() ? ofBlock : std::min(ofBlock, mostAtOnce);
  // In 16 lanes, a thread has half of the rows of each column.
  const int64_t columnsOfSlot = product.form.rows == 128 ? 1 : 2;
  SmallVector<Move, 4> moves;
  for (int64_t slot = 0; slot < layout.slots(); slot += slots)
    moves.push_back({slot, slots, slot / ofBlock * product.n + slot % ofBlock * columnsOfSlot});
  return moves;
}

namespace {
/// A shape of `tcgen05.ld` and `.st`, with the registers of its smallest form.
struct MoveShape {
  const char *name;
  int64_t registers;
};
} // namespace

/// That of words which have one element each, or several.
static MoveShape shapeOf(const MatrixProduct &product, bool isPacked = false) {
  if (product.form.rows == 128)
    return {"32x32b", 1};
  return isPacked ? MoveShape{"16x128b", 2} : MoveShape{"16x256b", 4};
}

/// The instructions (`ld` or `st`) of some moves, and a wait for all so far. Operands are the
/// registers, then the address.
static std::string textOf(const MoveShape &shape, llvm::StringRef name,
                          llvm::ArrayRef<TensorProducts::Move> moves, bool waits = true) {
  const bool isLoad = name == "ld";
  const int64_t first = moves.front().slot, end = moves.back().slot + moves.back().slots;
  std::string text;
  for (const TensorProducts::Move &move : moves) {
    const std::string address = formatv("[${0}+{1}]", end - first, move.column);
    const std::string values = registers(move.slot - first, move.slots);
    text +=
        formatv("tcgen05.{0}.sync.aligned.{1}.x{2}.b32 {3}, {4}; ", name, shape.name,
                move.slots / shape.registers, isLoad ? values : address, isLoad ? address : values);
  }
  return waits ? text + formatv("tcgen05.wait::{0}.sync.aligned;", name).str() : text;
}

/// Calls `body` for the moves that are one statement: all of them if the accumulators are in
/// registers. Nothing reads loaded registers before the wait in it.
void TensorProducts::forEachStatement(const MatrixProduct &product,
                                      llvm::function_ref<void(llvm::ArrayRef<Move>)> body) {
  const SmallVector<Move, 4> moves = movesOf(product);
  if (product.layout(plan.threads).isInRegisters())
    return body(moves);
  for (const Move &move : moves)
    body(move);
}

/// `count` constraints of the operands of a statement.
static std::string constraintsOf(const Home &home, int64_t count, llvm::StringRef prefix) {
  std::string text;
  for (int64_t at = 0; at < count; ++at)
    text += (prefix + (home.elementType.isF32() ? "f," : "r,")).str();
  return text;
}

void TensorProducts::load(mlir::Operation *op, const TensorAccumulators &sums) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  const Home home = tiles.homeOf(sums.loaded());
  Value address = addressOf(product, sums.column);
  forEachStatement(product, [&](llvm::ArrayRef<Move> moves) {
    const int64_t first = moves.front().slot, count = int64_t(moves.size()) * moves.front().slots;
    SmallVector<mlir::Type> types(count, home.elementType);
    Value all = LLVM::InlineAsmOp::create(
                    b, LLVM::LLVMStructType::getLiteral(b.getContext(), types),
                    mlir::ValueRange{address}, textOf(shapeOf(product), "ld", moves),
                    constraintsOf(home, count, "=&") + "r,~{memory}", /*has_side_effects=*/true,
                    /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                    LLVM::AsmDialectAttr(), mlir::ArrayAttr())
                    .getRes();
    for (int64_t at = 0; at < count; ++at)
      tiles.write(home, {b.i32(first + at), {}}, LLVM::ExtractValueOp::create(b, all, at));
  });
}

void TensorProducts::store(mlir::Operation *op, const TensorAccumulators &sums) {
  const MatrixProduct &product = plan.matrices.find(op)->second;
  const Home home = tiles.homeOf(sums.loaded());
  Value address = addressOf(product, sums.column);
  forEachStatement(product, [&](llvm::ArrayRef<Move> moves) {
    const int64_t first = moves.front().slot, count = int64_t(moves.size()) * moves.front().slots;
    SmallVector<Value> operands;
    for (int64_t at = 0; at < count; ++at)
      operands.push_back(tiles.read(home, {b.i32(first + at), {}}));
    operands.push_back(address);
    b.instruction(textOf(shapeOf(product), "st", moves), operands,
                  constraintsOf(home, count, "") + "r");
  });
}

/// Successive elements of a thread in a word of 32 bits, the first one in the low bits.
Value TensorProducts::wordOf(Value tile, int64_t number, int64_t elements) {
  Value word;
  for (int64_t at = 0; at < elements; ++at) {
    Value bits = elementwise::toWord(
        b, b.getLoc(), tiles.read(tiles.homeOf(tile), {b.i32(number * elements + at), {}}));
    if (elements > 1)
      bits = arith::ExtUIOp::create(b, b.getI32Type(), bits);
    bits = at ? arith::ShLIOp::create(b, bits, b.i32(at * 32 / elements)).getResult() : bits;
    word = word ? arith::OrIOp::create(b, word, bits).getResult() : bits;
  }
  return word;
}

/// If accumulators are stored next, that waits for both.
void TensorProducts::storeLhs(tile::MatmulOpInterface op, const TensorAccumulators &sums) {
  const MatrixProduct &product = plan.matrices.find(op)->second, words = product.wordsOfLhs();
  const int64_t elements = 4 / product.elementBytes;
  const SmallVector<Move, 4> moves = movesOf(words);
  SmallVector<Value> operands;
  for (const Move &move : moves)
    for (int64_t number = move.slot; number < move.slot + move.slots; ++number)
      operands.push_back(wordOf(op.getLhs(), number, elements));
  std::string constraints;
  for (size_t at = 0; at < operands.size(); ++at)
    constraints += "r,";
  operands.push_back(addressOf(words, sums.lhsColumn));
  b.instruction(textOf(shapeOf(words, elements > 1), "st", moves, sums.beginWithZeros()), operands,
                constraints + "r");
}
