// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that each row of the table in Legality.h is refused with its message, for its targets and
// no others. test/conformance/assemble.py tests the converse: everything else compiles.

#include "tilewright/nvidia/Compiler.h"
#include "tilewright/nvidia/Legality.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/Parser/Parser.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

/// A refused operation, in an entry.
struct Example {
  std::string operation, message, body;
};

std::string multimem(const std::string &operation, const std::string &call) {
  return R"(entry @k(%a: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %v = constant <i32: 5> : tile<4xi32>
    %m = ptr_to_ptr %a : tile<ptr<i32>> -> tile<ptr<i32, multicast>>
    %tensor = make_tensor_view %m, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1], multicast>
    %view = make_partition_view %tensor : partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>
    )" + operation +
         " " + call + "\n}";
}

/// A reduction of a tile of i32 with this body, which may use a tile from outside.
std::string reduction(const std::string &body) {
  return R"(entry @k() {
    %outside = iota : tile<8xi32>
    %r = reduce %outside dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%e: tile<i32>, %acc: tile<i32>) {
    )" + body +
         "\n}\n}";
}

std::string product(const std::string &type, const std::string &sum, const std::string &call) {
  return reduction("%x = constant <" + type + ": 1.0> : tile<1x32x" + type + ">\n%t = constant <" +
                   type + ": 1.0> : tile<32x1x" + type +
                   ">\n%s = constant <f8E8M0FNU: 1.0> : tile<1x1xf8E8M0FNU>\n%y = constant <" +
                   sum + ": 1.0> : tile<1x1x" + sum + ">\n" + call + "\nyield %acc : tile<i32>");
}

/// One example for each operation of each row.
std::vector<Example> examples() {
  const std::string view = "partition_view<tile=(4), tensor_view<4xi32, strides=[1], multicast>>";
  const std::string memory = "access to multicast memory";
  const std::string halves = "access to f4E2M1FN elements through pointers";
  const std::string pair = "%a = reshape %p : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>\n%b = "
                           "broadcast %a : tile<1xptr<f4E2M1FN>> -> tile<2xptr<f4E2M1FN>>\n";
  const std::string body = "a product in the body of reduce or scan";
  return {
      {"multimem_load_reduce_view_tko", memory,
       multimem("%r, %t = multimem_load_reduce_view_tko",
                "weak %view[%zero], add : " + view + ", tile<i32> -> tile<4xi32>, token")},
      {"multimem_reduce_view_tko", memory,
       multimem("%t = multimem_reduce_view_tko",
                "relaxed device %view[%zero], add, %v : tile<4xi32>, " + view +
                    ", tile<i32> -> token")},
      {"multimem_store_view_tko", memory,
       multimem("%t = multimem_store_view_tko",
                "weak %v, %view[%zero] : tile<4xi32>, " + view + ", tile<i32> -> token")},
      {"load_ptr_tko", halves,
       "entry @k(%p: tile<ptr<f4E2M1FN>>) {\n" + pair +
           "%t, %token = load_ptr_tko weak %b : tile<2xptr<f4E2M1FN>> -> tile<2xf4E2M1FN>, "
           "token\n}"},
      {"store_ptr_tko", halves,
       "entry @k(%p: tile<ptr<f4E2M1FN>>) {\n" + pair +
           "%v = constant <f4E2M1FN: 1.0> : tile<2xf4E2M1FN>\n%t = store_ptr_tko weak %b, %v : "
           "tile<2xptr<f4E2M1FN>>, tile<2xf4E2M1FN> -> token\n}"},
      {"mmaf", body,
       product("f16", "f32",
               "%m = mmaf %x, %t, %y : tile<1x32xf16>, tile<32x1xf16>, tile<1x1xf32>")},
      {"mmaf_scaled", body,
       product("f8E5M2", "f32",
               "%m = mmaf_scaled %x, %t, %y, %s, %s : tile<1x32xf8E5M2>, tile<32x1xf8E5M2>, "
               "tile<1x1xf32>, tile<1x1xf8E8M0FNU>, tile<1x1xf8E8M0FNU>")},
      {"mmai", body,
       reduction("%x = constant <i8: 1> : tile<1x1xi8>\n%y = constant <i32: 1> : tile<1x1xi32>\n"
                 "%m = mmai %x, %x, %y signed signed : tile<1x1xi8>, tile<1x1xi8>, tile<1x1xi32>\n"
                 "yield %acc : tile<i32>")},
      {"any operation", "a tile from outside in the body of reduce or scan",
       reduction("%m = addi %outside, %outside : tile<8xi32>\nyield %acc : tile<i32>")},
      {"yield", "a tile of rank 1 or more as result of the body of reduce or scan",
       reduction("%m = reshape %acc : tile<i32> -> tile<1xi32>\nyield %m : tile<1xi32>")},
  };
}

class NvidiaLegality : public testing::Test {
protected:
  NvidiaLegality() { context.loadDialect<tile::TileDialect>(); }

  /// Compiles without simplification, which would erase operations without effect.
  support::Result<CompiledCode> compile(const std::string &entry, const Target &target) {
    auto file = mlir::parseSourceString<mlir::ModuleOp>("cuda_tile.module @m {\n" + entry + "\n}\n",
                                                        &context);
    EXPECT_TRUE(bool(file)) << entry;
    if (!file)
      return support::Failure{"not parsed"};
    auto module = *file->getOps<tile::ModuleOp>().begin();
    return compileTo(Stage::Plan, module, {target, codegen::OptLevel::O0});
  }

  mlir::MLIRContext context;
};

TEST_F(NvidiaLegality, whatTheTableHasIsRefusedOnItsTargetsAlone) {
  for (const Example &example : examples()) {
    const Refusal *row = llvm::find_if(
        refusals(), [&](const Refusal &refusal) { return refusal.what == example.message; });
    ASSERT_NE(row, refusals().end()) << example.message;
    for (const Target &target : Target::all()) {
      support::Result<CompiledCode> found = compile(example.body, target);
      EXPECT_EQ(!found, row->isMissing(target)) << example.operation << " " << target.cpu;
      if (!found)
        EXPECT_NE(found.failure().message.find(": " + example.message + " is not supported on " +
                                               target.cpu),
                  std::string::npos)
            << found.failure().message;
    }
  }
}

TEST_F(NvidiaLegality, everyOperationOfTheTableHasAnExample) {
  for (const Refusal &refusal : refusals()) {
    llvm::SmallVector<llvm::StringRef> operations{refusal.operations};
    if (refusal.operations != "any operation") {
      operations.clear();
      refusal.operations.split(operations, ' ');
    }
    for (llvm::StringRef operation : operations)
      EXPECT_TRUE(llvm::any_of(examples(),
                               [&](const Example &example) {
                                 return example.operation == operation &&
                                        example.message == refusal.what;
                               }))
          << operation.str() << ": " << refusal.what.str();
  }
}

/// `TILEWRIGHT_REFUSED_PAGE=docs/nvidia-refused.md nvidia_tests
/// --gtest_filter=NvidiaLegality.Page` writes it.
TEST_F(NvidiaLegality, Page) {
  EXPECT_NE(refusalPage().find("| `load_ptr_tko` `store_ptr_tko` |  | `f4E2M1FN` | all |"),
            std::string::npos);
  if (const char *file = std::getenv("TILEWRIGHT_REFUSED_PAGE"))
    std::ofstream(file) << refusalPage();
}

} // namespace
