// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Test helpers of this room: a kernel with its memory, and the evaluation of single instructions.

#ifndef TILEWRIGHT_PTX_TESTING_H
#define TILEWRIGHT_PTX_TESTING_H

#include "tilewright/ptx/instructions/Prepare.h"
#include "tilewright/ptx/machine/Load.h"
#include "tilewright/ptx/machine/Machine.h"
#include "tilewright/ptx/text/Parser.h"
#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/ptx/watch/Trace.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

namespace tilewright::ptx::testing {

inline std::string header() { return ".version 8.6\n.target sm_90\n.address_size 64\n"; }

/// Writes the texts of tests to the folder in TILEWRIGHT_PTX_KEEP, to check them with ptxas.
inline void keep(const std::string &text) {
  static int number = 0;
  if (const char *folder = std::getenv("TILEWRIGHT_PTX_KEEP")) {
    const auto *test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::ofstream(std::string(folder) + "/" + test->test_suite_name() + "." + test->name() + "." +
                  std::to_string(number++) + ".ptx")
        << text;
  }
}

/// The spelling of all instructions in kernels that ran.
inline std::set<std::string> &executedInstructions() {
  static std::set<std::string> all;
  return all;
}

/// A kernel to launch: text, arrays, arguments.
class Kernel {
public:
  explicit Kernel(const std::string &text, std::string_view entry = "k") {
    auto parsed = parse(text);
    if (const auto *refusal = std::get_if<Refusal>(&parsed)) {
      refused = toString(*refusal);
      return;
    }
    module = std::move(std::get<Module>(parsed));
    const Function *function = module.find(entry);
    if (!function) {
      refused = "no entry";
      return;
    }
    auto prepared = prepare(module, *function);
    if (const auto *refusal = std::get_if<Refusal>(&prepared)) {
      refused = toString(*refusal);
      return;
    }
    keep(text);
    program = std::move(std::get<Program>(prepared));
    loadVariables(program, memory);
  }

  template <typename T> Region &array(const std::vector<T> &values, bool isDefined = true) {
    const uint64_t bytes = values.size() * sizeof(T);
    Region &region = memory.allocate("parameter " + std::to_string(count++), Space::Global, bytes);
    std::memcpy(region.bytes.data(), values.data(), bytes);
    if (isDefined)
      region.defineAll();
    argument(region.base);
    return region;
  }
  template <typename T> void argument(T value) {
    std::vector<uint8_t> &bytes = launch.parameters;
    bytes.resize((bytes.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const auto *first = reinterpret_cast<const uint8_t *>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
  }
  const std::vector<Finding> &run() {
    if (!refused.empty()) {
      ADD_FAILURE() << refused;
      return findings;
    }
    const auto error = checkLaunch(program, launch);
    EXPECT_FALSE(error) << *error;
    Machine machine(program, memory, launch, schedule);
    machine.output = output;
    if (isCounting)
      machine.counters = &counters.emplace(program);
    machine.trace = trace;
    machine.threads = threads;
    machine.checks = checks;
    execute(machine);
    for (const Code &code : program.codes)
      if (code.function)
        for (const Instruction &instruction : code.function->body)
          executedInstructions().insert(spell(instruction));
    findings = machine.findings;
    steps = machine.steps;
    return findings;
  }
  template <typename T> static std::vector<T> values(const Region &region) {
    std::vector<T> values(region.size() / sizeof(T));
    std::memcpy(values.data(), region.bytes.data(), region.size());
    return values;
  }
  /// Rule and message of the first finding, or `nothing`.
  std::string firstFinding() const {
    if (findings.empty())
      return "nothing";
    return std::string(ruleOf(findings.front().check).id) + ": " + findings.front().message;
  }
  /// The line of the text with the first finding.
  uint32_t line() const {
    const Site site = findings.front().site;
    return module.functions[site.function].body[site.instruction].place.line;
  }

  std::string refused;
  Module module;
  Program program;
  Memory memory;
  Launch launch;
  Schedule schedule;
  std::function<void(const std::array<uint32_t, 3> &, std::string_view)> output;
  std::vector<Finding> findings;
  uint64_t steps = 0;
  Checks checks;
  /// Maximum number of cores that run CTAs; 0: all.
  uint32_t threads = 0;
  /// Observers of the run.
  bool isCounting = false;
  std::optional<Counters> counters;
  Trace *trace = nullptr;

private:
  int count = 0;
};

struct Input {
  std::string type; ///< `b32`
  uint64_t bits;
};

/// The results `d` (and `p`, a predicate) of one thread; the inputs are named a, b, c, e ... in
/// their order. 64 bits, zero-extended.
struct Outcome {
  uint64_t d = 0;
  bool p = false;
};

inline Outcome evaluate(const std::string &code, const std::string &type,
                        const std::vector<Input> &inputs) {
  static const char *names[] = {"a", "b", "c", "e", "f", "g", "h", "i"};
  std::string text = header() + ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
                                ".reg .pred p, q;\n.reg .b32 one;\n.reg .b64 to, from;\n";
  if (type != "pred")
    text += ".reg ." + type + " d;\n";
  text += "ld.param.u64 to, [out];\nld.param.u64 from, [in];\nsetp.ne.u64 p, to, to;\n"
          "mov.pred q, p;\n";
  std::vector<uint64_t> words;
  for (const Input &input : inputs) {
    const std::string name = names[words.size()];
    const std::string offset = std::to_string(8 * words.size());
    if (input.type == "pred") {
      text += ".reg .pred " + name + ";\n.reg .b32 raw_" + name + ";\nld.global.b32 raw_" + name +
              ", [from+" + offset + "];\nsetp.ne.b32 " + name + ", raw_" + name + ", 0;\n";
    } else {
      text += ".reg ." + input.type + " " + name + ";\nld.global." + input.type + " " + name +
              ", [from+" + offset + "];\n";
    }
    words.push_back(input.bits);
  }
  text += code + "\n";
  if (type != "pred")
    text += "st.global." + type + " [to], d;\n";
  text += "selp.b32 one, 1, 0, p;\nst.global.b32 [to+8], one;\nret;\n}\n";
  Kernel kernel(text);
  Region &out = kernel.array(std::vector<uint64_t>(2));
  kernel.array(words.empty() ? std::vector<uint64_t>(1) : words);
  EXPECT_TRUE(kernel.refused.empty()) << code << ": " << kernel.refused;
  if (!kernel.refused.empty())
    return {};
  kernel.run();
  EXPECT_TRUE(kernel.findings.empty())
      << code << ": " << (kernel.findings.empty() ? "" : kernel.findings.front().message);
  return {Kernel::values<uint64_t>(out)[0], Kernel::values<uint32_t>(out)[2] != 0};
}

struct EvaluatedRow {
  const char *code, *type;
  std::vector<Input> inputs;
  uint64_t expected;
};

/// Checks the result `d` of one thread for each row.
inline void checkRows(const std::vector<EvaluatedRow> &rows) {
  for (const EvaluatedRow &row : rows)
    EXPECT_EQ(evaluate(row.code, row.type, row.inputs).d, row.expected) << row.code << std::hex;
}

/// `{%a0, %a1}`: `count` registers whose names begin with `prefix`.
inline std::string registerList(const std::string &prefix, unsigned count) {
  std::string all = "{";
  for (unsigned at = 0; at < count; ++at)
    all += (at ? ", " : "") + prefix + std::to_string(at);
  return all + "}";
}

/// The error message for an instruction in a kernel with registers %r0.., %rd0.., %f0.., %p0...
inline std::string refusalOf(const std::string &code) {
  return Kernel(header() +
                ".visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
                ".reg .f32 %f<9>;\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\n" +
                code + "\nret;\n}\n")
      .refused;
}

/// A kernel with an array `out`, whose address is in %rd1.
inline std::string small(const std::string &body) {
  return header() + R"(
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<5>;
  .reg .b32 %r<9>;
  .reg .f32 %f<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd2, %rd1, %rd2;
)" + body +
         "\n}\n"; // the body begins in line 15
}

} // namespace tilewright::ptx::testing

#endif // TILEWRIGHT_PTX_TESTING_H
