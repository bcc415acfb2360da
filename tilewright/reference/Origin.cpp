// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does an undefined element come from? The operation that made it is found, when it
// is asked for, by following undefined operands back through the registers, which still hold
// them. Nothing has to be carried along while all goes well.

#include "tilewright/reference/TileBlock.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::reference;

namespace {
struct Origin {
  mlir::Operation *op;
  std::optional<int64_t> element;
};
} // namespace

/// The undefined element of a register: this one, if it is, or the first.
static std::optional<int64_t> poisonIn(const Register &content, std::optional<int64_t> element) {
  auto *tile = std::get_if<Tile>(&content);
  if (!tile)
    return std::nullopt;
  if (element && *element < tile->size() && tile->isPoison(*element))
    return element;
  return tile->firstPoison();
}

static std::optional<Origin> originOf(const TileBlock &block, mlir::Value value,
                                      std::optional<int64_t> element) {
  // Loops carry values round; a bound is enough.
  for (int depth = 0; depth < 1000; ++depth) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    mlir::Value source;
    for (mlir::Value operand : op->getOperands())
      if (std::optional<int64_t> poison = poisonIn(block.get(operand), element)) {
        // Where shapes differ, elements move.
        element = block.tile(operand).size() == block.tile(value).size() ? poison : std::nullopt;
        source = operand;
        break;
      }
    if (!source)
      return Origin{op, element};
    value = source;
  }
  return std::nullopt;
}

/// What makes an operation yield undefined elements.
static std::string reasonFor(mlir::Operation *op) {
  using namespace tile;
  return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
      .Case<AddIOp, SubIOp, MulIOp, ShLIOp, NegIOp, TruncIOp>([](auto arithmetic) {
        return "breaks its promise '" + stringifyIntegerOverflow(arithmetic.getOverflow()).str() +
               "'";
      })
      .Case<DivIOp, RemIOp>([](auto) { return "has no result: division by zero, or overflow"; })
      .Case<LoadPtrOp>([](LoadPtrOp load) {
        return load.getMask() ? "has elements that the mask disables, and no padding for them"
                              : "reads memory that was never written";
      })
      .Case<LoadViewOp>([](LoadViewOp load) {
        return load.getView().getType().getPaddingValue()
                   ? "reads memory that was never written"
                   : "has elements outside of the tensor, and the view has no padding value; or "
                     "it reads memory that was never written";
      })
      .Default([](auto) { return "yields an undefined element"; });
}

static std::optional<Check> checkFor(mlir::Operation *op) {
  using namespace tile;
  if (llvm::isa<DivIOp, RemIOp>(op))
    return Check::Division;
  if (llvm::isa<AddIOp, SubIOp, MulIOp, ShLIOp, NegIOp, TruncIOp>(op))
    return Check::Overflow;
  return std::nullopt;
}

void TileBlock::explain(Finding &finding, mlir::ValueRange values,
                        std::optional<int64_t> element) const {
  for (mlir::Value value : values) {
    if (!poisonIn(get(value), element))
      continue;
    std::optional<Origin> origin = originOf(*this, value, element);
    if (!origin)
      continue;
    std::string what = (nameOf(origin->op) + " " + reasonFor(origin->op)).str();
    if (std::optional<Check> check = checkFor(origin->op);
        check && ofLaunch.options.checks.has(*check))
      finding.check = check;
    finding.related.push_back({origin->op->getLoc(), "undefined from here: " + what});
    return;
  }
}
