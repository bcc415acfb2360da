// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the document about a kernel: its lines, findings and counters.

#include "tilewright/api/explore/Testing.h"

using namespace tilewright;
using namespace tilewright::api;
using namespace tilewright::api::testing;
namespace json = llvm::json;

namespace {

const json::Object *lineOf(const json::Object &document, int64_t number) {
  for (const json::Value &value : *document.getArray("lines"))
    if (value.getAsObject()->getInteger("line") == number)
      return value.getAsObject();
  return nullptr;
}

TEST(Explore, JoinsExecutionsAndCountersByLine) {
  Numbers x(5, 1);
  const json::Object document = explored(addition, 5, {arrayOf(x), number(41)});
  EXPECT_EQ(x, Numbers(5, 1)) << "the arrays keep their values";
  EXPECT_TRUE(document.getArray("findings")->empty());
  const json::Object *devices = document.getObject("devices");
  for (const char *device : {"reference", "ptx"})
    EXPECT_EQ(devices->getObject(device)->getString("outcome"), "succeeded") << device;
  // In each of five blocks, one thread stores one element: one access to one sector.
  const json::Object *store = lineOf(document, 7);
  ASSERT_TRUE(store);
  EXPECT_EQ(store->getString("file"), "k.mlir");
  EXPECT_EQ(store->getInteger("executions"), 5);
  const json::Object *global = store->getObject("counters")->getObject("global");
  EXPECT_EQ(global->getInteger("accesses"), 5);
  EXPECT_EQ(global->getInteger("sectors"), 5);
  EXPECT_EQ(global->getInteger("ideal_sectors"), 5);
}

TEST(Explore, SharesOfInstructionsAreOfAllInstructions) {
  Numbers x(5);
  const json::Object document = explored(addition, 5, {arrayOf(x), number(1)});
  const int64_t total = *document.getObject("counters")->getInteger("instructions");
  for (const json::Value &value : *document.getArray("lines"))
    if (const json::Object *counters = value.getAsObject()->getObject("counters"))
      EXPECT_EQ(*counters->getNumber("instruction_share") * double(total),
                double(*counters->getInteger("instructions")));
}

TEST(Explore, ListsTheFindingsOfBothMachinesAtTheirLine) {
  Numbers x(4);
  const json::Object document = explored(racing, 2, {arrayOf(x)});
  EXPECT_EQ(x, Numbers(4));
  const json::Array &findings = *document.getArray("findings");
  ASSERT_EQ(findings.size(), 2u);
  for (size_t index : {0, 1}) {
    const json::Object &finding = *findings[index].getAsObject();
    EXPECT_EQ(finding.getString("device"), index ? "ptx" : "reference");
    EXPECT_EQ(finding.getString("check"), "race");
    EXPECT_EQ(finding.getObject("location")->getInteger("line"), 4);
    EXPECT_FALSE(finding.getArray("related")->empty());
  }
  EXPECT_EQ(*lineOf(document, 4)->getArray("findings"), (json::Array{0, 1}));
}

TEST(Explore, GroupsFindingsThatDifferInTheirBlock) {
  // Each of three blocks fails on the reference machine; the first failure ends the PTX machine.
  const json::Object document = explored(asserting, 3, {number(2)});
  std::vector<std::pair<std::string, int64_t>> groups;
  for (const json::Value &value : *document.getArray("findings"))
    groups.push_back({value.getAsObject()->getString("device")->str(),
                      *value.getAsObject()->getInteger("group")});
  EXPECT_EQ(groups, (std::vector<std::pair<std::string, int64_t>>{
                        {"reference", 0}, {"reference", 0}, {"reference", 0}, {"ptx", 3}}));
}

TEST(Explore, SaysWhyThePtxMachineCannotRunTheKernel) {
  Numbers x(4);
  const json::Object document = explored(racing, 1, {Multicast{{arrayOf(x)}}});
  EXPECT_TRUE(document.getObject("devices")->getObject("ptx")->getString("failure"));
  EXPECT_TRUE(document.get("counters")->getAsNull());
}

TEST(Explore, RefusesUnknownTargetsAndWrongArguments) {
  const runtime::Grid grid = *runtime::Grid::create(1);
  Numbers x(1);
  EXPECT_FALSE(exploreKernel(entryOf(racing), grid, {arrayOf(x)}, {.target = "sm_1"}));
  EXPECT_FALSE(exploreKernel(entryOf(racing), grid, {}));
}

} // namespace
