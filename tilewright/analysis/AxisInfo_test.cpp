// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks strides against brute force: kernels of random arithmetic are evaluated element by
// element, and each answer is compared with all elements.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/AxisInfo.h"
#include "tilewright/numerics/Element.h"

#include <random>

using namespace tilewright;
using namespace tilewright::analysis;
using mlir::Value;
using numerics::Element;

namespace {

/// The elements of a tile in row-major order, where the kernel's argument is the address 4096.
std::vector<Element> elementsOf(Value tile) {
  auto type = llvm::cast<tile::TileType>(tile.getType());
  numerics::Format format = *tile::formatOf(type.getElementType());
  mlir::Operation *op = tile.getDefiningOp();
  if (!op)
    return {Element::fromBits(format, 4096)};
  std::vector<Element> elements;
  if (llvm::isa<tile::IotaOp>(op))
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      elements.push_back(Element::integer(format, i));
  else if (auto constant = llvm::dyn_cast<tile::ConstantOp>(op))
    for (const llvm::APInt &value :
         llvm::cast<mlir::DenseIntElementsAttr>(constant.getValue()).getValues<llvm::APInt>())
      elements.push_back(Element::fromBits(format, value.getZExtValue()));
  else if (auto assume = llvm::dyn_cast<tile::AssumeOp>(op))
    return elementsOf(assume.getValue());
  else if (auto moved = llvm::dyn_cast<tile::RearrangementOpInterface>(op)) {
    std::vector<Element> source = elementsOf(moved.getMoved());
    auto steps = moved.getElementSteps();
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      int64_t from = 0, rest = i;
      for (size_t dim = steps.size(); dim-- > 0; rest /= type.getShape()[dim])
        from += steps[dim] * (rest % type.getShape()[dim]);
      elements.push_back(source[from]);
    }
  } else {
    std::vector<std::vector<Element>> operands;
    for (Value operand : op->getOperands())
      operands.push_back(elementsOf(operand));
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      std::vector<Element> in;
      for (const std::vector<Element> &operand : operands)
        in.push_back(operand[i]);
      elements.push_back(llvm::cast<tile::ElementwiseOpInterface>(op).evalElement(in));
    }
  }
  return elements;
}

/// The difference of all neighbours along the dimension, modulo 2^width, with addresses counted in
/// words of an i32; none if the differences are not equal.
std::optional<int64_t> strideByForce(Value tile, unsigned dim) {
  auto type = llvm::cast<tile::TileType>(tile.getType());
  bool isPointer = llvm::isa<tile::PointerType>(type.getElementType());
  std::vector<Element> elements = elementsOf(tile);
  int64_t inner = 1;
  for (int64_t extent : type.getShape().drop_front(dim + 1))
    inner *= extent;
  std::optional<int64_t> stride;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    if (i / inner % type.getShape()[dim] == 0)
      continue;
    int64_t bytes = int64_t(elements[i].bits - elements[i - inner].bits);
    int64_t step = isPointer ? bytes / 4 : Element::integer(elements[i].format, bytes).asSigned();
    if (stride && *stride != step)
      return std::nullopt;
    stride = step;
  }
  return stride.value_or(0);
}

/// Such as the results of shifts by the width or more.
bool hasUndefinedElements(Value tile) {
  return llvm::any_of(elementsOf(tile), [](Element element) { return element.poison; });
}

/// Compares the known strides of every tile in the kernel with its elements.
void check(ParsedKernel &kernel, const std::string &text) {
  AxisInfo info;
  for (mlir::Operation *op : kernel.operations())
    for (Value result : op->getResults()) {
      auto type = llvm::dyn_cast<tile::TileType>(result.getType());
      if (!type || hasUndefinedElements(result))
        continue;
      for (unsigned dim = 0; dim < type.getShape().size(); ++dim)
        if (std::optional<int64_t> stride = info.stride(result, dim)) {
          std::optional<int64_t> expected = strideByForce(result, dim);
          ASSERT_TRUE(expected) << text;
          unsigned bits = numerics::info(*tile::formatOf(type.getElementType())).bits;
          EXPECT_EQ(uint64_t(*stride - *expected) << (64 - bits), 0u) << text;
        }
    }
}

/// Rows and columns of 4x8, splats of some numbers, and their sums and products.
const std::string coordinates = R"(
  %i8 = iota : tile<8xi32>
  %row = reshape %i8 : tile<8xi32> -> tile<1x8xi32>
  %v0 = broadcast %row : tile<1x8xi32> -> tile<4x8xi32>
  %i4 = iota : tile<4xi32>
  %column = reshape %i4 : tile<4xi32> -> tile<4x1xi32>
  %v1 = broadcast %column : tile<4x1xi32> -> tile<4x8xi32>
  %v2 = constant <i32: 12> : tile<4x8xi32>
  %v3 = constant <i32: -8> : tile<4x8xi32>
  %v4 = constant <i32: 2147483647> : tile<4x8xi32>
)";

std::string kernelOf(const std::vector<std::string> &operations, unsigned seed) {
  std::mt19937 random(seed);
  std::string text = coordinates;
  unsigned count = 5;
  auto any = [&] { return "%v" + std::to_string(random() % count); };
  auto unary = [&](const std::string &op, const std::string &rest) {
    std::string name = std::to_string(count);
    text += "%w" + name + " = " + op + " " + any() + rest + "\n%v" + name;
    return "%w" + name;
  };
  for (; count < 14; ++count) {
    const std::string &op = operations[random() % operations.size()];
    if (op == "permute") {
      std::string turned = unary("permute", " [1, 0] : tile<4x8xi32> -> tile<8x4xi32>");
      text += " = permute " + turned + " [1, 0] : tile<8x4xi32> -> tile<4x8xi32>\n";
    } else if (op == "reshape") {
      std::string shaped = unary("reshape", " : tile<4x8xi32> -> tile<2x2x1x8xi32>");
      text += " = reshape " + shaped + " : tile<2x2x1x8xi32> -> tile<4x8xi32>\n";
    } else if (op == "exti") {
      std::string narrow = unary("trunci", " : tile<4x8xi32> -> tile<4x8xi8>");
      text += " = exti " + narrow + " unsigned : tile<4x8xi8> -> tile<4x8xi32>\n";
    } else {
      text += "%v" + std::to_string(count) + " = " + op + " " + any() + ", " + any() +
              " : tile<4x8xi32>\n";
    }
  }
  return text;
}

TEST(AxisInfo, IsRightAboutRandomArithmetic) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::string text = kernelOf(
        {"addi", "subi", "muli", "xori", "andi", "shli", "permute", "reshape", "exti"}, seed);
    ParsedKernel kernel(text);
    check(kernel, text);
  }
}

/// All strides of sums, differences and permutations of coordinates and splats are known.
TEST(AxisInfo, KnowsLinearArithmetic) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::string text = kernelOf({"addi", "subi", "permute"}, seed);
    ParsedKernel kernel(text);
    check(kernel, text);
    AxisInfo info;
    for (mlir::Operation *op : kernel.operations()) {
      Value result = op->getNumResults() == 1 ? op->getResult(0) : Value();
      if (!result || llvm::cast<tile::TileType>(result.getType()).getRank() < 2)
        continue;
      for (unsigned dim : {0, 1})
        EXPECT_TRUE(info.stride(result, dim)) << text;
    }
  }
}

/// Two i8 offsets in a kernel, each a multiple of the column plus a splat near a limit of the
/// range. If the analysis finds them contiguous or equal without wrap-around, this must hold for
/// all elements with wrap-around, too.
TEST(AxisInfo, AddsNoStridesOfTwoOffsets) {
  for (int first : {-2, -1, 0, 1, 2, 3})
    for (int second : {-2, -1, 0, 1, 2, 3})
      for (int start : {0, 100, 120, -120}) {
        auto offset = [&](const std::string &name, int factor, int from) {
          return "%f" + name + " = constant <i8: " + std::to_string(factor) + "> : tile<16xi8>\n" +
                 "%s" + name + " = constant <i8: " + std::to_string(from) + "> : tile<16xi8>\n" +
                 "%m" + name + " = muli %i, %f" + name + " : tile<16xi8>\n" + "%o" + name +
                 " = addi %m" + name + ", %s" + name + " : tile<16xi8>\n";
        };
        ParsedKernel kernel("%i = iota : tile<16xi8>\n" + offset("1", first, start) +
                            offset("2", second, -start) + R"(
          %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
          %p = broadcast %p1 : tile<1xptr<i32>> -> tile<16xptr<i32>>
          %q = offset %p, %o1 : tile<16xptr<i32>>, tile<16xi8> -> tile<16xptr<i32>>
          %r = offset %q, %o2 : tile<16xptr<i32>>, tile<16xi8> -> tile<16xptr<i32>>)");
        std::vector<mlir::Operation *> operations = kernel.operations();
        Value result = operations[operations.size() - 2]->getResult(0);
        std::vector<Element> addresses = elementsOf(result);
        std::optional<int64_t> stride = AxisInfo().stride(result, 0);
        int64_t distance = int64_t(addresses.back().bits - addresses.front().bits);
        // The run-time check of compiled code before it treats addresses as contiguous.
        if (stride && distance == 4 * 15 * *stride) {
          EXPECT_EQ(strideByForce(result, 0), stride) << first << " " << second << " " << start;
        }
        EXPECT_EQ(stride.has_value(), first == 0 || second == 0);
      }
}

/// An i8 index that is extended to i16, i32 or i64, in one or two steps, multiplied, and added to
/// another one: the stride must hold for all elements if the first and the last element differ by
/// the expected amount.
TEST(AxisInfo, ExtendsOneIntegerThatGrows) {
  for (std::string sign : {"signed", "unsigned"})
    for (std::string wide : {"i16", "i32", "i64"})
      for (int start : {0, 100, 120, -120, -8})
        for (int factor : {-1, 1, 2})
          for (std::string sum : {"", "wide", "narrow", "splat"}) {
            std::string tiles = "tile<16x" + wide + ">";
            std::string extension = " " + sign + " : tile<16xi8> -> " + tiles + "\n";
            std::string text =
                "%i = iota : tile<16xi8>\n%s = constant <i8: " + std::to_string(start) +
                "> : tile<16xi8>\n%n = addi %i, %s : tile<16xi8>\n%j = iota : " + tiles +
                "\n%f = constant <" + wide + ": " + std::to_string(factor) + "> : " + tiles +
                "\n%e = exti %n" + extension + "%d = exti %i" + extension +
                "%m = muli %e, %f : " + tiles + "\n";
            std::string offset = sum.empty() ? "%m" : "%a";
            if (sum == "wide")
              text += "%a = subi %m, %j : " + tiles + "\n";
            if (sum == "narrow")
              text += "%a = subi %m, %d : " + tiles + "\n";
            if (sum == "splat")
              text += "%a = addi %f, %m : " + tiles + "\n";
            ParsedKernel kernel(text + R"(
              %p1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
              %p = broadcast %p1 : tile<1xptr<i32>> -> tile<16xptr<i32>>
              %q = offset %p, )" +
                                offset + " : tile<16xptr<i32>>, " + tiles +
                                " -> tile<16xptr<i32>>");
            Value result = kernel.first<tile::OffsetOp>().getResult();
            std::optional<int64_t> stride = AxisInfo().stride(result, 0);
            std::vector<Element> addresses = elementsOf(result);
            int64_t distance = int64_t(addresses.back().bits - addresses.front().bits);
            if (stride && distance == 4 * 15 * *stride) {
              EXPECT_EQ(strideByForce(result, 0), stride) << text << offset;
            }
            // Unknown: integers that are extended twice because the offset is extended, too, and
            // sums of two growing integers.
            bool isKnown = wide == "i64" && (sum.empty() || sum == "splat");
            EXPECT_EQ(stride, isKnown ? std::optional<int64_t>(factor) : std::nullopt) << text;
          }
}

struct Case {
  const char *text; ///< Its last operation creates a 4x8 tile.
  std::optional<int64_t> strides[2];
};

TEST(AxisInfo, OfSingleOperations) {
  const std::string pointers = R"(
    %p1 = reshape %x : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %p = broadcast %p1 : tile<1x1xptr<i32>> -> tile<4x8xptr<i32>>
    %a = assume div_by<64>, %p : tile<4x8xptr<i32>>
  )";
  const std::optional<int64_t> none;
  const Case cases[] = {
      {"%r = muli %v0, %v2 : tile<4x8xi32>", {0, 12}},
      {"%r = muli %v3, %v1 : tile<4x8xi32>", {-8, 0}},
      {"%r = muli %v0, %v1 : tile<4x8xi32>", {none, none}},
      {"%r = muli %v2, %v3 : tile<4x8xi32>", {0, 0}},
      {"%r = subi %v0, %v1 : tile<4x8xi32>", {-1, 1}},
      {"%r = subi %v2, %v3 : tile<4x8xi32>", {0, 0}},
      {"%r = constant <i32: 0> : tile<4x8xi32>", {0, 0}},
      {"%r = offset %p, %v0 : tile<4x8xptr<i32>>, tile<4x8xi32> -> tile<4x8xptr<i32>>", {0, 1}},
      {"%r = offset %a, %v0 : tile<4x8xptr<i32>>, tile<4x8xi32> -> tile<4x8xptr<i32>>", {0, 1}},
      {"%r = offset %a, %v3 : tile<4x8xptr<i32>>, tile<4x8xi32> -> tile<4x8xptr<i32>>", {0, 0}},
      // Constants: one that grows by 10 per row, and one whose last element differs.
      {"%r = constant <i8: [[1,2,3,4,5,6,7,8], [11,12,13,14,15,16,17,18], "
       "[21,22,23,24,25,26,27,28], "
       "[31,32,33,34,35,36,37,38]]> : tile<4x8xi8>",
       {10, 1}},
      {"%r = constant <i8: [[1,2,3,4,5,6,7,8], [1,2,3,4,5,6,7,8], [1,2,3,4,5,6,7,8], "
       "[1,2,3,4,5,6,7,9]]> : tile<4x8xi8>",
       {none, none}},
      {"%r = exti %v0 signed : tile<4x8xi32> -> tile<4x8xi64>", {0, 1}},
      {"%r = exti %v3 unsigned : tile<4x8xi32> -> tile<4x8xi64>", {0, 0}},
      {"%m = muli %v0, %v3 : tile<4x8xi32>\n"
       "%r = exti %m unsigned : tile<4x8xi32> -> tile<4x8xi64>",
       {0, -8}},
      {"%r = assume div_by<16>, %v3 : tile<4x8xi32>", {0, 0}},
      {"%r = assume div_by<16, every 8 along 1>, %v4 : tile<4x8xi32>", {0, 1}},
      {"%m = muli %v0, %v1 : tile<4x8xi32>\n"
       "%r = assume div_by<16, every 8 along 1>, %m : tile<4x8xi32>",
       {none, 1}},
      {"%m = muli %v0, %v1 : tile<4x8xi32>\n"
       "%r = assume div_by<16, every 4 along 1>, %m : tile<4x8xi32>",
       {none, none}},
      {"%m = muli %v0, %v1 : tile<4x8xi32>\n"
       "%r = assume same_elements<[4, 2]>, %m : tile<4x8xi32>",
       {0, none}},
  };
  for (const Case &expected : cases) {
    ParsedKernel kernel(coordinates + pointers + expected.text);
    std::vector<mlir::Operation *> operations = kernel.operations();
    Value result =
        operations[operations.size() - 2]->getResult(0); // the operation before the return
    AxisInfo info;
    for (unsigned dim : {0, 1})
      EXPECT_EQ(info.stride(result, dim), expected.strides[dim]) << expected.text << dim;
  }
}

TEST(AxisInfo, FindsTheDimensionOfContiguousAddresses) {
  auto along = [](const std::string &offset) {
    ParsedKernel kernel(coordinates +
                        "%p1 = reshape %x : tile<ptr<i32>> -> tile<1x1xptr<i32>>\n"
                        "%p = broadcast %p1 : tile<1x1xptr<i32>> -> tile<4x8xptr<i32>>\n" +
                        offset +
                        "\n%r = offset %p, %o : tile<4x8xptr<i32>>, tile<4x8xi32> -> "
                        "tile<4x8xptr<i32>>");
    return contiguousDimension(kernel.first<tile::OffsetOp>().getResult());
  };
  EXPECT_EQ(along("%o = addi %v0, %v2 : tile<4x8xi32>"), 1);
  EXPECT_EQ(along("%o = addi %v1, %v2 : tile<4x8xi32>"), 0);
  EXPECT_EQ(along("%o = addi %v0, %v0 : tile<4x8xi32>"), -1);
  EXPECT_EQ(along("%o = subi %v2, %v0 : tile<4x8xi32>"), -1);
  EXPECT_EQ(along("%m = muli %v1, %v2 : tile<4x8xi32>\n%o = addi %m, %v0 : tile<4x8xi32>"), 1);
}

} // namespace
