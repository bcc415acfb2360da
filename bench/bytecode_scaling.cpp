// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do reading and writing bytecode take time in proportion to the size of a module, and how
// much of the reading is decoding proper? Reading makes operations and verifies them, which
// is MLIR's work: "create" does the same work for the same operations with no bytes in sight.
// What reading takes beyond creating is decoding. bytecode_profile.py asks a profiler.

#include "Kernel.h"
#include "Slopes.h"

#include "tilewright/bytecode/Reader.h"
#include "tilewright/bytecode/Writer.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::bench;

/// The kernel as a file, and as a module in a context of its own.
struct Sample {
  explicit Sample(int64_t operations) : context(makeContext()) {
    wrapped = parseSourceString<ModuleOp>(makeModule(operations), context.get());
    module = wrapped ? bytecode::findTileModule(*wrapped) : nullptr;
    if (!module || failed(bytecode::writeModule(module, tile::newestVersion, bytes)))
      llvm::report_fatal_error("the generated module is not written");
  }

  ArrayRef<uint8_t> file() const {
    return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
  }

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> wrapped;
  tile::ModuleOp module;
  SmallVector<char> bytes;
};

/// One function in every stack that bytecode_profile.py looks at.
[[gnu::noinline]] static LogicalResult readAndVerify(ArrayRef<uint8_t> file) {
  std::unique_ptr<MLIRContext> context = makeContext();
  auto module = bytecode::readModule(file, context.get());
  return success(module && succeeded(mlir::verify(**module)));
}

static void read(benchmark::State &state) {
  Sample sample(state.range(0));
  for (auto _ : state)
    if (failed(readAndVerify(sample.file())))
      state.SkipWithError("the file is not read");
  state.SetBytesProcessed(state.iterations() * sample.bytes.size());
}

static void write(benchmark::State &state) {
  Sample sample(state.range(0));
  for (auto _ : state) {
    SmallVector<char> bytes;
    if (failed(bytecode::writeModule(sample.module, tile::newestVersion, bytes)))
      state.SkipWithError("the module is not written");
    benchmark::DoNotOptimize(bytes.data());
  }
  state.SetBytesProcessed(state.iterations() * sample.bytes.size());
}

namespace {

/// Makes a module again from its operations. Which value is whose operand is looked up
/// beforehand, so that making it is MLIR's work alone.
class Copier {
public:
  explicit Copier(Operation *original) : original(original) { number(original); }

  OwningOpRef<Operation *> copy() {
    made.clear();
    next = operands.begin();
    return make(original);
  }

private:
  void number(Operation *op) {
    for (Value operand : op->getOperands())
      operands.push_back(numbers.lookup(operand));
    for (Value result : op->getResults())
      numbers[result] = numbers.size();
    for (Block &block : llvm::make_pointee_range(blocksOf(op))) {
      for (Value argument : block.getArguments())
        numbers[argument] = numbers.size();
      for (Operation &nested : block)
        number(&nested);
    }
  }

  Operation *make(Operation *op) {
    SmallVector<Value, 4> values;
    for (size_t i = 0; i < op->getNumOperands(); ++i)
      values.push_back(made[*next++]);
    Operation *copy =
        Operation::create(op->getLoc(), op->getName(), op->getResultTypes(), values,
                          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
                          BlockRange(), op->getNumRegions());
    made.append(copy->result_begin(), copy->result_end());
    for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions()))
      for (Block &block : from)
        fill(block, to.emplaceBlock());
    return copy;
  }

  void fill(Block &from, Block &to) {
    for (BlockArgument argument : from.getArguments())
      made.push_back(to.addArgument(argument.getType(), argument.getLoc()));
    for (Operation &op : from)
      to.push_back(make(&op));
  }

  static SmallVector<Block *> blocksOf(Operation *op) {
    SmallVector<Block *> blocks;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
    return blocks;
  }

  Operation *original;
  DenseMap<Value, unsigned> numbers;
  std::vector<unsigned> operands; ///< Numbers, in the order of use.
  std::vector<unsigned>::iterator next;
  SmallVector<Value, 0> made; ///< By number.
};

} // namespace

static void create(benchmark::State &state) {
  Sample sample(state.range(0));
  Copier copier(sample.module);
  for (auto _ : state) {
    OwningOpRef<Operation *> copy = copier.copy();
    if (failed(mlir::verify(*copy)))
      state.SkipWithError("the copy does not verify");
  }
}

int main(int argc, char **argv) {
  registerAtThreeSizes("read", read);
  registerAtThreeSizes("create", create);
  registerAtThreeSizes("write", write);
  benchmark::Initialize(&argc, argv);
  SlopeReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printSlopes();
  auto reading = reporter.leastTime("read", 100000);
  auto creating = reporter.leastTime("create", 100000);
  if (reading && creating)
    llvm::outs() << llvm::formatv("decoding proper takes {0:f0} % of reading 100000 operations\n",
                                  100 * (1 - *creating / *reading));
}
