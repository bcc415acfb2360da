// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Harness.h. Creating a context takes as long as reading a small file, so one context is used
// for many inputs. Objects uniqued in a context live as long as it does, so it is replaced from
// time to time, and by then all memory must have been freed.

#include "Harness.h"
#include "Heap.h"
#include "Ledger.h"

#include "tilewright/tile/Dialect.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <ctime>
#include <optional>

using namespace tilewright;
using namespace tilewright::fuzz;

void fuzz::broken(const llvm::Twine &what) {
  llvm::errs() << "fuzz_" << target.name << ": " << what << "\n";
  llvm::errs().flush();
  std::abort();
}

/// libFuzzer uses these counters as coverage, even in programs that are not instrumented.
__attribute__((used, section("__libfuzzer_extra_counters"))) static uint8_t noticed[1 << 12];

void fuzz::notice(llvm::StringRef what) {
  // Later words are mostly names and types.
  llvm::SmallString<48> letters;
  for (char c : what.take_front(200))
    if (llvm::isAlpha(c) && letters.size() < 48)
      letters.push_back(c);
  noticed[llvm::xxh3_64bits(letters) % sizeof(noticed)] = 1;
}

namespace {

/// The CPU time of this thread, independent of the machine's load.
double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

class Harness {
public:
  ~Harness() {
    {
      HeapListener listener;
      dropContext();
    }
    ledger.close(target.name, artifactPrefix);
  }

  void run(llvm::ArrayRef<uint8_t> input) {
    HeapListener listener;
    if (!context || ++inputsInContext > 200 || (bytesInContext += input.size()) > (1 << 20))
      renewContext();
    auto [cost, verdict] = examine(input);
    // The first input of a kind pays for one-time initialisation.
    if (ledger.isRecord(input.size(), cost.seconds)) {
      renewContext();
      cost.seconds = std::min(cost.seconds, examine(input).first.seconds);
    }
    ledger.note(input, cost, verdict == Verdict::Valid);
  }

  std::string artifactPrefix;

private:
  std::pair<Cost, Verdict> examine(llvm::ArrayRef<uint8_t> input) {
    mlir::ScopedDiagnosticHandler quiet(
        &*context, [](mlir::Diagnostic &diagnostic) { notice(diagnostic.str()); });
    HeapListener::forgetPeak();
    int64_t before = HeapListener::live();
    double start = cpuSeconds();
    Verdict verdict = target.examine(input, &*context);
    Cost cost{cpuSeconds() - start, HeapListener::peak() - before};
    int64_t limit = target.heap.base + target.heap.factor * int64_t(input.size());
    if (cost.heap > limit)
      broken("an input of " + llvm::Twine(input.size()) + " bytes holds " + llvm::Twine(cost.heap) +
             " bytes of heap, more than " + llvm::Twine(target.heap.base) + " + " +
             llvm::Twine(target.heap.factor) + " times its size");
    return {cost, verdict};
  }

  void renewContext() {
    dropContext();
    context.emplace(mlir::MLIRContext::Threading::DISABLED);
    context->loadDialect<tile::TileDialect>();
    context->printOpOnDiagnostic(false); // as the programs do
    inputsInContext = bytesInContext = 0;
  }

  /// One-time initialisation in libraries keeps memory, too. The sanitizer searches for leaks only
  /// if more memory is live than before.
  void dropContext() {
    context.reset();
    if (HeapListener::live() > keptBytes && findLeaks())
      broken("the inputs since the last context leaked");
    keptBytes = std::max(keptBytes, HeapListener::live());
  }

  std::optional<mlir::MLIRContext> context;
  Ledger ledger;
  size_t inputsInContext = 0, bytesInContext = 0;
  int64_t keptBytes = 0;
};

} // namespace

static Harness &harness() {
  static Harness harness;
  return harness;
}

extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv) {
  for (llvm::StringRef argument : llvm::ArrayRef(*argv, *argc))
    if (argument.consume_front("-artifact_prefix="))
      harness().artifactPrefix = argument.str();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  harness().run({data, size});
  return 0;
}
