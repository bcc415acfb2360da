// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that evaluate-constants keeps every bit. Random kernels are simplified first with unknown
// parameters, when only identities and chains apply, and then evaluated with known ones. The result
// must be what the original kernel computes, one operation after the other. Edge values are
// frequent: zeros, NaNs, infinities.

#include "tilewright/lower/EvaluateOp.h"
#include "tilewright/lower/Passes.h"
#include "tilewright/lower/Simplify.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/tile/Ops.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using numerics::Element;
using numerics::Format;

namespace {

/// Writes kernels as text, with the parameters `%p0 %p1 %p2`; the last value is printed.
class KernelWriter {
public:
  explicit KernelWriter(unsigned seed) : random(seed) {}

  std::string writeElementwise(StringRef type, ArrayRef<const char *> literals,
                               ArrayRef<const char *> operations);
  std::string writeRearrangements();
  unsigned pick(unsigned count) { return random() % count; }

private:
  std::string define(const Twine &operation);
  std::string constant(int64_t value) {
    return define("constant <i32: " + Twine(value) + "> : tile<i32>");
  }
  std::string finish(StringRef type, StringRef result, StringRef parameters);
  static std::string typeOf(ArrayRef<int64_t> shape);
  SmallVector<int64_t> splitShape(int64_t elements);

  struct Tile {
    std::string name;
    SmallVector<int64_t> shape;
  };
  Tile rearrange(const Tile &tile, const std::vector<Tile> &others);

  std::mt19937 random;
  std::string body;
  unsigned defined = 0;
};

std::string KernelWriter::define(const Twine &operation) {
  std::string name = "%v" + std::to_string(defined++);
  body += "  " + name + " = " + operation.str() + "\n";
  return name;
}

std::string KernelWriter::finish(StringRef type, StringRef result, StringRef parameters) {
  return ("cuda_tile.module @m {\nentry @k(" + parameters + ") {\n" + body +
          "  %token = print_tko \"%d\", " + result + " : " + type + " -> token\n}\n}\n")
      .str();
}

/// In an operation, `$` stands for an operand and `#` for the type. Half of the operands are the
/// previous value, so that most of the kernel contributes to the printed value.
std::string KernelWriter::writeElementwise(StringRef type, ArrayRef<const char *> literals,
                                           ArrayRef<const char *> operations) {
  std::vector<std::string> values = {"%p0", "%p1", "%p2"};
  std::string element = type.drop_front(5).drop_back().str();
  for (const char *literal : literals)
    values.push_back(define("constant <" + Twine(element) + ": " + literal + "> : " + type));
  for (int i = 0; i < 5; ++i) {
    std::string operation;
    for (char c : StringRef(operations[pick(operations.size())])) {
      if (c == '$')
        operation += pick(2) ? values.back() : values[pick(values.size())];
      else if (c == '#')
        operation += type;
      else
        operation += c;
    }
    // An operation with a condition: "c; use of @".
    auto [first, second] = StringRef(operation).split("; ");
    if (!second.empty()) {
      std::string condition = define(first);
      auto [before, after] = second.split('@');
      operation = (before + condition + after).str();
    }
    values.push_back(define(operation));
  }
  std::string parameters = ("%p0: " + type + ", %p1: " + type + ", %p2: " + type).str();
  return finish(type, values.back(), parameters);
}

std::string KernelWriter::typeOf(ArrayRef<int64_t> shape) {
  std::string text = "tile<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "i32>";
}

SmallVector<int64_t> KernelWriter::splitShape(int64_t elements) {
  SmallVector<int64_t> shape;
  while (elements > 1 && shape.size() < 3) {
    int64_t extent = int64_t(1) << pick(llvm::Log2_64(elements) + 1);
    shape.push_back(extent);
    elements /= extent;
  }
  shape.push_back(elements);
  return shape;
}

KernelWriter::Tile KernelWriter::rearrange(const Tile &tile, const std::vector<Tile> &others) {
  std::string from = typeOf(tile.shape);
  SmallVector<int64_t> shape = tile.shape;
  auto unary = [&](const Twine &head) {
    return Tile{define(head + " : " + from + " -> " + typeOf(shape)), shape};
  };
  size_t rank = tile.shape.size();
  switch (pick(5)) {
  case 0:
    shape = splitShape(llvm::product_of(tile.shape));
    return unary("reshape " + tile.name);
  case 1: {
    if (rank < 2)
      return tile;
    auto permutation = llvm::to_vector(llvm::seq<unsigned>(0, rank));
    std::shuffle(permutation.begin(), permutation.end(), random);
    std::string list;
    for (auto [to, dim] : llvm::zip_equal(shape, permutation)) {
      to = tile.shape[dim];
      list += (list.empty() ? "" : ", ") + std::to_string(dim);
    }
    return unary("permute " + tile.name + " [" + list + "]");
  }
  case 2: {
    for (int64_t &extent : shape)
      if (extent == 1 && llvm::product_of(shape) < 64)
        extent = 2;
    return unary("broadcast " + tile.name);
  }
  case 3: {
    std::string list;
    for (int64_t &extent : shape) {
      int64_t slices = int64_t(1) << pick(llvm::Log2_64(extent) + 1);
      extent /= slices;
      list += (list.empty() ? "" : ", ") + constant(pick(slices));
    }
    return unary("extract " + tile.name + "[" + list + "]");
  }
  default: {
    const Tile &other = others[pick(others.size())];
    if (other.shape != tile.shape || llvm::product_of(shape) > 64)
      return tile;
    unsigned dim = pick(rank);
    shape[dim] *= 2;
    return {define("cat " + tile.name + ", " + other.name + " dim = " + Twine(dim) + " : " + from +
                   ", " + from + " -> " + typeOf(shape)),
            shape};
  }
  }
}

std::string KernelWriter::writeRearrangements() {
  std::string ones = define("reshape %p0 : tile<i32> -> tile<1xi32>");
  std::string base = define(Twine("broadcast ") + ones + " : tile<1xi32> -> tile<16xi32>");
  std::string count = define("iota : tile<16xi32>");
  std::string sum = define(Twine("addi ") + base + ", " + count + " : tile<16xi32>");
  std::vector<Tile> tiles = {{sum, {16}}, {base, {16}}, {ones, {1}}};
  for (int i = 0; i < 12; ++i)
    tiles.push_back(rearrange(tiles[tiles.size() - 1 - pick(3)], tiles));
  return finish(typeOf(tiles.back().shape), tiles.back().name,
                "%p0: tile<i32>, %p1: tile<i32>, %p2: tile<i32>");
}

/// Runs the pass on kernels.
class Evaluator {
public:
  Evaluator() {
    context.loadDialect<TileDialect>();
    context.disableMultithreading();
  }

  OwningOpRef<mlir::ModuleOp> parse(const std::string &kernel) {
    return parseSourceString<mlir::ModuleOp>(kernel, &context);
  }
  static void run(mlir::ModuleOp module) {
    PassManager pm(module.getContext());
    pm.addPass(lower::createEvaluateConstants());
    ASSERT_TRUE(succeeded(pm.run(module)));
  }
  static EntryOp entryOf(mlir::ModuleOp module) {
    EntryOp found;
    module.walk([&](EntryOp entry) { found = entry; });
    return found;
  }
  /// Replaces the parameters by constants.
  static void fix(mlir::ModuleOp module, ArrayRef<Attribute> values) {
    Block &body = entryOf(module).getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    for (auto [parameter, value] : llvm::zip_equal(body.getArguments(), values)) {
      auto elements = cast<DenseElementsAttr>(value);
      parameter.replaceAllUsesWith(
          ConstantOp::create(builder, module.getLoc(), elements.getType(), elements));
    }
  }
  static Value printedValue(mlir::ModuleOp module) {
    Value value;
    module.walk([&](PrintOp print) { value = print.getArgs().front(); });
    return value;
  }
  /// The value that the kernel prints: its operations, evaluated in order without any other rule.
  /// Null if an operation that it depends on is undefined.
  static Attribute computeInOrder(mlir::ModuleOp module) {
    llvm::DenseMap<Value, lower::ConstantTile> tiles;
    for (Operation &op : entryOf(module).getBody().front()) {
      if (auto constant = dyn_cast<ConstantOp>(op))
        tiles.insert(
            {constant, lower::ConstantTile::of(cast<DenseElementsAttr>(constant.getValue()))});
      if (!lower::isEvaluable(&op))
        continue;
      SmallVector<const lower::ConstantTile *> operands;
      for (Value operand : op.getOperands())
        if (auto known = tiles.find(operand); known != tiles.end())
          operands.push_back(&known->second);
      if (operands.size() == op.getNumOperands())
        if (std::optional<lower::ConstantTile> tile = lower::evaluateOp(&op, operands))
          tiles.insert({op.getResult(0), std::move(*tile)});
    }
    auto printed = tiles.find(printedValue(module));
    return printed == tiles.end() ? Attribute() : printed->second.toAttribute();
  }

  /// Returns false if the result is undefined, so that nothing was compared.
  bool expectSameBits(const std::string &kernel, ArrayRef<Attribute> values) {
    OwningOpRef<mlir::ModuleOp> written = parse(kernel), simplified = parse(kernel);
    EXPECT_TRUE(written && simplified) << kernel;
    if (!written || !simplified)
      return false;
    fix(*written, values);
    Attribute expected = computeInOrder(*written);
    if (!expected)
      return false;
    run(*simplified);
    fix(*simplified, values);
    run(*simplified);
    // A constant, or arithmetic on an iota.
    EXPECT_EQ(expected, computeInOrder(*simplified)) << kernel;
    return true;
  }

  MLIRContext context;
};

/// Elements with these bits, drawn three at a time.
void compareElementwise(Format format, ArrayRef<const char *> literals, ArrayRef<uint64_t> bits,
                        ArrayRef<const char *> operations) {
  Evaluator evaluator;
  auto type = TileType::get({}, tile::typeOf(format, &evaluator.context));
  std::string text = "tile<" + std::string(numerics::info(format).spelling) + ">";
  unsigned compared = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    KernelWriter writer(seed);
    std::string kernel = writer.writeElementwise(text, literals, operations);
    for (int i = 0; i < 4; ++i) {
      SmallVector<Attribute> values;
      for (int parameter = 0; parameter < 3; ++parameter)
        values.push_back(lower::ConstantTile::splat(
                             type, Element::fromBits(format, bits[writer.pick(bits.size())]))
                             .toAttribute());
      compared += evaluator.expectSameBits(kernel, values);
      if (testing::Test::HasFailure())
        return;
    }
  }
  EXPECT_GT(compared, 4000u) << "most kernels should be defined";
}

} // namespace

TEST(EvaluateConstants, KeepsBitsOfIntegers) {
  const char *operations[] = {
      "addi $, $ : #",
      "subi $, $ : #",
      "muli $, $ : #",
      "mulhii $, $ : #",
      "shli $, $ : #",
      "shri $, $ signed : #",
      "shri $, $ unsigned : #",
      "andi $, $ : #",
      "ori $, $ : #",
      "xori $, $ : #",
      "negi $ : #",
      "absi $ : #",
      "maxi $, $ signed : #",
      "maxi $, $ unsigned : #",
      "mini $, $ signed : #",
      "mini $, $ unsigned : #",
      "divi $, $ signed : #",
      "divi $, $ unsigned : #",
      "remi $, $ signed : #",
      "cmpi less_than $, $, signed : # -> tile<i1>; select @, $, $ : tile<i1>, #",
      "cmpi equal $, $, signed : # -> tile<i1>; select @, $, $ : tile<i1>, #",
      "cmpi greater_than_or_equal $, $, unsigned : # -> tile<i1>; select @, $, $ : tile<i1>, #",
      "exti $ signed : # -> tile<i64>; trunci @ : tile<i64> -> #",
      "exti $ unsigned : # -> tile<i64>; trunci @ : tile<i64> -> #"};
  const char *literals[] = {"0", "1", "-1", "0x55", "-128", "127"};
  compareElementwise(Format::I8, literals, {0, 1, 2, 0x55, 0x7F, 0x80, 0xFF, 0xC3}, operations);
}

TEST(EvaluateConstants, KeepsBitsOfBooleans) {
  const char *operations[] = {"addi $, $ : #",
                              "subi $, $ : #",
                              "muli $, $ : #",
                              "mulhii $, $ : #",
                              "andi $, $ : #",
                              "ori $, $ : #",
                              "xori $, $ : #",
                              "negi $ : #",
                              "maxi $, $ signed : #",
                              "maxi $, $ unsigned : #",
                              "mini $, $ signed : #",
                              "divi $, $ unsigned : #",
                              "divi $, $ signed : #",
                              "remi $, $ signed : #",
                              "shli $, $ : #",
                              "shri $, $ signed : #",
                              "cmpi less_than $, $, signed : # -> #",
                              "cmpi less_than_or_equal $, $, unsigned : # -> #",
                              "select $, $, $ : #, #"};
  const char *literals[] = {"true", "false"};
  compareElementwise(Format::I1, literals, {0, 1}, operations);
}

TEST(EvaluateConstants, KeepsBitsOfFloats) {
  const char *operations[] = {
      "addf $, $ : #",
      "addf $, $ rounding<negative_inf> : #",
      "addf $, $ flush_to_zero : #",
      "addf $, $ rounding<zero> : #",
      "subf $, $ : #",
      "subf $, $ rounding<negative_inf> : #",
      "mulf $, $ : #",
      "mulf $, $ rounding<positive_inf> : #",
      "mulf $, $ flush_to_zero : #",
      "divf $, $ : #",
      "divf $, $ rounding<approx> : #",
      "maxf $, $ : #",
      "maxf $, $ propagate_nan : #",
      "minf $, $ flush_to_zero : #",
      "negf $ : #",
      "absf $ : #",
      "fma $, $, $ : #",
      "ceil $ : #",
      "pow $, $ : #",
      "cmpf less_than unordered $, $ : # -> tile<i1>; select @, $, $ : tile<i1>, #",
      "cmpf equal ordered $, $ : # -> tile<i1>; select @, $, $ : tile<i1>, #",
      "ftof $ : # -> tile<f64>; ftof @ : tile<f64> -> #",
      "ftof $ : # -> tile<f16>; ftof @ : tile<f16> -> #",
      "bitcast $ : # -> tile<i32>; bitcast @ : tile<i32> -> #"};
  const char *literals[] = {"0.0", "-0.0", "1.0", "0x7FC00001", "0x7FFFFFFF"};
  compareElementwise(Format::F32, literals,
                     {0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FFFFFFF,
                      0xFFC12345, 0x7F800001, 1, 0x80000001, 0x007FFFFF, 0x7F7FFFFF, 0x40490FDB},
                     operations);
}

TEST(EvaluateConstants, MovesElementsToTheSamePlace) {
  Evaluator evaluator;
  auto type = TileType::get({}, tile::typeOf(Format::I32, &evaluator.context));
  SmallVector<Attribute> values(
      3, lower::ConstantTile::splat(type, Element::integer(Format::I32, 1000)).toAttribute());
  for (unsigned seed = 0; seed < 2000 && !HasFailure(); ++seed)
    EXPECT_TRUE(evaluator.expectSameBits(KernelWriter(seed).writeRearrangements(), values));
}

/// All numbers in all formats up to 19 bits: roundTrips is true exactly when all of them come back.
TEST(EvaluateConstants, RoundTripsAreExact) {
  auto modeTo = [](Format format) {
    return format == Format::F8E8M0FNU ? numerics::RoundingMode::Zero
                                       : numerics::RoundingMode::NearestEven;
  };
  for (const numerics::FormatInfo &narrow : numerics::allFormats())
    for (const numerics::FormatInfo &wide : numerics::allFormats()) {
      if (!narrow.isFloat() || !wide.isFloat() || narrow.bits > 19 || narrow.format == wide.format)
        continue;
      bool allComeBack = true;
      for (uint64_t bits = 0; bits <= narrow.mask() && allComeBack; ++bits) {
        Element there = Element::fromBits(narrow.format, bits);
        if (there.isNan() && bits != narrow.canonicalNan)
          continue;
        Element between = floatToFloat(there, wide.format, modeTo(wide.format));
        allComeBack = floatToFloat(between, narrow.format, modeTo(narrow.format)) == there;
      }
      EXPECT_EQ(lower::roundTrips(narrow.format, wide.format), allComeBack)
          << narrow.spelling << " through " << wide.spelling;
    }
}
