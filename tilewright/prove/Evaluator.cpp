// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Evaluator.h.

#include "tilewright/prove/Evaluator.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Constants.h"
#include "tilewright/tile/TileValues.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace tilewright;
using namespace tilewright::prove;
using llvm::ArrayRef;
using mlir::Operation;
using mlir::Value;

/// The most factors of a term; larger products are not analysed.
static constexpr size_t mostFactors = 4;

/// The largest extent of a grid (operations, 3.2).
static constexpr int64_t mostBlocks = (1 << 24) - 1;

ArrayRef<int64_t> prove::shapeOf(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

static mlir::Type elementOf(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return type ? type.getElementType() : mlir::Type();
}

static bool isInteger(Value value) {
  return llvm::isa_and_present<mlir::IntegerType>(elementOf(value));
}

unsigned prove::widthOf(Value value) { return elementOf(value).getIntOrFloatBitWidth(); }

Support &Support::operator+=(const Support &other) {
  obligations.insert(other.obligations.begin(), other.obligations.end());
  if (!unknown)
    unknown = other.unknown;
  return *this;
}

Support prove::supportOf(const AbstractValue &value) {
  return std::visit(
      [](const auto &known) {
        if constexpr (requires { known.support; })
          return known.support;
        else
          return Support();
      },
      value);
}

void prove::restOn(AbstractValue &value, const Support &support) {
  std::visit(
      [&](auto &known) {
        if constexpr (requires { known.support; })
          known.support += support;
      },
      value);
}

//===-- Parameters --------------------------------------------------------------------------===//

static Pointer addMemory(Analysis &analysis, mlir::Type pointer, Polynomial length,
                         std::optional<Polynomial> address = {}) {
  const auto format = tile::formatOf(llvm::cast<tile::PointerType>(pointer).getPointeeType());
  const unsigned bits = numerics::info(*format).storageBits;
  analysis.memories.push_back(
      {std::move(length), std::move(address), std::max(bits / 8, 1u), bits < 8 ? 8 / bits : 1});
  return {unsigned(analysis.memories.size() - 1), Polynomial()};
}

static Pointer addArray(Analysis &analysis, const std::string &name, mlir::Type pointer) {
  Symbols &symbols = analysis.symbols;
  const auto anyLength = [](const Polynomial &length) -> Conjunction {
    return {atLeast(length, 0), rangeOf(length, 64)[1]};
  };
  const auto anyAddress = [](const Polynomial &address) -> Conjunction {
    return {atLeast(address, 0), rangeOf(address, 64)[1]};
  };
  const Polynomial length =
      symbols.addParameter(SymbolKind::Length, "len(" + name + ")", anyLength);
  return addMemory(analysis, pointer, length,
                   symbols.addParameter(SymbolKind::Address, "address(" + name + ")", anyAddress));
}

void Evaluator::begin(tile::EntryOp entry, ArrayRef<std::string> names) {
  Symbols &symbols = analysis.symbols;
  for (unsigned dim = 0; dim < 3; ++dim) {
    grid[dim] = symbols.addParameter(SymbolKind::Grid, std::string("grid.") + "xyz"[dim],
                                     [](const Polynomial &extent) -> Conjunction {
                                       return {atLeast(extent, 1), atLeast(mostBlocks, extent)};
                                     });
    blockId[dim] = symbols.addComputed(
        [&](const Polynomial &id) -> Cases { return {{atLeast(id, 0), lessThan(id, grid[dim])}}; });
  }
  for (auto [argument, name] : llvm::zip_equal(entry.getBody().getArguments(), names)) {
    if (llvm::isa<tile::PointerType>(elementOf(argument)))
      define(argument, addArray(analysis, name, elementOf(argument)));
    else if (isInteger(argument) && widthOf(argument) > 1)
      define(argument,
             Number{symbols.addParameter(SymbolKind::Scalar, name, [&](const Polynomial &v) {
               return rangeOf(v, widthOf(argument));
             })});
    else
      define(argument, anything(argument, entry));
  }
}

//===-- Values ------------------------------------------------------------------------------===//

AbstractValue Evaluator::anything(Value value, Operation *unknown) {
  const Support support{{}, unknown};
  if (llvm::isa_and_present<tile::PointerType>(elementOf(value)))
    return Pointer{std::nullopt, {}, support};
  if (!isInteger(value))
    return std::monostate();
  const unsigned width = widthOf(value);
  if (width == 1)
    return Truth{{{}}, {{}}, support};
  const auto inRange = [&](const Polynomial &any) -> Cases { return {rangeOf(any, width)}; };
  return Number{analysis.symbols.addComputed(inRange, unknown, !shapeOf(value).empty()), support};
}

Number Evaluator::numberOf(Value value) {
  const AbstractValue known = valueOf(value);
  if (const auto *number = std::get_if<Number>(&known))
    return *number;
  assert(widthOf(value) == 1 && "every other integer is a number");
  const Truth truth = truthOf(value);
  const auto signExtended = [&](const Polynomial &bit) {
    return either(both(truth.whenTrue, {{equal(bit, -1)}}),
                  both(truth.whenFalse, {{equal(bit, 0)}}));
  };
  const bool perElement = !shapeOf(value).empty();
  return {analysis.symbols.addComputed(signExtended, nullptr, perElement), truth.support};
}

Truth Evaluator::truthOf(Value value) {
  const AbstractValue known = valueOf(value);
  if (const auto *truth = std::get_if<Truth>(&known))
    return *truth;
  return {};
}

Number Evaluator::asUnsigned(Number number, unsigned width) {
  if (analysis.symbols.isNonNegative(number.value))
    return number;
  const Polynomial value = number.value;
  const Integer modulus(llvm::APInt::getOneBitSet(width + 2, width));
  number.value = analysis.symbols.addComputed([&](const Polynomial &reading) -> Cases {
    return {{atLeast(value, 0), equal(reading, value)},
            {lessThan(value, 0), equal(reading, value + Polynomial(modulus))}};
  });
  return number;
}

AbstractValue Evaluator::choose(const Truth &condition, Value result, const AbstractValue &whenTrue,
                                const AbstractValue &whenFalse) {
  const bool perElement = !shapeOf(result).empty();
  const auto pick = [&](const Polynomial &a, const Polynomial &b) {
    if (a == b)
      return a;
    const auto either = [&](const Polynomial &chosen) {
      return prove::either(both(condition.whenTrue, {{equal(chosen, a)}}),
                           both(condition.whenFalse, {{equal(chosen, b)}}));
    };
    return analysis.symbols.addComputed(either, nullptr, perElement);
  };
  if (const auto *a = std::get_if<Number>(&whenTrue), *b = std::get_if<Number>(&whenFalse);
      a && b) {
    Support support = a->support;
    return Number{pick(a->value, b->value), (support += b->support) += condition.support};
  }
  if (const auto *a = std::get_if<Truth>(&whenTrue), *b = std::get_if<Truth>(&whenFalse); a && b) {
    Support support = a->support;
    return Truth{
        either(both(condition.whenTrue, a->whenTrue), both(condition.whenFalse, b->whenTrue)),
        either(both(condition.whenTrue, a->whenFalse), both(condition.whenFalse, b->whenFalse)),
        (support += b->support) += condition.support};
  }
  const auto *a = std::get_if<Pointer>(&whenTrue), *b = std::get_if<Pointer>(&whenFalse);
  if (!a || !b || a->memory != b->memory || !a->memory)
    return anything(result, result.getDefiningOp());
  Support support = a->support;
  return Pointer{a->memory, pick(a->offset, b->offset),
                 (support += b->support) += condition.support};
}

Support Evaluator::require(Operation *op, ObligationKind kind, Cases violation, Support support,
                           ArrayRef<int64_t> shape) {
  violation = both(both(path.cases, {Symbols::insideOf(shape)}), violation);
  Support result = support;
  result.obligations.insert(analysis.obligations.size());
  analysis.obligations.push_back({op, kind, std::move(violation), {}, support += path.support});
  return result;
}

void Evaluator::know(Conjunction facts, const Support &support) {
  path.cases = both(path.cases, {std::move(facts)});
  path.support.obligations.insert(support.obligations.begin(), support.obligations.end());
}

//===-- Rearrangements ----------------------------------------------------------------------===//

/// The position in the source along each dimension: a polynomial in positions of the result. None
/// if a coordinate is not linear, as where a dimension is split.
static std::optional<std::vector<Polynomial>> sourcePositions(tile::RearrangementOpInterface op) {
  const ArrayRef<int64_t> source = shapeOf(op.getMoved()), result = shapeOf(op->getResult(0));
  std::vector<Polynomial> positions(source.size());
  std::vector<int64_t> last(source.size()), strides(source.size(), 1);
  for (size_t dim = source.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * source[dim];
  for (auto [dim, step] : llvm::enumerate(op.getElementSteps())) {
    if (step == 0 || result[dim] == 1)
      continue;
    size_t along = 0;
    while (along < source.size() && step < strides[along])
      ++along;
    if (along == source.size() || step % strides[along])
      return std::nullopt;
    last[along] += (result[dim] - 1) * (step / strides[along]);
    if (last[along] >= source[along])
      return std::nullopt;
    positions[along] += Symbols::position(dim) * Polynomial(step / strides[along]);
  }
  return positions;
}

void Evaluator::executeRearrangement(tile::RearrangementOpInterface op) {
  const Value result = op->getResult(0);
  const auto positions = sourcePositions(op);
  AbstractValue value = valueOf(op.getMoved());
  if (!positions || !op.getSelectors().empty())
    return define(result, anything(result, op));
  Symbols &symbols = analysis.symbols;
  if (auto *number = std::get_if<Number>(&value))
    number->value = symbols.moved(number->value, *positions);
  if (auto *pointer = std::get_if<Pointer>(&value))
    pointer->offset = symbols.moved(pointer->offset, *positions);
  if (auto *truth = std::get_if<Truth>(&value)) {
    truth->whenTrue = symbols.moved(truth->whenTrue, *positions);
    truth->whenFalse = symbols.moved(truth->whenFalse, *positions);
  }
  define(result, std::move(value));
}

//===-- Sources of values -------------------------------------------------------------------===//

void Evaluator::executeConstant(tile::ConstantOp op) {
  const mlir::DenseElementsAttr elements = tile::constantElements(op.getResult());
  if (!elements || !isInteger(op.getResult()))
    return define(op.getResult(), anything(op.getResult(), op));
  if (widthOf(op.getResult()) == 1) {
    if (!elements.isSplat())
      return define(op.getResult(), Truth{});
    const bool bit = elements.getSplatValue<llvm::APInt>().getBoolValue();
    return define(op.getResult(), Truth{bit ? Cases{{}} : Cases{}, bit ? Cases{} : Cases{{}}});
  }
  std::vector<Integer> all;
  for (const llvm::APInt &value : elements.getValues<llvm::APInt>())
    all.push_back(Integer(value));
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  if (*least == *most)
    return define(op.getResult(), Number{Polynomial(*least)});
  const auto between = [&](const Polynomial &value) -> Cases {
    return {{atLeast(value, Polynomial(*least)), atLeast(Polynomial(*most), value)}};
  };
  define(op.getResult(),
         Number{analysis.symbols.addComputed(between, nullptr, /*perElement=*/true)});
}

void Evaluator::executeGlobal(tile::GetGlobalOp op) {
  auto global = mlir::SymbolTable::lookupNearestSymbolFrom<tile::GlobalOp>(op, op.getNameAttr());
  const auto length = llvm::cast<mlir::ElementsAttr>(global.getValueAttr()).getNumElements();
  define(op.getResult(), addMemory(analysis, elementOf(op.getResult()), Integer(length)));
}

void Evaluator::executeAlloca(tile::AllocaOp op) {
  define(op.getResult(),
         addMemory(analysis, elementOf(op.getResult()), Integer(int64_t(op.getNumElem()))));
}

/// Offsets in bytes fit 64 bits, and addresses are not negative (operations, 4.9). Memory that is
/// not an argument may lie anywhere.
Support Evaluator::requireAddress(tile::OffsetOp op, const Polynomial &by, const Pointer &moved) {
  const Memory &memory = analysis.memories[*moved.memory];
  const Conjunction fits = rangeOf(by * Polynomial(memory.elementBytes), 64);
  Cases violated = negation(atLeast(memory.scaledAddress(moved.offset), 0));
  for (const Constraint &bound : fits)
    violated = either(violated, negation(bound));
  return require(op, ObligationKind::Range, violated, moved.support, shapeOf(op.getResult()));
}

void Evaluator::executeOffset(tile::OffsetOp op) {
  const AbstractValue source = valueOf(op.getPtr());
  const auto *pointer = std::get_if<Pointer>(&source);
  if (!pointer)
    return define(op.getResult(), anything(op.getResult(), op));
  Pointer moved = *pointer;
  const Number offset = numberOf(op.getOffset());
  moved.offset += offset.value;
  moved.support += offset.support;
  if (moved.memory && widthOf(op.getOffset()) > 32)
    moved.support += requireAddress(op, offset.value, moved);
  define(op.getResult(), std::move(moved));
}

void Evaluator::executeBlockId(tile::GetTileBlockIdOp op) {
  for (unsigned dim = 0; dim < 3; ++dim)
    define(op->getResult(dim), Number{blockId[dim]});
}

void Evaluator::executeGrid(tile::GetNumTileBlocksOp op) {
  for (unsigned dim = 0; dim < 3; ++dim)
    define(op->getResult(dim), Number{grid[dim]});
}

//===-- Operations --------------------------------------------------------------------------===//

/// Values of large polynomials are not analysed any further.
static bool isTooLarge(const AbstractValue &value) {
  const auto *number = std::get_if<Number>(&value);
  const auto *pointer = std::get_if<Pointer>(&value);
  const Polynomial *polynomial = number ? &number->value : pointer ? &pointer->offset : nullptr;
  return polynomial && (polynomial->degree() > mostFactors || polynomial->terms().size() > 32);
}

void Evaluator::limit(Operation *op) {
  for (Value result : op->getResults())
    if (AbstractValue value = valueOf(result); isTooLarge(value)) {
      AbstractValue any = anything(result, op);
      restOn(any, supportOf(value));
      define(result, std::move(any));
    }
}

bool Evaluator::execute(Operation *op) {
  bool isKnown = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::ConstantOp constant) { executeConstant(constant); })
      .Case([&](tile::GetTileBlockIdOp id) { executeBlockId(id); })
      .Case([&](tile::GetNumTileBlocksOp blocks) { executeGrid(blocks); })
      .Case([&](tile::GetGlobalOp global) { executeGlobal(global); })
      .Case([&](tile::AllocaOp alloca) { executeAlloca(alloca); })
      .Case([&](tile::OffsetOp offset) { executeOffset(offset); })
      .Case([&](tile::RearrangementOpInterface moves) { executeRearrangement(moves); })
      .Default([&](Operation *) { isKnown = false; });
  return isKnown;
}
