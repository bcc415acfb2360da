// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the origin of a marked element. When a finding needs it, the operation that made the mark
// is found by following marked elements back through the registers, which still hold them. In a
// loop, the registers hold the values of the last iteration, which need not be the one that made
// the mark. Arithmetic that makes marked elements from unmarked ones therefore records its operands
// (PoisonSources). The origin is used only in messages: the mark itself decides whether a value is
// an error (Mark.h).

#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/machine/Uses.h"
#include "tilewright/reference/memory/Access.h"
#include "tilewright/reference/ops/Operations.h"
#include "tilewright/support/Shape.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Loops.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::reference;
using llvm::SmallVector;

namespace {
/// The operands of the element that arithmetic has marked.
struct PoisonSource {
  int64_t element;
  SmallVector<Element, 3> operands;
};

struct Origin {
  mlir::Operation *op;
  std::optional<PoisonSource> source = std::nullopt;
  /// The result element, if there is no source and the element is known.
  std::optional<int64_t> element = std::nullopt;
};

/// A value and its marked element, which may be the reason that another element is marked.
using Source = std::pair<mlir::Value, int64_t>;

/// Follows values with one mark back to their origin.
class Trace {
public:
  Trace(const TileBlock &block, const Checks &checks, Mark mark)
      : block(block), checks(checks), mark(mark) {}
  /// The operation that made the mark. If there are several, one that violated an enabled check is
  /// preferred, and then one that violated any check.
  std::optional<Origin> originOf(mlir::Value value, std::optional<int64_t> element);
  /// The element of the origin's result, if it is known.
  std::optional<int64_t> elementOf(const Origin &origin) const;

private:
  unsigned rankOf(const Origin &origin) const;
  std::optional<int64_t> markedIn(const Register &content, std::optional<int64_t> element) const;
  SmallVector<Source> sourcesWithMark(mlir::Value value, std::optional<int64_t> element) const;
  SmallVector<Source> sourcesWithMark(tile::SelectOp op, std::optional<int64_t> element) const;
  std::optional<Origin> sourceIn(mlir::Operation *op, std::optional<int64_t> element) const;

  static constexpr size_t farthest = 1000;

  const TileBlock &block;
  const Checks &checks;
  const Mark mark;
  llvm::SmallPtrSet<mlir::Value, 16> visited;
};
} // namespace

//===-- Following values back -----------------------------------------------------------------===//

/// The tile in a register; null if the access that produces it is still pending.
static const Tile *tileIn(const TileBlock &block, mlir::Value value) {
  return std::get_if<Tile>(&block.get(value));
}

/// The marked element of a register: `element` if it is marked, otherwise the first one.
std::optional<int64_t> Trace::markedIn(const Register &content,
                                       std::optional<int64_t> element) const {
  auto *tile = std::get_if<Tile>(&content);
  if (!tile)
    return std::nullopt;
  if (element && *element < tile->size() && tile->markOf(*element) == mark)
    return element;
  return tile->first(mark);
}

/// Collects what the terminators of a loop pass on at position `number`, except in nested loops.
template <typename Terminator>
static void addHandedOver(mlir::Operation *loop, unsigned number,
                          SmallVector<mlir::Value> &sources) {
  loop->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op != loop && tile::isLoop(op))
      return mlir::WalkResult::skip();
    if (auto terminator = llvm::dyn_cast<Terminator>(op))
      sources.push_back(terminator->getOperand(number));
    return mlir::WalkResult::advance();
  });
}

/// The values from which a memory operation takes the elements that it does not read.
static SmallVector<mlir::Value> sourcesOfMemory(mlir::Operation *op) {
  mlir::Value source;
  if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(op))
    source = load.getPaddingValue();
  else if (auto swap = llvm::dyn_cast<tile::AtomicCASOp>(op))
    source = swap.getMask() ? swap.getCmp() : mlir::Value();
  return source ? SmallVector<mlir::Value>{source} : SmallVector<mlir::Value>();
}

static bool readsMemory(mlir::Operation *op) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op);
  return access && access.getLoaded();
}

/// The values that may be the reason that this value is marked.
static SmallVector<mlir::Value> sourcesOf(const TileBlock &block, mlir::Value value) {
  SmallVector<mlir::Value> sources;
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    mlir::Operation *owner = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (auto loop = llvm::dyn_cast<tile::LoopOp>(owner)) {
      addHandedOver<tile::ContinueOp>(owner, number, sources);
      sources.push_back(loop.getInitValues()[number]);
    } else if (auto loop = llvm::dyn_cast<tile::ForOp>(owner); loop && number > 0) {
      addHandedOver<tile::ContinueOp>(owner, number - 1, sources);
      sources.push_back(loop.getInitValues()[number - 1]);
    }
    return sources;
  }
  auto result = llvm::cast<mlir::OpResult>(value);
  mlir::Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto branches = llvm::dyn_cast<tile::IfOp>(op)) {
    auto *condition = std::get_if<Tile>(&block.get(branches.getCondition()));
    for (mlir::Block *branch : {branches.thenBlock(), branches.elseBlock()}) {
      bool isThen = branch == branches.thenBlock();
      bool isTaken = !condition || bool(condition->scalar().bits) == isThen;
      if (auto yield = llvm::dyn_cast<tile::YieldOp>(branch->getTerminator()); yield && isTaken)
        sources.push_back(yield->getOperand(number));
    }
  } else if (auto loop = llvm::dyn_cast<tile::ForOp>(op)) {
    addHandedOver<tile::ContinueOp>(op, number, sources);
    sources.push_back(loop.getInitValues()[number]);
  } else if (readsMemory(op)) {
    sources = sourcesOfMemory(op);
  } else if (llvm::isa<tile::LoopOp>(op)) {
    addHandedOver<tile::BreakOp>(op, number, sources);
  } else {
    llvm::append_range(sources, op->getOperands());
  }
  return sources;
}

/// `select` has two candidates; only the chosen operand is a source.
SmallVector<Source> Trace::sourcesWithMark(tile::SelectOp op,
                                           std::optional<int64_t> element) const {
  const Tile &condition = block.tile(op.getCond());
  for (int64_t i = element.value_or(0), end = element ? i + 1 : condition.size(); i < end; ++i) {
    if (condition.markOf(i) == mark)
      return {{op.getCond(), i}};
    mlir::Value chosen = condition[i].bits ? op.getValIfTrue() : op.getValIfFalse();
    if (std::optional<int64_t> marked = markedIn(block.get(chosen), i); marked == i)
      return {{chosen, i}};
  }
  return {};
}

SmallVector<Source> Trace::sourcesWithMark(mlir::Value value,
                                           std::optional<int64_t> element) const {
  SmallVector<Source> sources;
  for (mlir::Value source : sourcesOf(block, value))
    if (std::optional<int64_t> marked = markedIn(block.get(source), element))
      sources.push_back({source, *marked});
  // An elementwise operation computes an element from the operand elements at the same position.
  if (element && value.getDefiningOp<tile::ElementwiseOpInterface>() &&
      llvm::any_of(sources, [&](Source source) { return source.second == *element; }))
    llvm::erase_if(sources, [&](Source source) { return source.second != *element; });
  auto select = value.getDefiningOp<tile::SelectOp>();
  // In the body of a reduce or scan, the shapes are those of the last combination.
  bool isWhole = select && llvm::all_of(select->getOperands(), [&](mlir::Value operand) {
                   const Tile *tile = tileIn(block, operand);
                   return tile && tile->size() == block.tile(value).size();
                 });
  if (!isWhole)
    return sources;
  SmallVector<Source> chosen = sourcesWithMark(select, element);
  return chosen.empty() ? sources : chosen;
}

/// The operand elements from which an elementwise operation computes one result element.
static SmallVector<Element, 3> operandsAt(llvm::ArrayRef<Tile> operands, int64_t element) {
  return llvm::map_to_vector<3>(
      operands, [&](const Tile &operand) { return operand[operand.size() == 1 ? 0 : element]; });
}

/// Whether the operation, or one in its body, marked an element although its operand elements are
/// unmarked. If `element` is given, only that element counts.
std::optional<Origin> Trace::sourceIn(mlir::Operation *op, std::optional<int64_t> element) const {
  if (tile::isAggregate(op)) {
    for (mlir::Operation &inner : op->getRegion(0).front())
      if (std::optional<Origin> origin = sourceIn(&inner, std::nullopt))
        return origin;
    return std::nullopt;
  }
  const PoisonSources::Source *made = block.poisonSources.of(op);
  if (!made)
    return std::nullopt;
  std::optional<int64_t> first = mark == Mark::Undefined ? made->undefined : made->unspecified;
  if (!first || !element || element == first)
    return first
               ? std::optional(Origin{op, PoisonSource{*first, operandsAt(made->operands, *first)}})
               : std::nullopt;
  int64_t size = 1;
  for (const Tile &operand : made->operands)
    size = std::max(size, operand.size());
  if (*element >= size)
    return std::nullopt;
  SmallVector<Element, 3> in = operandsAt(made->operands, *element);
  if (llvm::any_of(in, [](Element operand) { return operand.poison; }) ||
      markMadeBy(llvm::cast<tile::ElementwiseOpInterface>(op), in) != mark)
    return std::nullopt;
  return Origin{op, PoisonSource{*element, in}};
}

std::optional<Origin> Trace::originOf(mlir::Value value, std::optional<int64_t> element) {
  // A value may be loop-carried from an earlier iteration, so visited values are skipped; the
  // search is also bounded.
  if (visited.size() == farthest || !visited.insert(value).second)
    return std::nullopt;
  mlir::Operation *op = value.getDefiningOp();
  if (op)
    if (std::optional<Origin> origin = sourceIn(op, element))
      return origin;
  bool isMade = op && !tile::isLoop(op) && !llvm::isa<tile::IfOp>(op);
  int64_t size = block.tile(value).size();
  std::optional<Origin> best;
  for (auto [source, at] : sourcesWithMark(value, element)) {
    isMade = false;
    // Elements move if the shapes differ, and in a permutation.
    bool staysInPlace =
        element && block.tile(source).size() == size && !llvm::isa_and_nonnull<tile::PermuteOp>(op);
    std::optional<Origin> origin =
        originOf(source, staysInPlace ? std::optional(at) : std::nullopt);
    if (origin && (!best || rankOf(*origin) > rankOf(*best)))
      best = origin;
  }
  return isMade ? std::optional<Origin>(Origin{op, std::nullopt, element}) : best;
}

std::optional<int64_t> Trace::elementOf(const Origin &origin) const {
  return origin.op->getNumResults() ? markedIn(block.get(origin.op->getResult(0)), origin.element)
                                    : std::nullopt;
}

/// Why a memory operation did not read the element; empty if it did.
static std::string disabledText(const TileBlock &block, mlir::Operation *op,
                                std::optional<int64_t> element) {
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(op))
    return element ? outsideText(block, load, *element) : "";
  mlir::Value mask;
  if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(op))
    mask = load.getMask();
  else if (auto update = llvm::dyn_cast<tile::AtomicRMWOp>(op))
    mask = update.getMask();
  const Tile *enabled = mask ? tileIn(block, mask) : nullptr;
  if (!enabled || !element || (*enabled)[*element].bits)
    return "";
  return llvm::isa<tile::LoadPtrOp>(op) ? "the mask disables it, and there is no padding for it"
                                        : "the mask disables it";
}

// ===-- Messages
// ------------------------------------------------------------------------------===//

static std::string elementText(Element element, bool isUnsigned) {
  return isUnsigned ? std::to_string(element.asUnsigned()) : std::to_string(element.asSigned());
}

/// The check that an operation violates if its result is undefined although its operands are not.
static std::optional<Check> checkFor(mlir::Operation *op, llvm::ArrayRef<Element> operands) {
  using namespace tile;
  if (isWideShift(op, operands))
    return Check::Shift;
  if (losesSign(op, operands))
    return Check::Unspecified;
  if (llvm::isa<DivIOp, RemIOp>(op))
    return Check::Division;
  if (llvm::isa<OverflowOpInterface>(op))
    return Check::Overflow;
  return std::nullopt;
}

unsigned Trace::rankOf(const Origin &origin) const {
  if (!origin.source)
    return 1;
  std::optional<Check> check = checkFor(origin.op, origin.source->operands);
  return !check || checks.has(*check) ? 2 : 0;
}

/// `6 by 0 has no result`
static std::string sourceText(mlir::Operation *op, llvm::ArrayRef<Element> operands) {
  using namespace tile;
  auto division = [&](auto divide) {
    bool isUnsigned = divide.getSignedness() == Signedness::Unsigned;
    return elementText(operands[0], isUnsigned) + " by " + elementText(operands[1], isUnsigned) +
           " has no result";
  };
  if (isWideShift(op, operands))
    return "a shift by " + elementText(operands[1], true) + ", and " +
           numerics::info(operands[0].format).spelling + " has " +
           std::to_string(numerics::info(operands[0].format).bits) + " bits";
  if (losesSign(op, operands))
    return numerics::toString(operands[0]) + " is negative, and f8E5M3FNU has no sign";
  return llvm::TypeSwitch<mlir::Operation *, std::string>(op)
      .Case<DivIOp, RemIOp>(division)
      .Case([&](OverflowOpInterface arithmetic) {
        IntegerOverflow assumption = arithmetic.getOverflow();
        bool isUnsigned = assumption == IntegerOverflow::NoUnsignedWrap;
        std::string text = elementText(operands[0], isUnsigned);
        if (operands.size() > 1)
          text += " and " + elementText(operands[1], isUnsigned);
        return text + (operands.size() > 1 ? " violate" : " violates") + " the assumption '" +
               stringifyIntegerOverflow(assumption).str() + "'";
      })
      .Case<FToIOp>([&](FToIOp conversion) {
        return numerics::toString(operands[0]) + " is not in the range of " +
               (conversion.getSignedness() == Signedness::Unsigned ? "unsigned " : "signed ") +
               numerics::info(formatOfTile(conversion.getResult())).spelling;
      })
      .Case<OffsetOp>([&](OffsetOp offset) {
        return "0x" + llvm::utohexstr(operands[0].bits) + " and " +
               std::to_string(operands[1].asSigned()) + " elements lead out of the address space";
      })
      .Default([](auto) { return "the result is undefined"; });
}

/// Why an operation other than arithmetic yields a marked element.
static std::string reasonFor(const TileBlock &block, mlir::Operation *op,
                             std::optional<int64_t> element, Mark mark) {
  auto type = llvm::dyn_cast<tile::TileType>(op->getResult(0).getType());
  std::string where = element && type ? elementPrefix(type.getShape(), *element) : "";
  std::string what = nameOf(op).str() + ": " + where;
  if (std::string disabled = disabledText(block, op, element); !disabled.empty())
    return what + disabled;
  if (readsMemory(op))
    return what + (mark == Mark::Undefined
                       ? "reads memory that was never written, or that holds an undefined value"
                       : "reads memory that holds an unspecified value");
  if (llvm::isa<tile::MmaFScaledOp>(op))
    return what + "a scale is negative";
  return what + "yields an undefined element";
}

//===-- Findings ------------------------------------------------------------------------------===//

/// If arithmetic made the mark, the finding becomes one about that operation, and the use is added
/// as the consequence. For other marks, the finding stays one about the use.
void reference::explain(const TileBlock &block, Finding &finding, mlir::Value value,
                        int64_t element, Mark mark) {
  const Checks &checks = block.launch().options.checks;
  if (!tileIn(block, value) || block.tile(value).markOf(element) != mark)
    return;
  Trace trace(block, checks, mark);
  std::optional<Origin> origin = trace.originOf(value, element);
  if (!origin)
    return;
  auto [op, source, at] = *origin;
  std::string from = isWarning(finding.kind) ? "unspecified from here: " : "undefined from here: ";
  if (!source) {
    finding.related.push_back(
        {op->getLoc(), from + reasonFor(block, op, trace.elementOf(*origin), mark)});
    return;
  }
  llvm::ArrayRef<int64_t> shape = llvm::cast<tile::TileType>(op->getResult(0).getType()).getShape();
  std::string what =
      (nameOf(op) + ": " + elementPrefix(shape, source->element) + sourceText(op, source->operands))
          .str();
  std::optional<Check> check = checkFor(op, source->operands);
  // If its check is disabled, the finding and its consequences are dropped.
  if (check && !checks.has(*check))
    finding.rule = &ruleOf(*check);
  if (!check || !checks.has(*check)) {
    finding.related.push_back({op->getLoc(), from + what});
    return;
  }
  Finding use = std::exchange(finding, block.finding(finding.kind, op, what));
  finding.rule = &ruleOf(*check);
  finding.element = support::coordinateText(shape, source->element);
  llvm::StringRef message = use.message;
  message.consume_front(block.blockText());
  finding.related.push_back({use.location, ("used here: " + message).str()});
}
