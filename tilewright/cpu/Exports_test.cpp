// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that compiled code can be found and called from C as Exports.h says. Hand-written functions
// replace kernels, and a tw_launch of the test's own records its arguments.

#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/Jit.h"
#include "tilewright/codegen/Lower.h"
#include "tilewright/cpu/Exports.h"
#include "tilewright/cpu/Symbols.h"
#include "tilewright/runtime/Kernel.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::codegen;
using namespace tilewright::cpu;
using numerics::Format;
using support::Result;

namespace {

/// A kernel that writes the number of each block, and the size of its arena, to the address in its
/// first parameter.
constexpr const char *kernelText = R"(
  llvm.func @k_entry(%launch: !llvm.ptr, %first: i64, %end: i64, %arena: !llvm.ptr) {
    %parameters = llvm.load %launch : !llvm.ptr -> !llvm.ptr
    %out = llvm.load %parameters : !llvm.ptr -> !llvm.ptr
    %begin = arith.index_cast %first : i64 to index
    %stop = arith.index_cast %end : i64 to index
    %one = arith.constant 1 : index
    scf.for %block = %begin to %stop step %one {
      %number = arith.index_cast %block : index to i64
      %to = llvm.getelementptr %out[%number] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %number, %to : i64, !llvm.ptr
    }
    llvm.return
  })";

/// The arguments of the last call to the runtime.
struct Asked {
  const twKernel *kernel;
  std::vector<uint32_t> grid;
  std::vector<uint64_t> slots;
  int64_t first, end;
  int threads;
} asked;

int noteLaunch(const twKernel *kernel, const uint32_t *grid, const uint64_t *parameters,
               int threads) {
  asked = {kernel, {grid, grid + 3}, {parameters, parameters + kernel->parameterCount}, 0,
           0,      threads};
  return 7;
}

int noteBlocks(const twKernel *kernel, const uint32_t *grid, const uint64_t *parameters,
               int64_t first, int64_t end) {
  asked = {kernel, {grid, grid + 3}, {parameters, parameters + kernel->parameterCount}, first, end,
           -1};
  return 8;
}

class Exports : public testing::Test {
protected:
  Exports() : context(mlir::MLIRContext::Threading::DISABLED) {
    loadLoopDialects(context);
    module = mlir::parseSourceString<mlir::ModuleOp>(kernelText, &context);
  }

  LoadedCode load() {
    Result<std::string> object = compileLoops(*module, Target::host());
    EXPECT_TRUE(bool(object)) << object.failure().message;
    HostFunction functions[] = {{"tw_launch", reinterpret_cast<void *>(&noteLaunch)},
                                {"tw_run_blocks", reinterpret_cast<void *>(&noteBlocks)}};
    Result<LoadedCode> code = LoadedCode::load(*object, functions);
    EXPECT_TRUE(bool(code)) << code.failure().message;
    return std::move(*code);
  }

  template <typename Symbol> static Symbol *find(const LoadedCode &code, const char *name) {
    Result<void *> address = code.lookup(name);
    EXPECT_TRUE(bool(address)) << address.failure().message;
    return reinterpret_cast<Symbol *>(*address);
  }

  static KernelInfo info(const char *name, unsigned parameterCount) {
    KernelInfo kernel;
    kernel.name = name;
    kernel.arenaBytes = 640;
    kernel.parameterCount = parameterCount;
    return kernel;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(Exports, tablesTellWhatALaunchMustKnow) {
  KernelInfo kernel = info("k", 1);
  kernel.mayWait = true;
  kernel.columnsInTurn = 8;
  addKernelTables(*module, kernel);
  LoadedCode code = load();
  auto *table = find<const twKernel>(code, "k_kernel");
  EXPECT_STREQ(table->name, "k");
  EXPECT_EQ(table->arenaBytes, 640);
  EXPECT_EQ(table->parameterCount, 1);
  EXPECT_EQ(table->flags, uint64_t(twMayWait) | uint64_t(8) << twColumnsInTurnShift);

  std::vector<int64_t> out(6, -1);
  uint64_t parameters[] = {reinterpret_cast<uintptr_t>(out.data())};
  twLaunch launch = {parameters, {6, 1, 1}, nullptr, 0, 0, 0};
  table->function(&launch, 2, 5, nullptr);
  EXPECT_EQ(out, (std::vector<int64_t>{-1, -1, 2, 3, 4, -1}));
}

TEST_F(Exports, launchersPassEachParameterAsItsBits) {
  Signature signature{"k",
                      {{Format::F32, true},
                       {Format::I1, false},
                       {Format::I8, false},
                       {Format::I16, false},
                       {Format::I32, false},
                       {Format::I64, false},
                       {Format::BF16, false},
                       {Format::F8E5M2, false},
                       {Format::F4E2M1FN, false},
                       {Format::TF32, false},
                       {Format::F64, false}},
                      ""};
  addKernelTables(*module, info("k", 11));
  addLaunchers(*module, signature);
  LoadedCode code = load();
  uint32_t grid[] = {3, 4, 5};
  float array[1];
  std::vector<uint64_t> expected = {reinterpret_cast<uintptr_t>(array),
                                    1,
                                    0xFF,
                                    0xFFFE,
                                    0x80000000,
                                    0x8000000000000000,
                                    0xFF80,
                                    0x83,
                                    0x0F,
                                    0x80000000,
                                    0xBFF0000000000000};

  auto *launch = find<int(const uint32_t *, float *, bool, int8_t, int16_t, int32_t, int64_t,
                          uint16_t, uint8_t, uint8_t, float, double, int)>(code, "k_launch");
  EXPECT_EQ(
      launch(grid, array, true, -1, -2, INT32_MIN, INT64_MIN, 0xFF80, 0x83, 0xAF, -0.0f, -1.0, 9),
      7);
  EXPECT_EQ(asked.kernel, find<const twKernel>(code, "k_kernel"));
  EXPECT_EQ(asked.grid, (std::vector<uint32_t>{3, 4, 5}));
  EXPECT_EQ(asked.slots, expected);
  EXPECT_EQ(asked.threads, 9);

  auto *blocks =
      find<int(const uint32_t *, int64_t, int64_t, float *, bool, int8_t, int16_t, int32_t, int64_t,
               uint16_t, uint8_t, uint8_t, float, double)>(code, "k_blocks");
  EXPECT_EQ(blocks(grid, 11, 22, array, true, -1, -2, INT32_MIN, INT64_MIN, 0xFF80, 0x83, 0xAF,
                   -0.0f, -1.0),
            8);
  EXPECT_EQ(asked.slots, expected);
  EXPECT_EQ(asked.first, 11);
  EXPECT_EQ(asked.end, 22);
}

TEST_F(Exports, headersDeclareAll) {
  Signature signature{"add",
                      {{Format::F16, true}, {Format::Pointer, true}, {Format::I1, false}},
                      "@add(tile<ptr<f16>>, tile<ptr<ptr<f16>>>, tile<i1>)"};
  std::string header = cHeader(signature, "a*/b.mlir");
  EXPECT_EQ(header.find("/* Kernels that Tilewright compiled from a* /b.mlir."), 0u) << header;
  EXPECT_NE(header.find("#ifndef TILEWRIGHT_KERNELS_ADD\n#define TILEWRIGHT_KERNELS_ADD\n"),
            std::string::npos);
  EXPECT_NE(header.find(R"(
/* entry @add(tile<ptr<f16>>, tile<ptr<ptr<f16>>>, tile<i1>) */
void add_entry(const twLaunch *launch, int64_t first, int64_t end, void *arena);
extern const twKernel add_kernel;
int add_launch(const uint32_t grid[3], uint16_t *arg0, void **arg1, bool arg2, int threads);
int add_blocks(const uint32_t grid[3], int64_t first, int64_t end, uint16_t *arg0, void **arg1, bool arg2);
)"),
            std::string::npos)
      << header;
}

TEST(Symbols, identifiersStayAsTheyAre) {
  for (const char *name : {"k", "_k1", "while", "main", "memcpy", "two_words", "twice", "K"})
    EXPECT_EQ(cName(name), name);
  EXPECT_EQ(functionSymbol("main"), "main_entry");
  EXPECT_EQ(tableSymbol("main"), "main_kernel");
  EXPECT_EQ(launchSymbol("main"), "main_launch");
  EXPECT_EQ(blocksSymbol("main"), "main_blocks");
}

// No name in the right column can be another entry's: all names that begin with tw_ are escaped.
TEST(Symbols, otherNamesAreSpelledOut) {
  const std::pair<llvm::StringRef, const char *> names[] = {
      {"", "tw_entry_"},
      {"a b", "tw_entry_a_20b"},
      {"a_20b c", "tw_entry_a__20b_20c"},
      {"1st", "tw_entry_1st"},
      {"a.b", "tw_entry_a_2eb"},
      {"tw", "tw_entry_tw"},
      {"tw_run", "tw_entry_tw__run"},
      {"tw_entry_tw", "tw_entry_tw__entry__tw"},
      {"\xC3\xA4", "tw_entry__c3_a4"},
      {llvm::StringRef("a\0b", 3), "tw_entry_a_00b"}};
  for (auto [name, symbol] : names)
    EXPECT_EQ(cName(name), symbol);
}

} // namespace
