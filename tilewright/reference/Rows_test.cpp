// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does every elementwise operation mean the same in rows as element by element? For each
// operation of the dialect, with each of its modifiers and on each of its formats, the
// row function that is picked for it meets its `evalElement` on all combinations of edge
// values. (numerics/Rows_test.cpp has the arithmetic itself, on many more values.)

#include "tilewright/reference/Rows.h"
#include "tilewright/reference/Tile.h"
#include "tilewright/tile/Arithmetic.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <set>

using namespace tilewright;
using reference::Tile;
using tile::ElementwiseOpInterface;

using numerics::Element;
using numerics::Format;

namespace {

//===-- Every operation in every form ---------------------------------------------------===//

const std::vector<std::string> floats = {"f16", "bf16", "f32", "f64"};
const std::vector<std::string> integers = {"i1", "i8", "i16", "i32", "i64"};

/// The body of an entry; `uses` are the types of its parameters.
class Forms {
public:
  /// One more operation: `{0}` to `{2}` in the text are values of these element types.
  void add(std::string text, const std::vector<std::string> &types) {
    std::vector<std::string> values(3, "");
    for (size_t k = 0; k < types.size(); ++k)
      values[k] = valueOf(types[k], k);
    body += llvm::formatv("  %r{0} = ", count++).str() +
            llvm::formatv(false, text.c_str(), values[0], values[1], values[2]).str() + "\n";
  }

  std::string module() const {
    return "cuda_tile.module @m {\n entry @k(" + parameters + ") {\n" + body + "  return\n }\n}\n";
  }

private:
  std::string valueOf(const std::string &type, size_t operand) {
    std::string letters = type;
    for (char &c : letters)
      c = std::isalnum(c) ? c : '_';
    std::string name = "%" + letters + "_" + std::to_string(operand);
    if (declared.insert(name).second)
      parameters += (parameters.empty() ? "" : ", ") + name + ": tile<" + type + ">";
    return name;
  }

  std::set<std::string> declared;
  std::string parameters, body;
  int count = 0;
};

void addUnary(Forms &forms, const std::string &op, const std::vector<std::string> &types,
              const std::vector<std::string> &modifiers = {""}) {
  for (const std::string &type : types)
    for (const std::string &modifier : modifiers)
      forms.add(op + " {0} " + modifier + " : tile<" + type + ">", {type});
}

void addBinary(Forms &forms, const std::string &op, const std::vector<std::string> &types,
               const std::vector<std::string> &modifiers = {""}) {
  for (const std::string &type : types)
    for (const std::string &modifier : modifiers)
      forms.add(op + " {0}, {1} " + modifier + " : tile<" + type + ">", {type, type});
}

void addFloats(Forms &forms) {
  const std::vector<std::string> rounding = {"rounding<nearest_even>", "rounding<zero>"};
  const std::vector<std::string> flushed = {"flush_to_zero", "rounding<zero> flush_to_zero"};
  for (const char *op : {"addf", "subf", "mulf", "divf"}) {
    addBinary(forms, op, floats, rounding);
    addBinary(forms, op, {"f32"}, flushed);
  }
  addBinary(forms, "divf", {"f32"},
            {"rounding<approx>", "rounding<full>", "rounding<approx> flush_to_zero",
             "rounding<full> flush_to_zero"});
  addUnary(forms, "sqrt", floats, rounding);
  addUnary(forms, "sqrt", {"f32"}, {"rounding<approx>", "rounding<approx> flush_to_zero"});
  for (const std::string &type : floats)
    forms.add("fma {0}, {1}, {2} : tile<" + type + ">", {type, type, type});
  forms.add("fma {0}, {1}, {2} flush_to_zero : tile<f32>", {"f32", "f32", "f32"});
  addBinary(forms, "remf", floats);
  for (const char *op : {"maxf", "minf"}) {
    addBinary(forms, op, floats, {"", "propagate_nan"});
    addBinary(forms, op, {"f32"}, {"flush_to_zero", "propagate_nan flush_to_zero"});
  }
  for (const char *op : {"absf", "negf", "ceil", "floor", "exp", "exp2", "log", "log2", "sin",
                         "cos", "tan", "sinh", "cosh", "tanh", "rsqrt"})
    addUnary(forms, op, floats);
  addUnary(forms, "exp", {"f32"}, {"rounding<approx>"});
  addUnary(forms, "tanh", {"f32"}, {"rounding<approx>"});
  addUnary(forms, "exp2", {"f32"}, {"flush_to_zero"});
  addUnary(forms, "rsqrt", {"f32"}, {"flush_to_zero"});
  addBinary(forms, "pow", floats);
  addBinary(forms, "atan2", floats);
}

const char *predicates[] = {"equal",        "not_equal",
                            "less_than",    "less_than_or_equal",
                            "greater_than", "greater_than_or_equal"};

void addComparisons(Forms &forms) {
  for (const char *predicate : predicates) {
    for (const std::string &type : floats)
      for (const char *ordering : {"ordered", "unordered"})
        forms.add(std::string("cmpf ") + predicate + " " + ordering + " {0}, {1} : tile<" + type +
                      "> -> tile<i1>",
                  {type, type});
    for (const std::string &type : integers)
      for (const char *sign : {"signed", "unsigned"})
        forms.add(std::string("cmpi ") + predicate + " {0}, {1}, " + sign + " : tile<" + type +
                      "> -> tile<i1>",
                  {type, type});
  }
}

void addIntegers(Forms &forms) {
  const std::vector<std::string> promises = {"", "overflow<no_signed_wrap>",
                                             "overflow<no_unsigned_wrap>", "overflow<no_wrap>"};
  for (const char *op : {"addi", "subi", "muli", "shli"})
    addBinary(forms, op, integers, promises);
  addUnary(forms, "negi", integers, {"", "overflow<no_signed_wrap>"});
  addUnary(forms, "absi", integers);
  for (const char *op : {"mulhii", "andi", "ori", "xori"})
    addBinary(forms, op, integers);
  for (const char *op : {"shri", "remi", "maxi", "mini"})
    addBinary(forms, op, integers, {"signed", "unsigned"});
  addBinary(forms, "divi", integers,
            {"signed", "unsigned", "signed rounding<negative_inf>", "signed rounding<positive_inf>",
             "unsigned rounding<positive_inf>"});
}

void addConversions(Forms &forms) {
  auto add = [&](std::string op, std::string from, std::string to, std::string modifier = "") {
    forms.add(op + " {0} " + modifier + " : tile<" + from + "> -> tile<" + to + ">", {from});
  };
  for (size_t narrow = 0; narrow < integers.size(); ++narrow)
    for (size_t wide = narrow + 1; wide < integers.size(); ++wide) {
      add("exti", integers[narrow], integers[wide], "signed");
      add("exti", integers[narrow], integers[wide], "unsigned");
      add("trunci", integers[wide], integers[narrow]);
      add("trunci", integers[wide], integers[narrow], "overflow<no_signed_wrap>");
    }
  std::vector<std::string> all = floats;
  all.insert(all.end(), {"tf32", "f8E4M3FN", "f8E5M2"});
  for (const std::string &from : all)
    for (const std::string &to : all)
      if (from != to)
        add("ftof", from, to);
  add("ftof", "f32", "f8E8M0FNU", "rounding<zero>");
  add("ftof", "f8E8M0FNU", "f32");
  for (const std::string &number : floats)
    for (const std::string &integer : integers)
      for (const char *sign : {"signed", "unsigned"}) {
        add("ftoi", number, integer, sign);
        add("itof", integer, number, sign);
      }
  add("bitcast", "i16", "bf16");
  add("bitcast", "f64", "i64");
  add("bitcast", "f8E5M2", "i8");
  add("int_to_ptr", "i64", "ptr<f32>");
  add("ptr_to_int", "ptr<f32>", "i64");
  add("ptr_to_ptr", "ptr<f32>", "ptr<i8>");
}

void addOthers(Forms &forms) {
  for (const char *type : {"i1", "i16", "f32", "f64", "tf32", "ptr<f32>"})
    forms.add(std::string("select {0}, {1}, {2} : tile<i1>, tile<") + type + ">",
              {"i1", type, type});
  for (const char *pointee : {"i8", "f16", "f32", "f64", "tf32"})
    for (const char *index : {"i8", "i16", "i32", "i64"}) {
      std::string pointer = std::string("ptr<") + pointee + ">";
      forms.add("offset {0}, {1} : tile<" + pointer + ">, tile<" + index + "> -> tile<" + pointer +
                    ">",
                {pointer, index});
    }
}

//===-- Both ways -------------------------------------------------------------------------===//

std::vector<Element> edges(Format format) {
  const numerics::FormatInfo &f = numerics::info(format);
  std::vector<uint64_t> patterns = {0,
                                    1,
                                    2,
                                    5,
                                    31,
                                    64,
                                    f.signBit() - 1,
                                    f.signBit(),
                                    f.signBit() + 1,
                                    f.signBit() / 2,
                                    f.mask(),
                                    f.mask() - 1};
  if (f.isFloat()) {
    uint64_t one = uint64_t(f.bias) << f.mantissaBits, unit = uint64_t(1) << f.mantissaBits;
    for (uint64_t pattern :
         {unit - 1, unit, one - unit, one, one + 1, one + unit / 2, one + unit, one + 5 * unit - 1,
          f.largest - unit, f.largest, f.largest + 1, f.canonicalNan, f.canonicalNan - 1})
      for (uint64_t sign : {uint64_t(0), f.signBit()})
        patterns.push_back(pattern | sign);
  }
  std::vector<Element> elements;
  for (uint64_t pattern : patterns)
    elements.push_back(Element::fromBits(format, pattern & f.mask()));
  return elements;
}

/// All combinations of the operands' edges; number i counts through them.
std::vector<Element> combination(const std::vector<std::vector<Element>> &operands, size_t i) {
  std::vector<Element> in;
  for (const std::vector<Element> &operand : operands) {
    in.push_back(operand[i % operand.size()]);
    i /= operand.size();
  }
  return in;
}

void compare(mlir::Operation *op, numerics::RowFunction row) {
  std::vector<std::vector<Element>> operands;
  size_t combinations = 1;
  for (mlir::Value operand : op->getOperands())
    combinations *= operands.emplace_back(edges(tile::formatOfTile(operand))).size();
  std::vector<std::vector<Element>> inputs;
  std::vector<Element> expected;
  for (size_t i = 0; i < combinations; ++i) {
    std::vector<Element> in = combination(operands, i);
    Element value = llvm::cast<ElementwiseOpInterface>(op).evalElement(in);
    if (value.poison)
      continue;
    inputs.push_back(in);
    expected.push_back(value);
  }

  std::vector<Tile> tiles;
  std::vector<const void *> words;
  int64_t count = expected.size();
  for (size_t k = 0; k < operands.size(); ++k) {
    tiles.emplace_back(operands[k].front().format, count);
    for (int64_t i = 0; i < count; ++i)
      tiles.back().set(i, inputs[i][k]);
    words.push_back(tiles.back().words());
  }
  Tile result(tile::formatOfTile(op->getResult(0)), count);
  ASSERT_TRUE(row(words.data(), result.words(), count));
  for (int64_t i = 0; i < count; ++i)
    ASSERT_EQ(result[i], expected[i])
        << "combination " << i << ": " << result[i].bits << " rather than " << expected[i].bits;
}

TEST(Rows, MeanWhatElementsMean) {
  Forms forms;
  addFloats(forms);
  addComparisons(forms);
  addIntegers(forms);
  addConversions(forms);
  addOthers(forms);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(forms.module(), &context);
  ASSERT_TRUE(module);

  std::set<std::string> seen, inRows;
  int compared = 0;
  module->walk([&](ElementwiseOpInterface op) {
    seen.insert(op->getName().getStringRef().str());
    numerics::RowFunction row = reference::rowFunctionOf(op);
    if (!row)
      return;
    inRows.insert(op->getName().getStringRef().str());
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    SCOPED_TRACE(text);
    compare(op, row);
    ++compared;
  });
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ElementwiseOpInterface>()) {
      std::string text = name.getStringRef().str();
      EXPECT_TRUE(seen.count(text)) << text << " is not tested";
      EXPECT_TRUE(inRows.count(text)) << text << " never runs in rows";
    }
  EXPECT_GT(compared, 300);
}

} // namespace
