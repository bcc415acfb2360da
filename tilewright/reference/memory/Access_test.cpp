// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that elements that a block may not access are dropped without allocating memory for each,
// unless one is reported. A tile may have millions of them.

#include "mlir/Parser/Parser.h"
#include "tilewright/reference/machine/Machine.h"
#include "tilewright/tile/Dialect.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

using namespace tilewright;
using namespace tilewright::reference;

static std::atomic<int64_t> allocations = 0;

void *operator new(size_t size) {
  ++allocations;
  if (void *made = std::malloc(size ? size : 1))
    return made;
  throw std::bad_alloc();
}
void operator delete(void *made) noexcept { std::free(made); }
void operator delete(void *made, size_t) noexcept { std::free(made); }

namespace {

constexpr int64_t elements = 65536;

/// Stores elements at a distance of 2 KiB to an array that has only the first one.
const char far[] = R"(cuda_tile.module @m {
  entry @far(%x: tile<ptr<i64>>) {
    %i = iota : tile<65536xi64>
    %distance = constant <i64: 256> : tile<65536xi64>
    %at = muli %i, %distance : tile<65536xi64>
    %x1 = reshape %x : tile<ptr<i64>> -> tile<1xptr<i64>>
    %xs = broadcast %x1 : tile<1xptr<i64>> -> tile<65536xptr<i64>>
    %to = offset %xs, %at : tile<65536xptr<i64>>, tile<65536xi64> -> tile<65536xptr<i64>>
    %t = store_ptr_tko weak %to, %distance : tile<65536xptr<i64>>, tile<65536xi64> -> token
  }
})";

struct Launched {
  LaunchResult result;
  int64_t allocations;
};

Launched launch(Schedule schedule, const Checks &checks) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(far, &context);
  tile::ModuleOp kernels = *module->getOps<tile::ModuleOp>().begin();
  Machine machine = *Machine::load(kernels);
  std::array<uint8_t, 8> array = {};
  const Element parameter =
      Element::fromBits(Format::Pointer, machine.bindArray("X", Format::I64, array));
  LaunchOptions options;
  options.schedule = schedule;
  options.checks = checks;
  const int64_t before = allocations;
  LaunchResult result =
      *machine.launch(*kernels.getBody().getOps<tile::EntryOp>().begin(), *runtime::Grid::create(1),
                      parameter, llvm::nulls(), options);
  EXPECT_EQ(array[1], 1); // 256
  return {std::move(result), allocations - before};
}

TEST(Access, DropsElementsWithoutAllocations) {
  for (Schedule schedule : {Schedule::ProgramOrder, Schedule::Random}) {
    const Launched unchecked = launch(schedule, *Checks::parse("none"));
    EXPECT_TRUE(unchecked.result.findings.empty());
    EXPECT_LT(unchecked.allocations, elements / 16);
    const Launched checked = launch(schedule, *Checks::parse("bounds"));
    EXPECT_EQ(checked.result.findings.size(), 1u);
    EXPECT_LT(checked.allocations, elements / 16);
  }
}

} // namespace
