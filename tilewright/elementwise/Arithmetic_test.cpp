// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that emitted code computes what the operations define. Each elementwise operation, with
// each of its modifiers and formats, is compiled for the host processor and for the baseline of its
// family, for one element and for sixteen. It runs on edge cases and random values (all values of
// 16 bits, all pairs of 8 bits) and must give the bits of its `evalElement`. If that is poison,
// nothing is compared, except for conversions to i1; but nothing may trap.

#include "test/support/numerics/EdgeValues.h"
#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/Jit.h"
#include "tilewright/codegen/Lower.h"
#include "tilewright/elementwise/Arithmetic.h"
#include "tilewright/elementwise/ArithmeticParts.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/ElementwiseForms.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace tilewright;
using namespace tilewright::elementwise;
using codegen::LoadedCode;
using codegen::TargetMachine;
using numerics::Element;
using numerics::Format;
using tile::ElementwiseOpInterface;

namespace LLVM = mlir::LLVM;

namespace {

// At build time, each chapter checks that it has code for all of its elementwise operations and for
// no others.
constexpr Cases additions{[](tile::AddIOp, Operands in) { return in[0]; }};
static_assert(Chapter<tile::AddIOp, tile::IotaOp>::isComplete<decltype(additions)>);
static_assert(!Chapter<tile::AddIOp, tile::SubIOp>::isComplete<decltype(additions)>);

//===-- Elements in memory ------------------------------------------------------------------===//

/// Words as in tile buffers: tf32 is the f32 with the same value.
class Words {
public:
  Words(Format format, size_t count)
      : format(format), bytes(bytesOf(format)), memory(count * bytes) {}

  void set(size_t index, Element element) {
    uint64_t word = element.bits << unusedBits();
    std::memcpy(&memory[index * bytes], &word, bytes);
  }
  Element get(size_t index) const {
    uint64_t word = 0;
    std::memcpy(&word, &memory[index * bytes], bytes);
    // Bits that are not part of the format must be zero.
    EXPECT_EQ(word & ((uint64_t(1) << unusedBits()) - 1), 0u) << "in the unused bits";
    word >>= unusedBits();
    EXPECT_EQ(word & ~numerics::info(format).mask(), 0u) << "above the pattern";
    return Element::fromBits(format, word & numerics::info(format).mask());
  }
  void *data() { return memory.data(); }

private:
  static size_t bytesOf(Format format) {
    return format == Format::TF32 ? 4 : (numerics::info(format).bits + 7) / 8;
  }
  unsigned unusedBits() const { return format == Format::TF32 ? 13 : 0; }

  Format format;
  size_t bytes;
  std::vector<uint8_t> memory;
};

//===-- Code for an operation ---------------------------------------------------------------===//

/// An operation, possibly with a constant last operand.
struct Form {
  mlir::Operation *op;
  std::optional<Element> last = std::nullopt;

  bool isKnown(unsigned operand) const { return last && operand + 1 == op->getNumOperands(); }
};

/// Emits `void name(in0, in1, in2, out, count)`, which applies the operation to arrays of words.
void emitLoop(mlir::OpBuilder &builder, const TargetMachine &target, const Form &form,
              int64_t lanes, llvm::StringRef name) {
  mlir::Operation *op = form.op;
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Location loc = builder.getUnknownLoc();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  mlir::Type i64 = builder.getI64Type(), none = LLVM::LLVMVoidType::get(builder.getContext());
  auto type = LLVM::LLVMFunctionType::get(none, {pointer, pointer, pointer, pointer, i64});
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));

  auto constant = [&](int64_t value) { return constantBits(builder, loc, i64, value); };
  auto loop =
      mlir::scf::ForOp::create(builder, loc, constant(0), function.getArgument(4), constant(lanes));
  LLVM::ReturnOp::create(builder, loc, mlir::ValueRange());
  builder.setInsertionPointToStart(loop.getBody());

  auto elementType = [](mlir::Value tile) {
    return llvm::cast<tile::TileType>(tile.getType()).getElementType();
  };
  auto addressOf = [&](unsigned argument, mlir::Type word) -> mlir::Value {
    return LLVM::GEPOp::create(builder, loc, pointer, word, function.getArgument(argument),
                               llvm::ArrayRef<LLVM::GEPArg>{loop.getInductionVar()});
  };
  llvm::SmallVector<mlir::Value> in;
  for (auto [k, operand] : llvm::enumerate(op->getOperands())) {
    mlir::Type word = wordType(elementType(operand));
    mlir::Type loaded = lanes == 1 ? word : mlir::VectorType::get({lanes}, word);
    mlir::Value value = LLVM::LoadOp::create(builder, loc, loaded, addressOf(k, word), 1);
    if (form.isKnown(k))
      value = constantBits(builder, loc, loaded, form.last->bits);
    in.push_back(fromWord(builder, loc, value, elementType(operand)));
  }
  mlir::Value result = emitElementwise(builder, target, op, in);
  mlir::Type word = wordType(elementType(op->getResult(0)));
  LLVM::StoreOp::create(builder, loc, toWord(builder, loc, result), addressOf(3, word), 1);
}

std::string functionName(size_t index, int64_t lanes) {
  return "f" + std::to_string(index) + "_" + std::to_string(lanes);
}

/// One lane, less than a register, one register of some target, and more.
constexpr int64_t laneCounts[] = {1, 2, 16, 32};

LoadedCode compile(llvm::ArrayRef<Form> forms, const TargetMachine &target) {
  mlir::MLIRContext *context = forms.front().op->getContext();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context));
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(module->getBody());
  for (auto [index, form] : llvm::enumerate(forms))
    for (int64_t lanes : laneCounts)
      emitLoop(builder, target, form, lanes, functionName(index, lanes));
  auto object = codegen::compileLoops(*module, target);
  EXPECT_TRUE(bool(object)) << object.failure().message;
  auto code = LoadedCode::load(*object);
  EXPECT_TRUE(bool(code)) << code.failure().message;
  return std::move(*code);
}

//===-- Values ------------------------------------------------------------------------------===//

class Values {
public:
  /// One list per operand, all of the same length.
  using Columns = std::vector<std::vector<Element>>;

  Columns forOperation(mlir::Operation *op) {
    std::vector<Format> formats;
    unsigned bits = 0;
    for (mlir::Value operand : op->getOperands()) {
      formats.push_back(tile::formatOfTile(operand));
      bits += numerics::info(formats.back()).bits;
    }
    Columns columns(formats.size());
    if (bits <= 16) {
      addAll(columns, formats);
    } else {
      addEdges(columns, formats);
      for (int i = 0; i < 20000; ++i)
        addRandom(columns, formats);
    }
    if (auto convert = llvm::dyn_cast<tile::FToFOp>(op))
      addHalfway(columns, formats[0], tile::formatOfTile(convert.getTo()));
    while (columns[0].size() % laneCounts[3] != 0)
      for (std::vector<Element> &column : columns)
        column.push_back(column.front());
    return columns;
  }

private:
  static void addAll(Columns &columns, const std::vector<Format> &formats) {
    uint64_t count = 1;
    for (Format format : formats)
      count <<= numerics::info(format).bits;
    for (uint64_t number = 0; number < count; ++number) {
      uint64_t rest = number;
      for (auto [column, format] : llvm::zip(columns, formats)) {
        column.push_back(Element::fromBits(format, rest & numerics::info(format).mask()));
        rest >>= numerics::info(format).bits;
      }
    }
  }

  static void addEdges(Columns &columns, const std::vector<Format> &formats) {
    std::vector<std::vector<Element>> edges;
    size_t count = 1;
    for (Format format : formats)
      count *= edges.emplace_back(numerics::edgeValues(format)).size();
    for (size_t number = 0; number < count; ++number) {
      size_t rest = number;
      for (auto [column, values] : llvm::zip(columns, edges)) {
        column.push_back(values[rest % values.size()]);
        rest /= values.size();
      }
    }
  }

  /// The values of `to`, the midpoints between them, and values on both sides of those.
  static void addHalfway(Columns &columns, Format from, Format to) {
    if ((from != Format::F32 && from != Format::F64) || numerics::info(to).bits > 19)
      return;
    const unsigned every = numerics::info(to).bits == 19 ? 7 : 1;
    for (uint64_t pattern = 0; pattern < numerics::info(to).largest; pattern += every) {
      double low = Element::fromBits(to, pattern).asDouble();
      double high = Element::fromBits(to, pattern + 1).asDouble();
      for (double value : {low, (low + high) / 2})
        for (double sign : {1.0, -1.0}) {
          Element exact = from == Format::F64 ? Element::fromDouble(sign * value)
                                              : Element::fromFloat(float(sign * value));
          columns[0].push_back(exact);
          columns[0].push_back({exact.bits + 1, from});
          if (value != 0)
            columns[0].push_back({exact.bits - 1, from});
        }
    }
  }

  void addRandom(Columns &columns, const std::vector<Format> &formats) {
    std::vector<Element> row;
    for (Format format : formats)
      row.push_back(row.empty() || !numerics::info(format).isFloat() ? any(format)
                                                                     : near(format, row.back()));
    if (formats.size() == 3 && formats[0] == formats[2] && numerics::info(formats[0]).isFloat())
      row[2] = nearProduct(row);
    for (auto [column, element] : llvm::zip(columns, row))
      column.push_back(element);
  }

  Element any(Format format) {
    const numerics::FormatInfo &f = numerics::info(format);
    if (!f.isFloat())
      return Element::fromBits(format, integer(f.bits) & f.mask());
    return withExponent(format, below(uint64_t(1) << f.exponentBits));
  }

  /// Integers with random bits, with few bits, or close to two powers of two, whose rounding may
  /// hit midpoints.
  uint64_t integer(unsigned bits) {
    switch (random() % 3) {
    case 0:
      return random();
    case 1:
      return random() >> (64 - bits + below(bits));
    default:
      return (uint64_t(1) << below(bits)) + (uint64_t(1) << below(bits)) + below(3) - 1;
    }
  }

  /// Often with an exponent at which the operands interact.
  Element near(Format format, Element other) {
    const numerics::FormatInfo &f = numerics::info(format);
    if (other.format != format || random() % 3 == 0)
      return any(format);
    int64_t exponent = (other.bits & ~f.signBit()) >> f.mantissaBits;
    return withExponent(format,
                        exponent + int64_t(below(2 * f.mantissaBits + 8)) - f.mantissaBits - 4);
  }

  /// A value that nearly cancels a product, or has a similar magnitude.
  Element nearProduct(const std::vector<Element> &row) {
    Element product = numerics::mulF(row[0], row[1]);
    if (random() % 3 == 0)
      return near(product.format, product);
    uint64_t noise = random() % 3 == 0 ? 0 : below(7) - 3;
    const numerics::FormatInfo &f = numerics::info(product.format);
    return Element::fromBits(product.format, ((product.bits ^ f.signBit()) + noise) & f.mask());
  }

  Element withExponent(Format format, int64_t exponent) {
    const numerics::FormatInfo &f = numerics::info(format);
    int64_t last = (int64_t(1) << f.exponentBits) - 1;
    exponent = std::clamp<int64_t>(exponent, 0, last);
    uint64_t mantissa = random();
    switch (random() % 4) {
    case 0: // few bits, so that results are exact or ties
      mantissa <<= f.mantissaBits - below(f.mantissaBits + 1);
      break;
    case 1: // close to a power of two
      mantissa = below(5) - 2;
      break;
    default:
      break;
    }
    mantissa &= (uint64_t(1) << f.mantissaBits) - 1;
    uint64_t sign = random() & f.signBit();
    return Element::fromBits(format, sign | uint64_t(exponent) << f.mantissaBits | mantissa);
  }

  uint64_t random() { return engine(); }
  uint64_t below(uint64_t bound) { return engine() % bound; }

  std::mt19937_64 engine{22};
};

//===-- Comparison --------------------------------------------------------------------------===//

/// Whether a result is right.
using Judge = std::function<bool(Element result, Element expected)>;

bool sameBits(Element result, Element expected) {
  bool isWide = result.format == Format::F32 || result.format == Format::F64;
  return result.bits == expected.bits || (isWide && result.isNan() && expected.isNan());
}

/// The result of the operation for a row; poison if any result is allowed.
Element resultOf(mlir::Operation *op, const std::vector<Element> &row) {
  return llvm::cast<ElementwiseOpInterface>(op).evalElement(row);
}

class Arithmetic : public testing::Test {
protected:
  Arithmetic() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<tile::TileDialect>();
    codegen::loadLoopDialects(context);
    module = mlir::parseSourceString<mlir::ModuleOp>(tile::ElementwiseForms().module(), &context);
    EXPECT_TRUE(module);
  }

  using Choice = llvm::function_ref<bool(mlir::Operation *)>;

  std::vector<Form> formsOf(Choice choice) {
    std::vector<Form> forms;
    module->walk([&](ElementwiseOpInterface op) {
      if (choice(op))
        forms.push_back({op});
    });
    return forms;
  }

  void compareAll(const std::vector<Form> &forms, Judge isRight = sameBits) {
    ASSERT_FALSE(forms.empty());
    std::vector<std::pair<std::string, LoadedCode>> variants;
    variants.emplace_back("the host", compile(forms, TargetMachine::host()));
    TargetMachine least = *TargetMachine::of("x86_64-unknown-linux-gnu", "x86-64");
    least.hasRemainder = false;
    variants.emplace_back("x86-64", compile(forms, least));
    if (HasFailure())
      return;
    for (auto [index, form] : llvm::enumerate(forms)) {
      std::string text;
      llvm::raw_string_ostream(text) << *form.op;
      SCOPED_TRACE(text);
      compare(form, index, variants, isRight);
    }
  }

private:
  void compare(const Form &form, size_t index,
               llvm::ArrayRef<std::pair<std::string, LoadedCode>> variants, Judge &isRight) {
    mlir::Operation *op = form.op;
    Values::Columns columns = Values().forOperation(op);
    if (form.last)
      llvm::fill(columns.back(), *form.last);
    size_t count = columns[0].size();
    std::vector<Words> words;
    for (const std::vector<Element> &column : columns) {
      Words &operand = words.emplace_back(column.front().format, count);
      for (size_t i = 0; i < count; ++i)
        operand.set(i, column[i]);
    }
    std::vector<Element> expected;
    for (size_t i = 0; i < count; ++i)
      expected.push_back(resultOf(op, row(columns, i)));

    void *in[3] = {};
    for (size_t k = 0; k < words.size(); ++k)
      in[k] = words[k].data();
    for (const auto &[target, code] : variants)
      for (int64_t lanes : laneCounts) {
        Words result(tile::formatOfTile(op->getResult(0)), count);
        auto *run = reinterpret_cast<void (*)(void *, void *, void *, void *, int64_t)>(
            *code.lookup(functionName(index, lanes)));
        run(in[0], in[1], in[2], result.data(), count);
        for (size_t i = 0; i < count; ++i)
          if (!expected[i].poison && !isRight(result.get(i), expected[i])) {
            ADD_FAILURE() << target << ", " << lanes << " lanes: (" << textOf(row(columns, i))
                          << ") gives " << textOf({result.get(i)}) << " rather than "
                          << textOf({expected[i]});
            return;
          }
      }
  }

  static std::vector<Element> row(const Values::Columns &columns, size_t index) {
    std::vector<Element> in;
    for (const std::vector<Element> &column : columns)
      in.push_back(column[index]);
    return in;
  }

  static std::string textOf(const std::vector<Element> &elements) {
    std::string text;
    for (Element element : elements)
      text += (text.empty() ? "0x" : ", 0x") + llvm::utohexstr(element.bits);
    return text;
  }

protected:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

//===-- The chapters ------------------------------------------------------------------------===//

bool isFunction(mlir::Operation *op) {
  return llvm::isa<tile::ExpOp, tile::Exp2Op, tile::LogOp, tile::Log2Op, tile::SinOp, tile::CosOp,
                   tile::TanOp, tile::SinhOp, tile::CoshOp, tile::TanhOp, tile::PowOp,
                   tile::Atan2Op, tile::FPowIOp, tile::RsqrtOp>(op);
}
bool isConversion(mlir::Operation *op) {
  return llvm::isa<tile::FToFOp, tile::FToIOp, tile::IToFOp>(op);
}
bool worksOnFloats(mlir::Operation *op) {
  return numerics::info(tile::formatOfTile(op->getOperand(0))).isFloat();
}

TEST_F(Arithmetic, onIntegersIsExact) {
  compareAll(formsOf([](mlir::Operation *op) { return !worksOnFloats(op) && !isConversion(op); }));
}

// Divisions by constants become multiplications, unless a zero makes the result undefined.
TEST_F(Arithmetic, dividesByConstants) {
  std::vector<Form> forms;
  for (const Form &division :
       formsOf([](mlir::Operation *op) { return llvm::isa<tile::DivIOp, tile::RemIOp>(op); })) {
    Format format = tile::formatOfTile(division.op->getOperand(1));
    const auto lowest = int64_t(0 - uint64_t(numerics::info(format).signBit()));
    for (int64_t divisor : {int64_t(0), int64_t(1), int64_t(-1), int64_t(7), lowest})
      forms.push_back({division.op, Element::integer(format, divisor)});
  }
  compareAll(forms);
}

TEST_F(Arithmetic, onFloatsRoundsOnce) {
  compareAll(formsOf([](mlir::Operation *op) {
    return worksOnFloats(op) && !isConversion(op) && !isFunction(op);
  }));
}

TEST_F(Arithmetic, convertsFloatsToFloats) {
  compareAll(formsOf([](mlir::Operation *op) { return llvm::isa<tile::FToFOp>(op); }));
}

TEST_F(Arithmetic, convertsFloatsToIntegersAndBack) {
  compareAll(
      formsOf([](mlir::Operation *op) { return llvm::isa<tile::FToIOp, tile::IToFOp>(op); }));
}

/// The number of values between two values; -0 and +0 count as one.
int64_t distance(Element a, Element b) {
  auto rank = [](Element element) {
    int64_t size = element.bits & ~numerics::info(element.format).signBit();
    return element.isNegative() ? -size : size;
  };
  return std::abs(rank(a) - rank(b));
}

// Uses the largest of the bounds of arithmetic, 3.4; the functions have their own tests. Near the
// smallest normal number, a flushed result may be on the other side of the jump.
TEST_F(Arithmetic, callsTheFunctionThatIsMeant) {
  compareAll(formsOf(isFunction), [](Element result, Element expected) {
    if (result.isNan() || expected.isNan())
      return sameBits(result, expected);
    bool isHalf = numerics::info(result.format).bits == 16;
    bool isSmall = result.format == Format::F32 && std::fabs(result.asDouble()) < 0x1.1p-126 &&
                   std::fabs(expected.asDouble()) < 0x1.1p-126;
    return distance(result, expected) <= (isHalf ? 1 : 4) || isSmall;
  });
}

TEST_F(Arithmetic, isTestedWhole) {
  std::set<std::string> seen;
  module->walk([&](ElementwiseOpInterface op) { seen.insert(op->getName().getStringRef().str()); });
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ElementwiseOpInterface>()) {
      EXPECT_TRUE(seen.count(name.getStringRef().str())) << name.getStringRef().str();
    }
}

} // namespace
