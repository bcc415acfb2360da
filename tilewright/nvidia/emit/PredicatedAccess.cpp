// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PredicatedAccess.h.

#include "tilewright/nvidia/emit/PredicatedAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;

namespace {
/// The registers that one instruction moves, all of one size.
struct Pieces {
  explicit Pieces(mlir::ValueRange words)
      : word(words.front().getType()), words(words.size()),
        bytes(this->words * word.getIntOrFloatBitWidth() / 8),
        eachBytes(word.getIntOrFloatBitWidth() == 64 ? 8 : std::min<int64_t>(bytes, 4)),
        count(bytes / eachBytes) {}

  mlir::Type word;
  int64_t words, bytes, eachBytes, count;

  /// The smallest register has 16 bits.
  unsigned registerBits() const { return std::max<int64_t>(16, 8 * eachBytes); }
  llvm::StringRef constraint() const { return eachBytes == 8 ? "l" : eachBytes == 4 ? "r" : "h"; }
  /// `.v4.b32`
  std::string suffix() const {
    std::string vector = count == 1 ? "" : ".v" + std::to_string(count);
    return vector + ".b" + std::to_string(8 * eachBytes);
  }
  /// The operands from `first` on: `$1`, or `{$1, $2}`.
  std::string operands(int64_t first) const {
    std::string list;
    for (int64_t at = 0; at < count; ++at)
      list += (at ? ", $" : "$") + std::to_string(first + at);
    return count == 1 ? list : "{" + list + "}";
  }
};
} // namespace

/// Packs adjacent words into registers.
static SmallVector<Value> packed(ThreadBuilder &b, const Pieces &pieces, mlir::ValueRange words) {
  SmallVector<Value> result;
  mlir::Type piece = b.getIntegerType(pieces.registerBits());
  int64_t each = pieces.words / pieces.count, bits = 8 * pieces.bytes / pieces.words;
  for (int64_t first = 0; first < pieces.words; first += each) {
    Value all;
    for (int64_t at = 0; at < each; ++at) {
      Value word = b.createOrFold<arith::BitcastOp>(b.getIntegerType(bits), words[first + at]);
      if (bits < piece.getIntOrFloatBitWidth())
        word = b.createOrFold<arith::ExtUIOp>(piece, word);
      word = at ? b.times(word, int64_t(1) << (at * bits)) : word;
      all = at ? b.createOrFold<arith::OrIOp>(all, word) : word;
    }
    result.push_back(all);
  }
  return result;
}

static SmallVector<Value> unpacked(ThreadBuilder &b, const Pieces &pieces,
                                   llvm::ArrayRef<Value> registers) {
  SmallVector<Value> result;
  int64_t each = pieces.words / pieces.count, bits = 8 * pieces.bytes / pieces.words;
  for (Value all : registers)
    for (int64_t at = 0; at < each; ++at) {
      Value word = b.dividedBy(all, int64_t(1) << (at * bits));
      if (bits < word.getType().getIntOrFloatBitWidth())
        word = b.createOrFold<arith::TruncIOp>(b.getIntegerType(bits), word);
      result.push_back(b.createOrFold<arith::BitcastOp>(pieces.word, word));
    }
  return result;
}

static LLVM::InlineAsmOp instruction(ThreadBuilder &b, mlir::Type result, mlir::ValueRange operands,
                                     const std::string &text, const std::string &constraints) {
  return LLVM::InlineAsmOp::create(b, result, operands, text, constraints,
                                   /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
                                   mlir::ArrayAttr());
}

SmallVector<Value> nvidia::readWordsIf(ThreadBuilder &b, Value condition, Value address,
                                       mlir::ValueRange otherwise, llvm::StringRef space) {
  Pieces pieces(otherwise);
  std::string condNumber = std::to_string(pieces.count),
              addressNumber = std::to_string(pieces.count + 1);
  std::string text = "@$" + condNumber + " ld" + space.str() + pieces.suffix() + " " +
                     pieces.operands(0) + ", [$" + addressNumber + "];";
  // If nothing is read, `otherwise` must survive: results are tied to its registers.
  std::string constraints, shared;
  for (int64_t at = 0; at < pieces.count; ++at) {
    constraints += "=" + pieces.constraint().str() + ",";
    shared += "," + std::to_string(at);
  }
  SmallVector<Value> operands = {condition, address};
  llvm::append_range(operands, packed(b, pieces, otherwise));
  mlir::Type piece = b.getIntegerType(pieces.registerBits());
  SmallVector<mlir::Type> types(pieces.count, piece);
  mlir::Type all = pieces.count == 1
                       ? piece
                       : mlir::Type(LLVM::LLVMStructType::getLiteral(b.getContext(), types));
  Value read =
      instruction(b, all, operands, text, constraints + "b,l" + shared + ",~{memory}").getRes();
  SmallVector<Value> registers;
  for (int64_t at = 0; at < pieces.count; ++at)
    registers.push_back(pieces.count == 1 ? read : LLVM::ExtractValueOp::create(b, read, at));
  return unpacked(b, pieces, registers);
}

void nvidia::writeWordsIf(ThreadBuilder &b, Value condition, Value address, mlir::ValueRange words,
                          llvm::StringRef space) {
  Pieces pieces(words);
  SmallVector<Value> operands = {condition, address};
  llvm::append_range(operands, packed(b, pieces, words));
  std::string constraints = "b,l";
  for (int64_t at = 0; at < pieces.count; ++at)
    constraints += "," + pieces.constraint().str();
  instruction(b, {}, operands,
              "@$0 st" + space.str() + pieces.suffix() + " [$1], " + pieces.operands(2) + ";",
              constraints + ",~{memory}");
}
