// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/ops/RowBody.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/tile/Arithmetic.h"
#include <cstring>

using namespace tilewright;
using namespace tilewright::reference;
using llvm::ArrayRef;
using llvm::SmallVector;

//===-- Reading the body ------------------------------------------------------------------===//

std::optional<RowBody> RowBody::of(TileBlock &block, mlir::Block &body) {
  RowBody result;
  for (mlir::Value argument : body.getArguments()) {
    result.numbers[argument] = result.buffers.size();
    result.buffers.push_back({Tile::wordBytesOf(tile::formatOfTile(argument)), nullptr});
  }
  result.argumentCount = result.buffers.size();
  for (mlir::Operation &op : body.without_terminator())
    if (!result.add(block, op))
      return std::nullopt;
  for (mlir::Value value : body.getTerminator()->getOperands()) {
    std::optional<unsigned> buffer = result.bufferOf(block, value);
    if (!buffer)
      return std::nullopt;
    result.yielded.push_back(*buffer);
  }
  result.computeInPlace();
  return result;
}

static bool isScalar(mlir::Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type && type.getRank() == 0;
}

void RowBody::computeInPlace() {
  for (const Step &step : steps)
    for (auto [number, buffer] : llvm::enumerate(yielded))
      if (buffer == step.result)
        buffers[buffer].yieldedAs = number;
}

bool RowBody::add(TileBlock &block, mlir::Operation &op) {
  if (op.getNumResults() != 1 || !isScalar(op.getResult(0)))
    return false;
  if (llvm::isa<tile::ConstantOp>(op)) {
    addScalar(op.getResult(0), block.launch().program.constant(&op));
    return true;
  }
  // Row functions do not report unspecified results.
  if (mayBeUnspecified(&op))
    return false;
  Step step = {rowFunctionOf(&op), {}, 0};
  if (!step.row)
    return false;
  for (mlir::Value operand : op.getOperands()) {
    std::optional<unsigned> buffer = bufferOf(block, operand);
    if (!buffer)
      return false;
    step.operands.push_back(*buffer);
  }
  step.result = addBuffer(op.getResult(0), Tile::wordBytesOf(tile::formatOfTile(op.getResult(0))));
  steps.push_back(std::move(step));
  return true;
}

std::optional<unsigned> RowBody::bufferOf(TileBlock &block, mlir::Value value) {
  if (auto known = numbers.find(value); known != numbers.end())
    return known->second;
  // A value from outside the body is the same for all positions.
  if (!isScalar(value) || block.scalar(value).poison)
    return std::nullopt;
  addScalar(value, block.tile(value));
  return numbers[value];
}

unsigned RowBody::addBuffer(mlir::Value value, unsigned wordBytes) {
  numbers[value] = buffers.size();
  buffers.push_back({wordBytes, std::make_unique_for_overwrite<uint8_t[]>(chunk * wordBytes)});
  return buffers.size() - 1;
}

void RowBody::addScalar(mlir::Value value, const Tile &scalar) {
  unsigned buffer = addBuffer(value, scalar.wordBytes());
  Tile everywhere = Tile::splat({chunk}, scalar.scalar());
  std::memcpy(buffers[buffer].words.get(), everywhere.words(), chunk * scalar.wordBytes());
}

//===-- Running it ------------------------------------------------------------------------===//

bool RowBody::run(ArrayRef<const uint8_t *> arguments, ArrayRef<uint8_t *> results, int64_t count) {
  for (int64_t from = 0; from < count; from += chunk)
    if (!runChunk(arguments, results, from, std::min(chunk, count - from)))
      return false;
  return true;
}

bool RowBody::runChunk(ArrayRef<const uint8_t *> arguments, ArrayRef<uint8_t *> results,
                       int64_t from, int64_t count) {
  // Yielded values are computed directly into the caller's arrays.
  auto target = [&](unsigned buffer) {
    const Buffer &values = buffers[buffer];
    return values.yieldedAs ? results[*values.yieldedAs] + from * values.wordBytes
                            : values.words.get();
  };
  auto source = [&](unsigned buffer) -> const uint8_t * {
    return buffer < argumentCount ? arguments[buffer] + from * buffers[buffer].wordBytes
                                  : target(buffer);
  };
  for (const Step &step : steps) {
    SmallVector<const void *, 3> in;
    for (unsigned operand : step.operands)
      in.push_back(source(operand));
    if (!step.row(in.data(), target(step.result), count))
      return false;
  }
  // Copy the remaining results: yielded arguments and scalars, and values that are yielded twice.
  for (auto [number, buffer] : llvm::enumerate(yielded)) {
    unsigned bytes = buffers[buffer].wordBytes;
    if (buffers[buffer].yieldedAs != number)
      std::memcpy(results[number] + from * bytes, source(buffer), count * bytes);
  }
  return true;
}
