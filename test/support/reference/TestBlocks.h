// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the executions of a few blocks for a test. A block is a function that performs accesses. It
// is run for every combination of values that its reads might return, and the rules determine which
// are possible; exploring must find the same.

#ifndef TILEWRIGHT_TEST_SUPPORT_REFERENCE_TESTBLOCKS_H
#define TILEWRIGHT_TEST_SUPPORT_REFERENCE_TESTBLOCKS_H

#include "tilewright/reference/exhaustive/Exploration.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>

namespace tilewright::reference::testing {

//===-- Blocks --------------------------------------------------------------------------------===//

/// Ordering and scope of an access.
struct How {
  Scope scope;
  bool acquires = false, releases = false;

  How tileBlock() const { return {Scope::TileBlock, acquires, releases}; }
};
constexpr How weak{Scope::None}, relaxed{Scope::Device}, acquire{Scope::Device, true},
    release{Scope::Device, false, true}, acqRel{Scope::Device, true, true};

enum Where { X, Y, Z, D = X, F = Y };

/// The results of an operation: its token, and the value it read.
struct Step {
  unsigned operation;
  int value = 0;
  /// The index of the event that read it, for dependencies.
  std::optional<unsigned> event = std::nullopt;
};

/// The input token of an operation.
using After = std::vector<Step>;

/// The noted values, by name.
using Outcome = std::map<std::string, int>;

/// One run of a block; `choose` determines the values of its reads.
class Block {
public:
  explicit Block(ChooseValue choose) : choose(choose) {}

  Step read(int where, How how, After after = {}) {
    return update(where, how, after, false, [](int) { return std::nullopt; });
  }
  /// Writes the value of a read, so that the write depends on the read.
  Step write(int where, Step value, How how, After after = {}) {
    Step step = start(after);
    return finish(step, {step.operation, at(where), std::nullopt, bits(value.value)}, how,
                  value.event);
  }
  Step write(int where, int value, How how, After after = {}) {
    return write(where, Step{0, value}, how, after);
  }
  Step add(int where, int operand, How how, After after = {}) {
    return update(where, how, after, true, [=](int old) { return old + operand; });
  }
  Step exchange(int where, int value, How how, After after = {}) {
    return update(where, how, after, false, [=](int) { return value; });
  }
  Step compareAndSwap(int where, int expected, int value, How how, After after = {}) {
    return update(
        where, how, after, true,
        [=](int old) { return old == expected ? std::optional(value) : std::nullopt; },
        /*mayFail=*/true);
  }
  /// A single store of many elements.
  void writeAll(std::vector<std::pair<Location, uint64_t>> elements, How how, After after = {}) {
    Step step = start(after);
    for (auto [location, value] : elements)
      finish(step, {step.operation, location, std::nullopt, Value{value}}, how);
  }

  /// A condition on a read; subsequent accesses depend on it.
  bool when(Step read, int value) {
    conditions.push_back(*read.event);
    if (trace.events[*read.event].isOpen)
      behaviour.unseen.push_back({*read.event});
    return read.value == value;
  }
  /// Names a value that is part of the outcome.
  void note(const std::string &name, Step step) { notes[name] = step.value; }
  /// Ends this run, because its reads did not return the awaited values.
  void abandon() { isAbandoned = true; }

  static Location at(int where) { return Location::ofBytes(16 + 4 * where, 4); }

  Behaviour behaviour;
  Outcome notes;
  /// This run is not part of any outcome.
  bool isAbandoned = false;

private:
  Trace &trace = behaviour.trace;

  static std::optional<Value> bits(int value) { return Value{uint32_t(value)}; }

  Step update(int where, How how, const After &after, bool dependsOnOld,
              std::function<std::optional<int>(int old)> newValue, bool mayFail = false) {
    Step step = start(after);
    Event event{step.operation, at(where)};
    event.access = trace.events.size();
    if (dependsOnOld)
      event.dependsOn = {event.access};
    std::optional<Value> old = choose(event);
    event.isOpen = !old;
    event.read = old.value_or(Value{});
    event.mayFail = mayFail;
    if (std::optional<int> value = newValue(event.read->bits))
      event.written = bits(*value);
    return finish(step, event, how);
  }
  Step start(const After &after) {
    trace.tokens.emplace_back();
    for (const Step &step : after)
      trace.tokens.back().push_back(step.operation);
    return {unsigned(trace.tokens.size() - 1)};
  }
  Step finish(Step step, Event event, How how, std::optional<unsigned> data = std::nullopt) {
    event.scope = how.scope;
    // In these tests nothing follows a guard, so an index in the trace is sufficient.
    event.access = trace.events.size();
    event.acquires = how.acquires && event.read;
    event.releases = how.releases && event.written;
    event.dependsOn.append(conditions.begin(), conditions.end());
    if (data)
      event.dependsOn.push_back(*data);
    if (event.read) {
      step.value = int32_t(event.read->bits);
      step.event = trace.events.size();
    }
    trace.events.push_back(event);
    return step;
  }

  ChooseValue choose;
  std::vector<unsigned> conditions;
};

using Code = std::function<void(Block &)>;

/// All runs of a block whose reads return values from the domain.
inline std::vector<std::unique_ptr<Block>> runsOf(const Code &code,
                                                  const std::vector<int> &domain) {
  std::vector<std::unique_ptr<Block>> runs;
  std::vector<size_t> choices;
  do {
    size_t next = 0;
    auto choose = [&](const Event &) -> std::optional<Value> {
      if (next == choices.size())
        choices.push_back(0);
      return Value{uint32_t(domain[choices[next++]])};
    };
    auto block = std::make_unique<Block>(choose);
    code(*block);
    if (!block->isAbandoned)
      runs.push_back(std::move(block));
    while (!choices.empty() && ++choices.back() == domain.size())
      choices.pop_back();
  } while (!choices.empty());
  return runs;
}

//===-- Verdicts ------------------------------------------------------------------------------===//

enum Verdict { Forbidden, Allowed, Undefined };

/// The noted values of each execution, and the final memory contents, under the names of the
/// locations.
struct Outcomes {
  std::set<Outcome> all;
  bool areUndefined = false;

  void add(const std::vector<Outcome> &notes, const Executions &found) {
    areUndefined |= !found.races.empty();
    for (const FinalMemory &memory : found.outcomes) {
      Outcome outcome = {{"X", 0}, {"Y", 0}, {"Z", 0}};
      for (const auto &noted : notes)
        outcome.insert(noted.begin(), noted.end());
      for (int where : {X, Y, Z})
        if (auto value = memory.find(Block::at(where)); value != memory.end())
          outcome[std::string(1, "XYZ"[where])] = int32_t(value->second.bits);
      all.insert(outcome);
    }
  }
  /// None if the program is undefined.
  std::optional<std::set<Outcome>> ifDefined() const {
    return areUndefined ? std::nullopt : std::optional(all);
  }
};

inline Value zero(Location) { return Value{0}; }

/// Tries all values of the domain for every read.
inline std::optional<std::set<Outcome>> outcomesInDomain(const std::vector<Code> &blocks,
                                                         const std::vector<int> &domain) {
  Outcomes outcomes;
  std::vector<std::vector<std::unique_ptr<Block>>> runs;
  for (const Code &code : blocks)
    runs.push_back(runsOf(code, domain));

  std::vector<const Block *> chosen;
  std::function<void()> combine = [&] {
    if (chosen.size() < runs.size()) {
      for (const auto &run : runs[chosen.size()]) {
        chosen.push_back(run.get());
        combine();
        chosen.pop_back();
      }
      return;
    }
    std::vector<const Trace *> traces;
    std::vector<Outcome> notes;
    for (const Block *block : chosen) {
      traces.push_back(&block->behaviour.trace);
      notes.push_back(block->notes);
    }
    StepBudget steps(1'000'000);
    std::optional<Executions> found = executionsOf(traces, zero, steps);
    ASSERT_TRUE(found);
    outcomes.add(notes, *found);
  };
  combine();
  return outcomes.ifDefined();
}

/// Uses the values that exploring finds.
inline std::optional<std::set<Outcome>> outcomesExplored(const std::vector<Code> &blocks) {
  Outcomes outcomes;
  auto run = [&](unsigned number, ChooseValue choose) {
    Block block(choose);
    blocks[number](block);
    if (!block.isAbandoned)
      block.behaviour.details = std::make_shared<Outcome>(block.notes);
    return block.behaviour;
  };
  auto visit = [&](llvm::ArrayRef<const Behaviour *> behaviours, const Executions &found) {
    std::vector<Outcome> notes;
    for (const Behaviour *behaviour : behaviours) {
      if (!behaviour->details)
        return true;
      notes.push_back(*static_cast<const Outcome *>(behaviour->details.get()));
    }
    outcomes.add(notes, found);
    return true;
  };
  auto restart = [&] { outcomes = {}; };
  EXPECT_EQ(explore({unsigned(blocks.size()), run, zero, visit, restart}), std::nullopt);
  return outcomes.ifDefined();
}

/// Checks that both ways agree.
inline std::optional<std::set<Outcome>> outcomesOf(const std::vector<Code> &blocks,
                                                   const std::vector<int> &domain) {
  std::optional<std::set<Outcome>> outcomes = outcomesInDomain(blocks, domain);
  EXPECT_EQ(outcomesExplored(blocks), outcomes);
  return outcomes;
}

/// Whether some outcome contains all the given values.
inline Verdict verdict(std::vector<Code> blocks, const Outcome &wanted,
                       std::vector<int> domain = {0, 1}) {
  std::optional<std::set<Outcome>> outcomes = outcomesOf(blocks, domain);
  if (!outcomes)
    return Undefined;
  EXPECT_FALSE(outcomes->empty()) << "no execution at all";
  for (Outcome outcome : *outcomes)
    if (std::all_of(wanted.begin(), wanted.end(),
                    [&](const auto &entry) { return outcome.at(entry.first) == entry.second; }))
      return Allowed;
  return Forbidden;
}

/// `→` or `;` in the table.
enum Join { Ordered, Unordered };
inline After joined(Join join, Step step) { return join == Ordered ? After{step} : After{}; }

} // namespace tilewright::reference::testing

#endif // TILEWRIGHT_TEST_SUPPORT_REFERENCE_TESTBLOCKS_H
