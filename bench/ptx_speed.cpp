// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the PTX machine. Its goals on one core: 5 million thread-instructions per second with
// all checks and 20 million without; a 256x256x256 product on tensor cores (ptx/gemm.cu) in half a
// second; and time that is linear in threads and in instructions. Exits with 1 if one is missed.

#include "Slopes.h"

#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/text/Parser.h"

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tilewright::bench;
namespace ptx = tilewright::ptx;

static constexpr double goalChecked = 5e6, goalUnchecked = 20e6, goalProduct = 0.5, goalSlope = 1.1;

namespace {
/// A PTX text and its entry.
struct Kernel {
  explicit Kernel(std::string text)
      : module(std::get<ptx::Module>(ptx::parse(std::move(text)))),
        program(std::get<ptx::Program>(ptx::prepare(module, module.functions.back()))) {}

  ptx::Module module;
  ptx::Program program;
};

/// Packs arguments, each aligned to its size.
class Arguments {
public:
  template <typename T> void add(T value) {
    bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const auto *first = reinterpret_cast<const uint8_t *>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
  }
  std::vector<uint8_t> bytes;
};
} // namespace

static ptx::Checks checksOf(const char *text) {
  std::string unknown;
  return *ptx::Checks::parse(text, unknown);
}

/// Each thread repeatedly adds its row of shared memory to an element of global memory: of the 12
/// instructions in an iteration, 4 are memory accesses.
static constexpr const char *mixed = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry mixed(.param .u64 data, .param .u32 turns)
{
  .reg .pred %p;
  .reg .b32 %t, %g, %s, %n, %x, %y;
  .reg .b64 %a, %o;
  .reg .f32 %f, %h;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %a, [data];
  ld.param.u32 %n, [turns];
  mov.u32 %t, %tid.x;
  mov.u32 %x, %ctaid.x;
  mad.lo.u32 %g, %x, 256, %t;
  mad.wide.u32 %o, %g, 4, %a;
  mov.u32 %s, tile;
  mad.lo.u32 %s, %t, 4, %s;
  mov.f32 %h, 0f3F800000;
  st.shared.f32 [%s], %h;
loop:
  ld.global.f32 %f, [%o];
  ld.shared.f32 %h, [%s];
  fma.rn.f32 %f, %h, 0f3F000000, %f;
  st.shared.f32 [%s], %f;
  st.global.f32 [%o], %h;
  and.b32 %y, %n, 7;
  shl.b32 %y, %y, 2;
  xor.b32 %x, %y, %t;
  add.u32 %g, %g, %x;
  sub.u32 %n, %n, 1;
  setp.ne.u32 %p, %n, 0;
  @%p bra loop;
  ret;
}
)";

/// Runs the kernel, and returns the number of thread-instructions.
static uint64_t runMixed(const Kernel &kernel, uint32_t ctas, uint32_t turns, const char *checks) {
  ptx::Memory memory;
  ptx::Region &data = memory.allocate("data", ptx::Space::Global, uint64_t(ctas) * 1024);
  data.defineAll();
  Arguments arguments;
  arguments.add(data.base);
  arguments.add(turns);
  const ptx::Launch launch{{ctas, 1, 1}, {256, 1, 1}, 0, arguments.bytes};
  const ptx::Schedule schedule;
  ptx::Machine machine(kernel.program, memory, launch, schedule);
  machine.checks = checksOf(checks);
  machine.threads = 1;
  execute(machine);
  return machine.findings.empty() ? machine.steps : 0;
}

template <bool isChecked> static void rate(benchmark::State &state) {
  const Kernel kernel(mixed);
  uint64_t steps = 0;
  for (auto _ : state)
    steps += runMixed(kernel, 16, 50, isChecked ? "all" : "none");
  state.counters["instructions"] = benchmark::Counter(double(steps), benchmark::Counter::kIsRate);
}

static void threads(benchmark::State &state) {
  const Kernel kernel(mixed);
  for (auto _ : state)
    benchmark::DoNotOptimize(runMixed(kernel, uint32_t(state.range(0) / 256), 10, "all"));
}

/// 12 instructions per iteration, on 256 threads.
static void instructions(benchmark::State &state) {
  const Kernel kernel(mixed);
  for (auto _ : state)
    benchmark::DoNotOptimize(runMixed(kernel, 1, uint32_t(state.range(0) * 4 / 256), "all"));
}

//===-- The product -------------------------------------------------------------------------===//

static std::string readProduct() {
  const auto path = std::filesystem::path(__FILE__).parent_path() / "ptx/gemm.ptx";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Elements that are small integers, so that the product is exact. The bits of a bfloat16 are the
/// upper half of a float's.
static float elementOf(uint64_t at) { return float(int(at * 7 % 13) - 6); }

static bool isProduct(const ptx::Region &c, uint64_t n) {
  for (const uint64_t row : {uint64_t(0), n / 2 + 5, n - 1})
    for (uint64_t column = 0; column < n; ++column) {
      float sum = 0, found;
      for (uint64_t k = 0; k < n; ++k)
        sum += elementOf(row * n + k) * elementOf(k * n + column);
      std::memcpy(&found, c.bytes.data() + 4 * (row * n + column), 4);
      if (found != sum)
        return false;
    }
  return true;
}

static void product(benchmark::State &state) {
  constexpr uint32_t n = 256;
  const Kernel kernel(readProduct());
  for (auto _ : state) {
    ptx::Memory memory;
    ptx::Region &c = memory.allocate("c", ptx::Space::Global, n * n * 4);
    Arguments arguments;
    arguments.add(c.base);
    for (const char *name : {"a", "b"}) {
      ptx::Region &matrix = memory.allocate(name, ptx::Space::Global, n * n * 2);
      matrix.defineAll();
      for (uint64_t at = 0; at < n * n; ++at)
        matrix.store(2 * at, 2, std::bit_cast<uint32_t>(elementOf(at)) >> 16);
      arguments.add(matrix.base);
    }
    for (int extent = 0; extent < 3; ++extent)
      arguments.add(n);
    const ptx::Launch launch{{2, 2, 1}, {128, 1, 1}, 0, arguments.bytes};
    const ptx::Schedule schedule;
    ptx::Machine machine(kernel.program, memory, launch, schedule);
    machine.threads = 1;
    execute(machine);
    if (!machine.findings.empty() || !isProduct(c, n))
      state.SkipWithError("the product is wrong");
  }
}

//===-- Goals -------------------------------------------------------------------------------===//

namespace {
/// Prints the usual table, then the missed goals.
class GoalReporter : public SlopeReporter {
public:
  void ReportRuns(const std::vector<Run> &runs) override {
    SlopeReporter::ReportRuns(runs);
    for (const Run &run : runs) {
      if (run.run_type != Run::RT_Iteration)
        continue;
      const std::string &name = run.run_name.function_name;
      if (const auto rate = run.counters.find("instructions"); rate != run.counters.end())
        best[name] = std::max(best[name], double(rate->second));
      else if (name == "product")
        best[name] = std::max(best[name], run.iterations / run.cpu_accumulated_time);
    }
  }

  /// Returns the exit status.
  int judge() const {
    int missed = 0;
    const auto demand = [&](const char *name, double least) {
      const auto found = best.find(name);
      if (found == best.end() || found->second >= least)
        return;
      llvm::outs() << llvm::formatv("{0}: {1:f1} a second, the goal is {2:f1}\n", name,
                                    found->second, least);
      ++missed;
    };
    demand("checked", goalChecked);
    demand("unchecked", goalUnchecked);
    demand("product", 1 / goalProduct);
    for (const char *name : {"threads", "instructions"})
      if (const auto found = slopeOf(name); found && *found > goalSlope) {
        llvm::outs() << llvm::formatv("{0}: size^{1:f2}, the goal is {2:f1}\n", name, *found,
                                      goalSlope);
        ++missed;
      }
    return missed != 0;
  }

private:
  std::map<std::string, double> best;
};
} // namespace

int main(int argc, char **argv) {
  using Benchmark = std::pair<const char *, void (*)(benchmark::State &)>;
  for (const auto &[name, function] :
       {Benchmark("checked", rate<true>), Benchmark("unchecked", rate<false>),
        Benchmark("product", product)})
    benchmark::RegisterBenchmark(name, function)->Repetitions(3)->Unit(benchmark::kMillisecond);
  registerAtThreeSizes("threads", threads);
  registerAtThreeSizes("instructions", instructions);
  benchmark::Initialize(&argc, argv);
  GoalReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printSlopes();
  return reporter.judge();
}
