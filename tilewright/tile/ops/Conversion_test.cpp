// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the rounding modes of `ftof`: all pairs of formats in all modes, against the table of 13.4,
// section 7.3, written out by hand. Errors must list the supported modes.

#include "tilewright/tile/Ops.h"
#include "tilewright/tile/table/OpTable.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

static const char *const formats[] = {"f64",      "f32",    "tf32",     "f16",       "bf16",
                                      "f8E4M3FN", "f8E5M2", "f4E2M1FN", "f8E8M0FNU", "f8E5M3FNU"};

// A row per source, a column per destination, in the order above. N: nearest, Z: nearest and zero,
// A: these and away, I: the four IEEE modes, W: all of them (a widening), S: conversion to a scale.
static const char *const table[] = {
    "-IZZZNNNSN", "W-AZZNNNSN", "WW-ZZNNNSN", "WWW-ZNNNSN", "WWWZ-NNNSN",
    "WWWWW-NNSN", "WWWWWN-NSN", "WWWWWNN-SN", "WZZZZNNN-N", "WWWZWNNNS-",
};

static std::vector<std::string> modesOf(char letter) {
  switch (letter) {
  case 'N':
    return {"nearest_even"};
  case 'Z':
    return {"nearest_even", "zero"};
  case 'A':
    return {"nearest_even", "zero", "nearest_away"};
  case 'I':
    return {"nearest_even", "zero", "negative_inf", "positive_inf"};
  case 'W':
    return {"nearest_even", "zero", "negative_inf", "positive_inf", "nearest_away"};
  case 'S':
    return {"zero", "positive_inf"};
  default:
    return {};
  }
}

/// `'a', 'b' and 'c' are supported`.
static std::string inWords(const std::vector<std::string> &modes) {
  std::string text;
  for (size_t i = 0; i < modes.size(); ++i)
    text += (i == 0 ? "'" : i + 1 < modes.size() ? ", '" : " and '") + modes[i] + "'";
  return text + (modes.size() == 1 ? " is supported" : " are supported");
}

/// The verifier's message; empty if it accepts the conversion.
static std::string refusal(MLIRContext &context, const std::string &from, const std::string &to,
                           const std::string &mode) {
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  std::string text = "cuda_tile.module @m { entry @k() { %x = constant <" + from +
                     ": 1.0> : tile<4x" + from +
                     "> %r = \"cuda_tile.ftof\"(%x) <{rounding_mode = #cuda_tile.rounding<" + mode +
                     ">}> : (!cuda_tile.tile<4x" + from + ">) -> !cuda_tile.tile<4x" + to + "> } }";
  auto module = parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_EQ(bool(module), message.empty()) << text << "\n" << message;
  return message;
}

TEST(Conversion, ModesOfEachPair) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<TileDialect>();
  for (size_t from = 0; from < std::size(formats); ++from)
    for (size_t to = 0; to < std::size(formats); ++to) {
      std::vector<std::string> allowed = modesOf(table[from][to]);
      for (const MemberRow &mode : allEnumMembers()) {
        if (mode.enumName != "RoundingMode")
          continue;
        std::string spelling = mode.spelling.str();
        std::string said = refusal(context, formats[from], formats[to], spelling);
        std::string place = std::string(formats[from]) + " to " + formats[to] + ", " + spelling;
        if (from == to)
          EXPECT_NE(said.find("must not be a no-op"), std::string::npos) << place << said;
        else if (llvm::is_contained(allowed, spelling))
          EXPECT_EQ(said, "") << place;
        else
          EXPECT_NE(said.find("to " + std::string(formats[to]) + ". Only " + inWords(allowed)),
                    std::string::npos)
              << place << ": " << said;
      }
    }
}
