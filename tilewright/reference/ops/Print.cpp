// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes print_tko: writes the text of the format, with an argument for each expression as
// formatted by runtime/Print.h (operations, 6.3). Elements are formatted one by one, because the
// complete text may be larger than memory. Whether all arguments are printable is checked before
// the first is written; the output of a print is not interleaved with others.

#include "tilewright/runtime/Print.h"
#include "tilewright/reference/machine/Step.h"
#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/text/FormatString.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::StringRef;
using runtime::PromotedElement;
using runtime::Specifier;
using runtime::TextSink;

/// The element as C passes it to printf: floats exactly, integers extended as the conversion reads
/// them.
static PromotedElement promoted(const Specifier &specifier, Element element) {
  if (numerics::info(element.format).isFloat())
    return element.asDouble();
  if (specifier.isSigned() && element.format != Format::I1)
    return element.asSigned();
  return int64_t(element.asUnsigned());
}

/// Whether C defines the conversion for an argument of this format.
static bool fits(const Specifier &specifier, Format format) {
  const numerics::FormatInfo &info = numerics::info(format);
  if (info.isPointer())
    return specifier.conversion == 'p' ||
           (specifier.isLong && StringRef("uxXo").contains(specifier.conversion));
  if (specifier.conversion == 'p' || info.isFloat() != specifier.isFloat())
    return false;
  // C reads as many bits as the length modifier says, whatever the size of the argument.
  bool isWide = info.bits == 64;
  return info.isFloat() || specifier.isLong == isWide;
}

static void printArgument(TileBlock &block, tile::PrintOp op, const TextSink &out,
                          StringRef expression, const Tile &value) {
  Specifier specifier = runtime::parseSpecifier(expression);
  if (specifier.isRefused) {
    block.reportOnce(Check::Print, op, "'" + expression + "' cannot print an element");
    return out(expression);
  }
  if (!fits(specifier, value.format()))
    block.reportOnce(Check::Print, op,
                     "'" + expression + "' does not fit elements of type " +
                         numerics::info(value.format()).spelling);
  runtime::printTile(out, specifier, value.shape(),
                     [&](int64_t i) { return promoted(specifier, value[i]); });
}

static void printPieces(TileBlock &block, tile::PrintOp op, const TextSink &out) {
  auto pieces = tile::scanFormat(op.getStr());
  assert(pieces && "expressions of a verified format end");
  mlir::OperandRange arguments = op.getArgs();
  for (const tile::FormatPiece &piece : *pieces) {
    if (!piece.isExpression) {
      out(piece.text);
      continue;
    }
    printArgument(block, op, out, piece.text, block.tile(arguments.front()));
    arguments = arguments.drop_front();
  }
}

/// Elements with this mark are printed unchanged; the first one is reported.
static void reportMarked(TileBlock &block, tile::PrintOp op, mlir::Value argument, size_t number,
                         Mark mark) {
  const Tile &content = block.tile(argument);
  std::optional<int64_t> marked = content.first(mark);
  if (!marked)
    return;
  std::string element = support::coordinateText(content.shape(), *marked);
  reportOutput(block, op, argument, *marked, mark, [&](StringRef kind) {
    Finding finding = block.finding(FindingKind::Misbehaviour, op,
                                    nameOf(op) + ": argument " + llvm::Twine(number) + " is " +
                                        kind + (element.empty() ? "" : ", element " + element));
    finding.element = element;
    return finding;
  });
}

static LogicalResult execute(TileBlock &block, tile::PrintOp op) {
  for (auto [number, argument] : llvm::enumerate(op.getArgs()))
    for (Mark mark : {Mark::Undefined, Mark::Unspecified})
      reportMarked(block, op, argument, number, mark);

  // A print has a position in the token order and passes its token on.
  Token token = block.token(op.getToken());
  awaitToken(block, token);
  runtime::printWhole([&](std::string_view text) { block.launch().output << text; },
                      [&](const TextSink &out) { printPieces(block, op, out); });
  return block.define(op.getResultToken(), std::move(token));
}

Execute reference::printExecutor(mlir::Operation *op) {
  return firstOf<tile::PrintOp>(op, [](TileBlock &block, auto op) { return execute(block, op); });
}
