// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WarpgroupProducts.h.

#include "tilewright/nvidia/emit/WarpgroupProducts.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::formatv;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

//===-- Descriptors ---------------------------------------------------------------------------===//

/// The shuffle makes the number warp-uniform, which LLVM and `ptxas` cannot derive from a division.
Value WarpgroupProducts::warpgroup(const MatrixProduct &product) {
  if (product.warpsAlongM * product.warpsAlongN == product.ctas)
    return b.i32(0);
  Value warp = b.dividedBy(tiles.thread, 32);
  warp = LLVM::CallIntrinsicOp::create(b, b.getI32Type(),
                                       b.getStringAttr("llvm.nvvm.shfl.sync.idx.i32"),
                                       mlir::ValueRange{b.i32(-1), warp, b.i32(0), b.i32(31)})
             .getResults();
  return b.dividedBy(warp, 4);
}

/// The descriptor of the matrix from this row, a multiple of eight, and this byte on.
Value WarpgroupProducts::descriptorOf(const Matrix &matrix, Value row, Value byte) {
  const SharedImage &image = matrix.image;
  Value offset = b.add(b.times(row, image.span), b.modulo(byte, image.span));
  offset = b.add(offset, b.times(b.dividedBy(byte, image.span), image.panelBytes()));
  return b.matrixDescriptor(b.byteOffset(matrix.base, offset), image.descriptor(matrix.isAlongK));
}

Value WarpgroupProducts::descriptorOfLhs(const MatrixProduct &product, const Matrix &lhs) {
  Value group = b.modulo(b.dividedBy(warpgroup(product), product.warpsAlongN),
                         product.warpsAlongM / product.ctas);
  Value first = b.times(group, product.fragmentsAlongM() * product.form.rows);
  return descriptorOfLines(lhs, first, product.elementBytes);
}

Value WarpgroupProducts::descriptorOfRhs(const MatrixProduct &product, const Matrix &rhs) {
  Value group = b.modulo(warpgroup(product), product.warpsAlongN);
  Value first = b.times(group, product.fragmentsAlongN() * MatrixProduct::columns);
  return descriptorOfLines(rhs, first, product.elementBytes);
}

/// From this row of lhs, or column of rhs, on.
Value WarpgroupProducts::descriptorOfLines(const Matrix &matrix, Value first, int64_t bytes) {
  return matrix.isAlongK ? descriptorOf(matrix, first, b.i32(0))
                         : descriptorOf(matrix, b.i32(0), b.times(first, bytes));
}

/// Pairs of adjacent elements, in the order of slots, which is that of the instruction's registers.
SmallVector<Value> WarpgroupProducts::wordsOfLhs(Value tile) {
  SmallVector<Value> words;
  auto i16 = b.getIntegerType(16);
  auto pair = mlir::VectorType::get({2}, i16);
  const int64_t slots = tiles.layoutOf(tile).slots();
  SmallVector<Value> elements;
  tiles.forEachOwn(tiles.layoutOf(tile), [&](const Own &own) {
    Value word = elementwise::toWord(b, b.getLoc(), tiles.read(tile, own));
    elements.push_back(b.createOrFold<arith::BitcastOp>(i16, word));
  });
  for (int64_t slot = 0; slot < slots; slot += 2) {
    Value both = LLVM::PoisonOp::create(b, pair);
    for (int64_t at : {0, 1})
      both = LLVM::InsertElementOp::create(b, both, elements[slot + at], b.i32(at));
    words.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), both));
  }
  return words;
}

//===-- Statements ----------------------------------------------------------------------------===//

namespace {
/// What a statement multiplies: some blocks of 64 rows, columns and steps along k.
struct Part {
  int64_t firstBlock, blocks, firstColumn, columns, firstStep, steps;

  /// A thread's accumulators in a block.
  int64_t sumsOfBlock() const { return columns / 2; }
  int64_t sums() const { return blocks * sumsOfBlock(); }
};

/// The instructions of a part. In the statement of inline PTX, its accumulators and its inputs
/// begin at these operands. Inputs are the words or the descriptor of lhs, then the descriptor of
/// rhs.
class Instructions {
public:
  Instructions(const MatrixProduct &product, const Multiplication &all, const Part &part,
               int64_t firstSum, int64_t firstInput)
      : product(product), all(all), part(part), firstSum(firstSum), firstInput(firstInput) {}

  std::string text() const;

private:
  int64_t offsetOf(const Matrix &matrix, int64_t line, int64_t step) const;
  std::string lhsOperand(int64_t block, int64_t step) const;
  std::string one(int64_t block, int64_t column, int64_t step) const;

  const MatrixProduct &product;
  const Multiplication &all;
  const Part &part;
  int64_t firstSum, firstInput;
};
} // namespace

/// `$2, $3, $4`
static std::string registers(const char *prefix, int64_t first, int64_t count) {
  std::string text;
  for (int64_t at = first; at < first + count; ++at)
    text += (text.empty() ? "" : ", ") + (prefix + std::to_string(at));
  return text;
}

/// The offset of a row of lhs or a column of rhs, and of a step along k, in units of 16 bytes.
int64_t Instructions::offsetOf(const Matrix &matrix, int64_t line, int64_t step) const {
  const int64_t bytes = product.elementBytes;
  int64_t offset = matrix.isAlongK ? matrix.image.offsetOf(line, step * bytes)
                                   : matrix.image.offsetOf(step, line * bytes);
  return offset / 16;
}

/// Registers of a step are those of its two fragments along k (MatrixProduct::lhsLayout).
std::string Instructions::lhsOperand(int64_t block, int64_t step) const {
  if (all.lhs)
    return "a";
  return "{" + registers("$", firstInput + (block * all.steps + step) / 4, product.steps() / 4) +
         "}";
}

/// Columns are counted from the first one of the warpgroup.
std::string Instructions::one(int64_t block, int64_t column, int64_t step) const {
  const int64_t columns = product.columnsOfOne(), rows = product.form.rows;
  const int64_t rhsOperand = firstInput + (all.lhs ? 1 : int64_t(all.lhsWords.size()));
  std::string text;
  if (all.lhs)
    text += formatv("add.s64 a, ${0}, {1}; ", firstInput, offsetOf(*all.lhs, block * rows, step));
  text += formatv("add.s64 b, ${0}, {1}; ", rhsOperand, offsetOf(all.rhs, column, step));
  const int64_t first =
      (block - part.firstBlock) * part.sumsOfBlock() + (column - part.firstColumn) / 2;
  const bool adds = step != part.firstStep || !(product.isPromoted || all.beginsWithZeros);
  text += formatv("wgmma.mma_async.sync.aligned.m64n{0}k{1}.{2} {{{3}}, {4}, b, {5}", columns,
                  product.steps(), product.form.name,
                  product.isPromoted ? registers("partial", first, columns / 2)
                                     : registers("$", firstSum + first, columns / 2),
                  lhsOperand(block, step), adds ? 1 : 0);
  const bool isFloat = product.form.name[0] == 'f';
  text += isFloat ? ", 1, 1" : ""; // neither operand is negated
  if (product.elementBytes == 2) {
    text += !all.lhs ? "" : all.lhs->isAlongK ? ", 0" : ", 1";
    text += all.rhs.isAlongK ? ", 0" : ", 1";
  }
  return text + "; ";
}

std::string Instructions::text() const {
  std::string text = "wgmma.fence.sync.aligned; ";
  for (int64_t step = part.firstStep; step < part.firstStep + part.steps; step += product.steps())
    for (int64_t block = part.firstBlock; block < part.firstBlock + part.blocks; ++block)
      for (int64_t column = part.firstColumn; column < part.firstColumn + part.columns;
           column += product.columnsOfOne())
        text += one(block, column, step);
  return text;
}

static constexpr const char *commit = "wgmma.commit_group.sync.aligned; ";

/// The statement of one part, which is complete at the end.
static std::string textOf(const MatrixProduct &product, const Part &part,
                          const Instructions &instructions) {
  std::string text = "{ .reg .b64 a, b; ";
  if (product.isPromoted)
    text += formatv(".reg .f32 partial<{0}>; ", part.sums());
  text += instructions.text() + commit + "wgmma.wait_group.sync.aligned 0; ";
  if (product.isPromoted)
    for (int64_t at = 0; at < part.sums(); ++at)
      text += formatv("add.rn.f32 ${0}, ${0}, partial{0}; ", at);
  return text + "}";
}

/// The statement of two parts, of which the first one is complete at the end. The second one is
/// left out if this operand is zero, by a branch: `ptxas` adds fences to predicated instructions.
/// It adds none here, because there is a fence behind the branch, and a group on both ways.
static std::string textOfBoth(const Instructions &first, const Instructions &second,
                              int64_t condition) {
  return formatv("{{ .reg .b64 a, b; .reg .pred p; setp.eq.b32 p, ${0}, 0; {1}{2}@p bra $$without; "
                 "{3}$$without: wgmma.fence.sync.aligned; {2}wgmma.wait_group.sync.aligned 1; }",
                 condition, first.text(), commit, second.text());
}

namespace {
/// The operands of inline PTX: results, then their values before, then inputs.
struct Statement {
  SmallVector<mlir::Type> types;
  SmallVector<Value> before; ///< Null if the result is only written.
  SmallVector<Value> inputs;

  int64_t firstInput() const {
    return int64_t(types.size()) + llvm::count_if(before, [](Value value) { return bool(value); });
  }
  /// Appends results, and returns the operand of the first one.
  int64_t addSums(mlir::ValueRange values, mlir::Type type) {
    before.append(values.begin(), values.end());
    types.append(values.size(), type);
    return int64_t(before.size() - values.size());
  }
  std::string constraints() const;
  /// Emits it, and returns the results.
  SmallVector<Value> emit(ThreadBuilder &b, llvm::StringRef text) const;
};
} // namespace

static char constraintFor(mlir::Type type) {
  return type.isF32() ? 'f' : type.isInteger(64) ? 'l' : 'r';
}

std::string Statement::constraints() const {
  std::string results, others;
  for (auto [at, value] : llvm::enumerate(before)) {
    results += formatv("{0}={1}{2}", at ? "," : "", value ? "" : "&", constraintFor(types[at]));
    others += value ? "," + std::to_string(at) : "";
  }
  for (Value input : inputs)
    others += std::string(",") + constraintFor(input.getType());
  return results + others + ",~{memory}";
}

SmallVector<Value> Statement::emit(ThreadBuilder &b, llvm::StringRef text) const {
  SmallVector<Value> operands;
  llvm::copy_if(before, std::back_inserter(operands), [](Value value) { return bool(value); });
  llvm::append_range(operands, inputs);
  Value all =
      LLVM::InlineAsmOp::create(b, LLVM::LLVMStructType::getLiteral(b.getContext(), types),
                                operands, text, constraints(), /*has_side_effects=*/true,
                                /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                LLVM::AsmDialectAttr(), mlir::ArrayAttr())
          .getRes();
  SmallVector<Value> results;
  for (size_t at = 0; at < types.size(); ++at)
    results.push_back(LLVM::ExtractValueOp::create(b, all, at));
  return results;
}

//===-- Products ------------------------------------------------------------------------------===//

/// One part, or parts of which the sums are promoted.
static SmallVector<Part> partsOf(const MatrixProduct &product, int64_t steps) {
  const int64_t blocks = product.fragmentsAlongM();
  const int64_t columns = product.fragmentsAlongN() * MatrixProduct::columns;
  if (!product.isPromoted)
    return {{0, blocks, 0, columns, 0, steps}};
  const int64_t ofOne = product.columnsOfOne();
  const int64_t together = std::min(blocks, MatrixProduct::mostPartialRegisters / (ofOne / 2));
  const int64_t interval = std::min(steps, MatrixProduct::stepsOfPromotion);
  SmallVector<Part> parts;
  for (int64_t step = 0; step < steps; step += interval)
    for (int64_t block = 0; block < blocks; block += together)
      for (int64_t column = 0; column < columns; column += ofOne)
        parts.push_back({block, together, column, ofOne, step, interval});
  return parts;
}

/// Where a part's accumulators are among all of a thread.
static SmallVector<int64_t> slotsOf(const MatrixProduct &product, const Part &part) {
  SmallVector<int64_t> slots;
  for (int64_t block = part.firstBlock; block < part.firstBlock + part.blocks; ++block)
    for (int64_t at = 0; at < part.sumsOfBlock(); ++at)
      slots.push_back(block * product.sumsOfRow() + part.firstColumn / 2 + at);
  return slots;
}

/// As `Instructions` takes them.
SmallVector<Value> WarpgroupProducts::inputsOf(const Multiplication &all) {
  const MatrixProduct &product = plan.matrices.find(all.op)->second;
  SmallVector<Value> inputs(all.lhsWords);
  if (all.lhs)
    inputs.push_back(descriptorOfLhs(product, *all.lhs));
  inputs.push_back(descriptorOfRhs(product, all.rhs));
  return inputs;
}

/// A thread's accumulators in these slots; null ones if they are only written.
SmallVector<Value> WarpgroupProducts::read(const Multiplication &all,
                                           llvm::ArrayRef<int64_t> slots) {
  return llvm::map_to_vector(slots, [&](int64_t slot) {
    return all.beginsWithZeros ? Value() : tiles.read(all.sums, {b.i32(slot), {}});
  });
}

void WarpgroupProducts::write(const Home &sums, llvm::ArrayRef<int64_t> slots,
                              mlir::ValueRange after) {
  for (auto [slot, sum] : llvm::zip_equal(slots, after))
    tiles.write(sums, {b.i32(slot), {}}, sum);
}

void WarpgroupProducts::multiply(const Multiplication &all) {
  const MatrixProduct &product = plan.matrices.find(all.op)->second;
  const SmallVector<Value> inputs = inputsOf(all);
  for (const Part &part : partsOf(product, all.steps)) {
    const SmallVector<int64_t> slots = slotsOf(product, part);
    Statement statement{{}, {}, inputs};
    statement.addSums(read(all, slots), all.sums.elementType);
    const Instructions instructions(product, all, part, 0, statement.firstInput());
    write(all.sums, slots, statement.emit(b, textOf(product, part, instructions)));
  }
}

void WarpgroupProducts::multiplyBoth(const Multiplication &first, const Multiplication &second,
                                     Value condition) {
  const MatrixProduct &ofFirst = plan.matrices.find(first.op)->second;
  const MatrixProduct &ofSecond = plan.matrices.find(second.op)->second;
  const Part part = partsOf(ofFirst, first.steps).front();
  const Part behind = partsOf(ofSecond, second.steps).front();
  const SmallVector<int64_t> slots = slotsOf(ofFirst, part),
                             slotsBehind = slotsOf(ofSecond, behind);
  Statement statement{{}, {}, inputsOf(first)};
  const int64_t inputsOfFirst = int64_t(statement.inputs.size());
  llvm::append_range(statement.inputs, inputsOf(second));
  statement.inputs.push_back(b.select(condition, b.i32(1), b.i32(0)));
  const int64_t sums = statement.addSums(read(first, slots), first.sums.elementType);
  const int64_t sumsBehind = statement.addSums(read(second, slotsBehind), second.sums.elementType);
  const int64_t input = statement.firstInput();
  const std::string text =
      textOfBoth(Instructions(ofFirst, first, part, sums, input),
                 Instructions(ofSecond, second, behind, sumsBehind, input + inputsOfFirst),
                 input + int64_t(statement.inputs.size()) - 1);
  const SmallVector<Value> after = statement.emit(b, text);
  write(first.sums, slots, mlir::ValueRange(after).take_front(slots.size()));
  write(second.sums, slotsBehind, mlir::ValueRange(after).drop_front(slots.size()));
}

void WarpgroupProducts::wait(llvm::ArrayRef<Value> values, mlir::ValueRange words) {
  Statement statement{{}, {}, SmallVector<Value>(words)};
  SmallVector<std::pair<Value, Own>> places;
  for (Value tile : values)
    tiles.forEachOwn(tiles.layoutOf(tile), [&](const Own &own) {
      places.push_back({tile, own});
      Value element = tiles.read(tile, own);
      statement.addSums(element, element.getType());
    });
  const SmallVector<Value> after = statement.emit(b, "wgmma.wait_group.sync.aligned 0;");
  for (auto [place, element] : llvm::zip_equal(places, after))
    tiles.write(place.first, place.second, element);
}
