// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All forms of the elementwise operations: each operation, with each of its modifiers, on each
// supported format, as the text of a module. For tests that loop over all of them.

#ifndef TILEWRIGHT_TILE_ELEMENTWISEFORMS_H
#define TILEWRIGHT_TILE_ELEMENTWISEFORMS_H

#include "tilewright/numerics/Format.h"

#include "llvm/Support/FormatVariadic.h"
#include <set>
#include <string>
#include <vector>

namespace tilewright::tile {

class ElementwiseForms {
public:
  /// Generates all forms.
  ElementwiseForms() {
    addFloats();
    addFunctions();
    addComparisons();
    addIntegers();
    addConversions();
    addCasts();
    addOthers();
  }

  std::string module() const {
    return "cuda_tile.module @m {\n entry @k() {\n" + operands + body + "  return\n }\n}\n";
  }

private:
  using Names = std::vector<std::string>;

  const Names floats = {"f16", "bf16", "f32", "f64"};
  const Names narrowFloats = {"tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN", "f8E5M3FNU"};
  const Names integers = {"i1", "i8", "i16", "i32", "i64"};
  const Names signs = {"signed", "unsigned"};
  const Names modes = {"", "rounding<zero>", "rounding<negative_inf>", "rounding<positive_inf>"};

  //===-- Text ------------------------------------------------------------------------------===//

  /// Tiles have two elements, because a tile of f4E2M1FN cannot have only one.
  static std::string tileOf(const std::string &type) { return "tile<2x" + type + ">"; }

  /// Adds one operation: `{0}` to `{2}` in the text are values of these element types.
  void add(const std::string &text, const Names &types) {
    Names values(3, "");
    for (size_t k = 0; k < types.size(); ++k)
      values[k] = valueOf(types[k], k);
    body += llvm::formatv("  %r{0} = ", count++).str() +
            llvm::formatv(false, text.c_str(), values[0], values[1], values[2]).str() + "\n";
  }

  std::string valueOf(const std::string &type, size_t operand) {
    std::string name = "%v";
    for (char c : type + "_" + std::to_string(operand))
      name += std::isalnum(c) ? c : '_';
    if (declared.insert(name).second)
      operands += "  " + name + " = " + makerOf(type) + "\n";
    return name;
  }

  /// An operation, as text, whose result has this element type.
  std::string makerOf(const std::string &type) {
    if (type == "i4")
      return "trunci " + valueOf("i8", 0) + " : tile<2xi8> -> tile<2xi4>";
    if (type == "f4E2M1FN")
      return "ftof " + valueOf("f32", 0) + " : tile<2xf32> -> tile<2xf4E2M1FN>";
    if (type.starts_with("ptr"))
      return "int_to_ptr " + valueOf("i64", 0) + " : tile<2xi64> -> " + tileOf(type);
    const char *one = numerics::info(*numerics::formatNamed(type)).isFloat() ? "1.0" : "1";
    return "constant <" + type + ": " + (type == "i1" ? "true" : one) + "> : " + tileOf(type);
  }

  void addUnary(const std::string &op, const Names &types, const Names &modifiers = {""}) {
    for (const std::string &type : types)
      for (const std::string &modifier : modifiers)
        add(op + " {0} " + modifier + " : " + tileOf(type), {type});
  }

  void addBinary(const std::string &op, const Names &types, const Names &modifiers = {""}) {
    for (const std::string &type : types)
      for (const std::string &modifier : modifiers)
        add(op + " {0}, {1} " + modifier + " : " + tileOf(type), {type, type});
  }

  void addConversion(const std::string &op, const std::string &from, const std::string &to,
                     const std::string &modifier = "") {
    add(op + " {0} " + modifier + " : " + tileOf(from) + " -> " + tileOf(to), {from});
  }

  //===-- Operations ------------------------------------------------------------------------===//

  void addFloats() {
    Names flushed, approximate = {"rounding<approx>", "rounding<approx> flush_to_zero"};
    for (const std::string &mode : modes)
      flushed.push_back(mode + " flush_to_zero");
    for (const char *op : {"addf", "subf", "mulf", "divf"}) {
      addBinary(op, floats, modes);
      addBinary(op, {"f32"}, flushed);
    }
    addBinary("divf", {"f32"}, approximate);
    addBinary("divf", {"f32"}, {"rounding<full>", "rounding<full> flush_to_zero"});
    addUnary("sqrt", floats, modes);
    addUnary("sqrt", {"f32"}, flushed);
    addUnary("sqrt", {"f32"}, approximate);
    for (const std::string &type : floats)
      for (const std::string &mode : modes)
        add("fma {0}, {1}, {2} " + mode + " : " + tileOf(type), {type, type, type});
    for (const std::string &mode : flushed)
      add("fma {0}, {1}, {2} " + mode + " : " + tileOf("f32"), {"f32", "f32", "f32"});
    addBinary("remf", floats);
    for (const char *op : {"maxf", "minf"}) {
      addBinary(op, floats, {"", "propagate_nan"});
      addBinary(op, {"f32"}, {"flush_to_zero", "propagate_nan flush_to_zero"});
    }
    for (const char *op : {"absf", "negf", "ceil", "floor"})
      addUnary(op, floats);
  }

  void addFunctions() {
    for (const char *op :
         {"exp", "exp2", "log", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "rsqrt"})
      addUnary(op, floats);
    addUnary("exp", {"f32"}, {"rounding<approx>"});
    addUnary("tanh", {"f32"}, {"rounding<approx>"});
    addUnary("exp2", {"f32"}, {"flush_to_zero"});
    addUnary("rsqrt", {"f32"}, {"flush_to_zero"});
    addBinary("pow", floats);
    addBinary("atan2", floats);
    for (const std::string &type : floats)
      for (const std::string exponent : {"i1", "i8", "i16", "i32"})
        add("fpowi {0}, {1} : " + tileOf(type) + ", " + tileOf(exponent), {type, exponent});
  }

  void addComparisons() {
    for (std::string predicate : {"equal", "not_equal", "less_than", "less_than_or_equal",
                                  "greater_than", "greater_than_or_equal"}) {
      for (const std::string &type : floats)
        for (const char *ordering : {" ordered", " unordered"})
          add("cmpf " + predicate + ordering + " {0}, {1} : " + tileOf(type) + " -> tile<2xi1>",
              {type, type});
      for (const std::string &type : integers)
        for (const std::string &sign : signs)
          add("cmpi " + predicate + " {0}, {1}, " + sign + " : " + tileOf(type) + " -> tile<2xi1>",
              {type, type});
    }
  }

  void addIntegers() {
    for (const char *op : {"addi", "subi", "muli", "shli"})
      addBinary(
          op, integers,
          {"", "overflow<no_signed_wrap>", "overflow<no_unsigned_wrap>", "overflow<no_wrap>"});
    addUnary("negi", integers, {"", "overflow<no_signed_wrap>"});
    addUnary("absi", integers);
    for (const char *op : {"mulhii", "andi", "ori", "xori"})
      addBinary(op, integers);
    for (const char *op : {"shri", "remi", "maxi", "mini"})
      addBinary(op, integers, signs);
    addBinary("divi", integers,
              {"signed", "unsigned", "signed rounding<negative_inf>",
               "signed rounding<positive_inf>", "unsigned rounding<positive_inf>"});
  }

  /// The modes of `ftof`, as listed in 13.4, section 7.3: those of widenings, pair by pair.
  static Names modesBetween(const std::string &from, const std::string &to) {
    static const std::set<std::string> widenings = {
        "tf32 f32",      "f16 f32",      "bf16 f32",      "f8E5M2 f32",     "f8E4M3FN f32",
        "f4E2M1FN f32",  "f16 tf32",     "bf16 tf32",     "f8E5M2 tf32",    "f8E4M3FN tf32",
        "f4E2M1FN tf32", "f8E5M2 bf16",  "f8E4M3FN bf16", "f4E2M1FN bf16",  "f8E5M2 f16",
        "f8E4M3FN f16",  "f4E2M1FN f16", "f8E5M3FNU f32", "f8E5M3FNU tf32", "f8E5M3FNU bf16"};
    if (to == "f8E4M3FN" || to == "f8E5M2" || to == "f4E2M1FN" || to == "f8E5M3FNU")
      return {""};
    if (to == "f64" || widenings.count(from + " " + to))
      return {"", "rounding<zero>", "rounding<negative_inf>", "rounding<positive_inf>",
              "rounding<nearest_away>"};
    if (from == "f64" && to == "f32")
      return {"", "rounding<zero>", "rounding<negative_inf>", "rounding<positive_inf>"};
    if (from == "f32" && to == "tf32")
      return {"", "rounding<zero>", "rounding<nearest_away>"};
    return {"", "rounding<zero>"};
  }

  void addConversions() {
    Names all = floats;
    all.insert(all.end(), narrowFloats.begin(), narrowFloats.end());
    for (const std::string &from : all) {
      for (const std::string &to : all)
        if (from != to && to != "f8E8M0FNU")
          for (const std::string &mode : modesBetween(from, to))
            addConversion("ftof", from, to, mode);
      if (from != "f8E8M0FNU")
        for (const char *mode : {"rounding<zero>", "rounding<positive_inf>"})
          addConversion("ftof", from, "f8E8M0FNU", mode);
    }
    for (const std::string &number : all)
      for (const std::string &integer : integers)
        for (const std::string &sign : signs) {
          addConversion("ftoi", number, integer, sign);
          addConversion("ftoi", number, integer, sign + " saturating");
          if (number != "f8E8M0FNU")
            addConversion("itof", integer, number, sign);
        }
  }

  void addCasts() {
    const Names ordered = {"i1", "i4", "i8", "i16", "i32", "i64"};
    for (size_t narrow = 0; narrow < ordered.size(); ++narrow)
      for (size_t wide = narrow + 1; wide < ordered.size(); ++wide) {
        for (const std::string &sign : signs)
          addConversion("exti", ordered[narrow], ordered[wide], sign);
        for (const char *assumption : {"", "overflow<no_signed_wrap>", "overflow<no_wrap>"})
          addConversion("trunci", ordered[wide], ordered[narrow], assumption);
      }
    for (const Names &group :
         {Names{"i8", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f8E5M3FNU"}, Names{"i16", "f16", "bf16"},
          Names{"i32", "f32"}, Names{"i64", "f64"}, Names{"tf32"}, Names{"f4E2M1FN"}, Names{"i1"}})
      for (const std::string &from : group)
        for (const std::string &to : group)
          addConversion("bitcast", from, to);
    addConversion("int_to_ptr", "i64", "ptr<f32>");
    addConversion("ptr_to_int", "ptr<f32>", "i64");
    addConversion("ptr_to_ptr", "ptr<f32>", "ptr<i8>");
  }

  void addOthers() {
    for (std::string type : {"i1", "i4", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64",
                             "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f8E5M3FNU", "ptr<f32>"})
      add("select {0}, {1}, {2} : tile<2xi1>, " + tileOf(type), {"i1", type, type});
    for (std::string pointee : {"i1", "i8", "f16", "f32", "f64", "tf32", "f8E5M2", "f4E2M1FN"})
      for (std::string index : integers) {
        std::string pointer = "ptr<" + pointee + ">";
        add("offset {0}, {1} : " + tileOf(pointer) + ", " + tileOf(index) + " -> " +
                tileOf(pointer),
            {pointer, index});
      }
  }

  std::set<std::string> declared;
  std::string operands, body;
  int count = 0;
};

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ELEMENTWISEFORMS_H
