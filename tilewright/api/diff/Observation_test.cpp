// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what probes observe, by block and iteration, and what an excerpt of a program consists of.

#include "tilewright/api/diff/Excerpt.h"
#include "tilewright/api/diff/Testing.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;

namespace {

struct Observed {
  std::unique_ptr<ExploredProgram> program = *ExploredProgram::of(entryOf(counting));
  runtime::Grid grid = *runtime::Grid::create(3);
  Numbers x = Numbers(3);
  std::vector<Argument> arguments = {arrayOf(x)};
  DiffLaunch launch{program->entry(), grid, arguments, "k.mlir"};
  TripCounts trips;
  std::unique_ptr<Observation> observation;

  explicit Observed(int64_t blocks) {
    trips[operation(launch.entry, "for")] = 2;
    trips[operation(launch.entry, "loop")] = 3;
    ProbeLayout layout(observableValues(launch.entry), trips, 0, blocks);
    observation = *Observation::make(launch, {Device::Cpu}, std::move(layout));
  }

  const Probe &probe(llvm::StringRef name, int number) const {
    return *observation->layout().find(operation(launch.entry, name, number)->getResult(0));
  }

  /// What the CPU and the reference machine computed.
  std::pair<int64_t, int64_t> at(const Probe &probe, const Execution &execution) const {
    const int64_t place = *observation->layout().placeOf(probe, execution);
    return {observation->found(probe, place, 0).asSigned(),
            observation->required(probe, place, 0).asSigned()};
  }
};

using Both = std::pair<int64_t, int64_t>;

TEST(Probes, ObserveEachExecution) {
  const Observed observed(3);
  const Probe &d = observed.probe("addi", 0), &m = observed.probe("addi", 1);
  EXPECT_EQ(observed.observation->layout().placesOf(d), 6);
  EXPECT_EQ(observed.observation->layout().placesOf(m), 9);
  for (int64_t block : {0, 1, 2}) {
    EXPECT_EQ(observed.at(d, {block, {0}}), Both(block + 2, block + 2));
    EXPECT_EQ(observed.at(d, {block, {1}}), Both(block + 7, block + 7));
    for (int64_t iteration : {0, 1, 2})
      EXPECT_EQ(observed.at(m, {block, {iteration}}), Both(iteration + 1, iteration + 1));
    const Probe &sum = observed.probe("for", 0), &r = observed.probe("addi", 2);
    EXPECT_EQ(observed.at(sum, {block}), Both(block + 7, block + 7));
    EXPECT_EQ(observed.at(r, {block}), Both(block + 10, block + 10));
  }
  EXPECT_EQ(observed.x, Numbers(3)) << "the arrays keep their values";
}

TEST(Probes, OfPointersStoreDistances) {
  const Observed observed(3);
  EXPECT_EQ(observed.at(observed.probe("offset", 0), {2}), Both(8, 8));
}

TEST(Probes, OfOtherBlocksShareAPlace) {
  const Observed observed(1);
  const Probe &d = observed.probe("addi", 0);
  EXPECT_EQ(observed.observation->layout().placeOf(d, {1, {0}}), std::nullopt);
  EXPECT_EQ(observed.at(d, {0, {1}}), Both(7, 7));
}

TEST(Probes, PlacesAreNumberedByBlockAndIteration) {
  const Observed observed(3);
  const ProbeLayout &layout = observed.observation->layout();
  const Probe &m = observed.probe("addi", 1);
  EXPECT_EQ(layout.placeOf(m, {2, {1}}), 7);
  EXPECT_EQ(layout.executionAt(m, 7).block, 2);
  EXPECT_EQ(layout.executionAt(m, 7).iterations[0], 1);
  EXPECT_EQ(layout.placeOf(m, {2, {3}}), std::nullopt) << "the loop has three iterations";
}

TEST(Probes, OfAProgramThatEndsEarlyObserveNothing) {
  const auto program = *ExploredProgram::of(entryOf(asserting));
  const runtime::Grid grid = *runtime::Grid::create(1);
  const std::vector<Argument> arguments = {number(2)};
  const DiffLaunch launch{program->entry(), grid, arguments, "k.mlir"};
  const ProbeLayout layout(observableValues(launch.entry), TripCounts(), 0, 1);
  const auto made = Observation::make(launch, {Device::Cpu}, layout);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.failure().message, "cpu does not run the program to its end when it is observed");
}

TEST(Excerpt, HasTheOperandsOfOneExecution) {
  Observed observed(3);
  mlir::Operation *add = operation(observed.launch.entry, "addi");
  const Culprit culprit{add, {2, {1}}, ""};
  Observations observations;
  observations.all.push_back(std::move(observed.observation));
  Selection selection;
  selection.kept.insert(add);
  selection.shown = {add->getResult(0)};
  const auto excerpt = Excerpt::make({observed.launch, observations, culprit}, selection);
  ASSERT_TRUE(excerpt);
  // addi, the store of its result, and return.
  EXPECT_EQ(excerpt->operationCount(), 3);
  // In the second iteration of block 2, 4 + 5. The result goes to an array of one element.
  ASSERT_EQ(excerpt->arguments().size(), 3u);
  EXPECT_EQ(std::get<Element>(excerpt->arguments()[0]).asSigned(), 4);
  EXPECT_EQ(std::get<Element>(excerpt->arguments()[1]).asSigned(), 5);
  EXPECT_EQ(std::get<Array>(excerpt->arguments()[2]).bytes().size(), 4u);
}

} // namespace
