// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the unit tests of this room: runs a function, given as text, on numbers.

#ifndef TILEWRIGHT_TEST_SUPPORT_SIMT_SIMTTEST_H
#define TILEWRIGHT_TEST_SUPPORT_SIMT_SIMTTEST_H

#include "tilewright/simt/Register.h"
#include "tilewright/simt/Run.h"

#include "tilewright/numerics/Convert.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

namespace tilewright::simt {

using RuleIds = std::vector<std::string>;

/// The contents of a buffer. The parameter determines the type.
struct Numbers {
  llvm::SmallVector<int64_t> shape;
  std::vector<double> values;
  bool initialized = true;
};

inline Numbers scalar(double value) { return {{}, {value}}; }
inline Numbers numbers(llvm::ArrayRef<int64_t> shape, std::vector<double> values) {
  return {llvm::SmallVector<int64_t>(shape), std::move(values)};
}
inline Numbers filled(llvm::ArrayRef<int64_t> shape, double value) {
  return numbers(shape, std::vector<double>(llvm::product_of(shape), value));
}
inline Numbers zeros(llvm::ArrayRef<int64_t> shape) { return filled(shape, 0); }
/// 0, 1, 2, ...
inline Numbers iota(llvm::ArrayRef<int64_t> shape) {
  Numbers all = zeros(shape);
  for (size_t place = 0; place < all.values.size(); ++place)
    all.values[place] = double(place);
  return all;
}

struct Ran {
  std::vector<Finding> findings;
  std::vector<Buffer> arguments;
  /// The reason why nothing was run; empty if it was.
  std::string refusal;

  RuleIds ruleIds() const {
    RuleIds ids;
    for (const Finding &finding : findings)
      ids.push_back(ruleIdOf(finding).str());
    return ids;
  }
  /// The final contents of an argument.
  std::vector<double> values(size_t argument) const {
    std::vector<double> values;
    if (argument >= arguments.size())
      return values;
    const numerics::Format format = *formatOf(arguments[argument].element);
    for (uint64_t bits : arguments[argument].bits) {
      const numerics::Element element = {bits, format};
      values.push_back(numerics::info(format).isFloat() ? element.asDouble()
                                                        : double(element.asSigned()));
    }
    return values;
  }
};

inline mlir::MLIRContext &sharedContext() {
  static mlir::MLIRContext *context = [] {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    auto *context = new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    return context;
  }();
  return *context;
}

inline Buffer bufferFor(mlir::Type type, const Numbers &numbers) {
  const auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  Buffer buffer = {shaped ? shaped.getElementType() : type, numbers.shape, {}};
  buffer.initialized = numbers.initialized;
  const numerics::Format format = *formatOf(buffer.element);
  for (double value : numbers.values)
    buffer.bits.push_back(numerics::info(format).isFloat()
                              ? numerics::roundToFormat(value, format).bits
                              : numerics::Element::integer(format, int64_t(value)).bits);
  return buffer;
}

/// The operations in all programs that were run, to check that all are tested.
inline llvm::StringSet<> &ranOperations() {
  static llvm::StringSet<> names;
  return names;
}

/// Runs the last function of a module.
inline Ran runText(llvm::StringRef text, Workgroup workgroup, llvm::ArrayRef<Numbers> arguments,
                   RunLimits limits = {}) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &sharedContext());
  Ran ran;
  if (!module) {
    ADD_FAILURE() << "the program does not parse";
    return ran;
  }
  module->walk([](mlir::Operation *op) { ranOperations().insert(op->getName().getStringRef()); });
  mlir::func::FuncOp function;
  for (auto each : module->getOps<mlir::func::FuncOp>())
    function = each;
  for (auto [type, argument] : llvm::zip(function.getArgumentTypes(), arguments))
    ran.arguments.push_back(bufferFor(type, argument));
  support::Result<Outcome> outcome = run(function, workgroup, ran.arguments, limits);
  if (outcome)
    ran.findings = outcome->findings;
  else
    ran.refusal = outcome.failure().message;
  return ran;
}

/// The value of %r in one thread, for a program that defines it. `type` is that of %r without the
/// word vector: `2x3xf32` or `i8`.
inline std::vector<double> compute(llvm::StringRef body, llvm::StringRef type,
                                   RuleIds expected = {}) {
  llvm::SmallVector<llvm::StringRef> parts;
  type.split(parts, 'x');
  const bool isIndex = type.ends_with("index");
  llvm::SmallVector<int64_t> shape;
  std::string zeros;
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_back(isIndex ? 2 : 1)) {
    shape.push_back(std::stoll(part.str()));
    zeros += shape.size() == 1 ? "%zero" : ", %zero";
  }
  const std::string store =
      shape.empty() ? "memref.store %r, %out[] : memref<" + type.str() + ">"
                    : "%zero = arith.constant 0 : index\n vector.transfer_write %r, %out[" + zeros +
                          "] : vector<" + type.str() + ">, memref<" + type.str() + ">";
  Ran ran = runText("func.func @f(%out: memref<" + type.str() + ">) {\n" + body.str() + "\n" +
                        store + "\nreturn }",
                    {}, {simt::zeros(shape)});
  EXPECT_EQ(ran.refusal, "");
  EXPECT_EQ(ran.ruleIds(), expected) << body.str();
  return ran.values(0);
}

/// Each of eight threads starts with its index %t, and stores an index to %out[%t].
inline Ran perThread(const std::string &body, const std::string &before = "") {
  return runText(before + R"(func.func @f(%out: memref<8xindex>) {
                   %t = gpu.thread_id x
                   %c0 = arith.constant 0 : index
                   %c1 = arith.constant 1 : index
                   %c4 = arith.constant 4 : index
                   %small = arith.cmpi ult, %t, %c4 : index
                   )" +
                     body + "\nmemref.store %r, %out[%t] : memref<8xindex>\nreturn }",
                 {{8, 1, 1}, 8}, {zeros({8})});
}

} // namespace tilewright::simt

#endif // TILEWRIGHT_TEST_SUPPORT_SIMT_SIMTTEST_H
