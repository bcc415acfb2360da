// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks reports of findings from several machines. Expected members follow docs/reports.md and
// SARIF 2.1.0.

#include "tilewright/report/Place.h"
#include "tilewright/report/Report.h"
#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/attributes/Places.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::report;
namespace json = llvm::json;

static constexpr Rule rules[] = {
    {"race", "accesses are ordered", "memory model, 7", "order the two"},
    {"poison", "no poison is stored"},
    {"stale", "values are fresh", "", "", /*isWarning=*/true},
    {"step-limit", "the run ends"},
};

namespace {
struct Reports : ::testing::Test {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};

  Reports() { context.loadDialect<tile::TileDialect>(); }
  mlir::Location line(const char *file, unsigned line, unsigned column) {
    return mlir::FileLineColLoc::get(&context, file, line, column);
  }
  mlir::Location unknown() { return mlir::UnknownLoc::get(&context); }

  static json::Object parsed(const std::string &text) {
    llvm::Expected<json::Value> value = json::parse(text);
    if (!value) {
      ADD_FAILURE() << llvm::toString(value.takeError()) << "\n" << text;
      return {};
    }
    return *value->getAsObject();
  }
  static json::Object toJson(const Finding &finding) {
    json::Object object = parsed(Report{"k.mlir", rules, finding}.toJson());
    return *(*object.getArray("findings"))[0].getAsObject();
  }
  static json::Object toSarif(const Report &report) {
    json::Object object = parsed(report.toSarif());
    return *(*object.getArray("runs"))[0].getAsObject();
  }
  static json::Object resultOf(const Finding &finding) {
    json::Object run = toSarif(Report{"k.mlir", rules, finding});
    return *(*run.getArray("results"))[0].getAsObject();
  }
};
} // namespace

TEST_F(Reports, SayWhichThreadAndWhichProgram) {
  Finding finding{FindingKind::Misbehaviour, line("k.mlir", 7, 3), "two threads meet"};
  finding.rule = &rules[0];
  finding.kernel = "f";
  finding.program = "distributed";
  finding.thread = 5;
  finding.array = "argument 0";
  finding.arrayElement = 12;
  finding.related.emplace_back(line("k.mlir", 4, 1), "the other access");
  json::Object object = toJson(finding);
  EXPECT_EQ(object.getString("check"), "race");
  EXPECT_EQ(object.getString("rule"), "memory model, 7");
  EXPECT_EQ(object.getInteger("thread"), 5);
  EXPECT_EQ(object.getString("program"), "distributed");
  EXPECT_EQ(object.getString("array"), "argument 0");
  EXPECT_EQ(object.getInteger("array_element"), 12);
  EXPECT_EQ(object.getObject("location")->getInteger("line"), 7);

  json::Object result = resultOf(finding);
  EXPECT_EQ(result.getString("ruleId"), "race");
  EXPECT_EQ(result.getInteger("ruleIndex"), 0);
  EXPECT_EQ(result.getString("level"), "error");
  const json::Object *properties = result.getObject("properties");
  EXPECT_EQ(properties->getInteger("thread"), 5);
  EXPECT_EQ(properties->getString("program"), "distributed");
  EXPECT_EQ(properties->getInteger("arrayElement"), 12);
  const json::Object *related = (*result.getArray("relatedLocations"))[0].getAsObject();
  EXPECT_EQ(related->getObject("message")->getString("text"), "the other access");
}

TEST_F(Reports, LeaveOutWhatAMachineHasNot) {
  json::Object object =
      toJson({FindingKind::Misbehaviour, unknown(), "poison", /*rule=*/&rules[1]});
  EXPECT_FALSE(object.get("thread"));
  EXPECT_FALSE(object.get("program"));
  // Members that every finding has are null if unknown.
  for (const char *name : {"rule", "help", "element", "array", "array_element"}) {
    ASSERT_TRUE(object.get(name)) << name;
    EXPECT_EQ(*object.get(name), json::Value(nullptr)) << name;
  }
  // Without a line, the place is the file that was run.
  EXPECT_EQ(*object.getObject("location"), (json::Object{{"file", "k.mlir"}}));
}

TEST_F(Reports, NameFindingsWithoutARuleByTheirKind) {
  Finding finding{FindingKind::StepLimit, unknown(), "too long"};
  EXPECT_EQ(*toJson(finding).get("check"), json::Value(nullptr));
  EXPECT_EQ(resultOf(finding).getString("ruleId"), "step-limit");
  EXPECT_EQ(resultOf(finding).getInteger("ruleIndex"), 3);
}

TEST_F(Reports, DescribeTheRules) {
  json::Object run = toSarif({"k.mlir", rules, {}, /*unlistedFindings=*/4, /*exitStatus=*/3});
  const json::Array &rows = *run.getObject("tool")->getObject("driver")->getArray("rules");
  ASSERT_EQ(rows.size(), 4u);
  const json::Object &race = *rows[0].getAsObject(), &stale = *rows[2].getAsObject();
  EXPECT_EQ(race.getObject("help")->getString("text"), "order the two");
  EXPECT_EQ(race.getObject("properties")->getString("specification"), "memory model, 7");
  EXPECT_FALSE(race.get("defaultConfiguration"));
  EXPECT_EQ(stale.getObject("defaultConfiguration")->getString("level"), "warning");
  EXPECT_FALSE(stale.get("help"));
  EXPECT_EQ(run.getObject("properties")->getInteger("unlistedFindings"), 4);
  const json::Object &invocation = *(*run.getArray("invocations"))[0].getAsObject();
  EXPECT_EQ(invocation.getInteger("exitCode"), 3);
  EXPECT_EQ(invocation.getBoolean("executionSuccessful"), true);
}

TEST_F(Reports, GiveThePlaceInBytecode) {
  mlir::Location marked =
      tile::markPlace(unknown(), mlir::StringAttr::get(&context, "byte 0x1C8, entry @k"));
  SourcePlace place = placeOf(marked, "k.tileirbc");
  EXPECT_EQ(place.file, "k.tileirbc");
  EXPECT_EQ(place.line, 0);
  EXPECT_EQ(place.byte, 0x1C8);
  // Debug information is preferred to a byte offset.
  mlir::Location both =
      tile::markPlace(line("k.py", 5, 9), mlir::StringAttr::get(&context, "byte 0x2"));
  EXPECT_EQ(placeOf(both, "k.tileirbc").line, 5);
  EXPECT_EQ(placeOf(both, "k.tileirbc").byte, std::nullopt);
}

TEST_F(Reports, EscapeWhatIsNoUtf8) {
  Finding finding{FindingKind::Misbehaviour, line("\xFF.mlir", 1, 1), "byte \xFF"};
  finding.rule = &rules[1];
  EXPECT_EQ(toJson(finding).getString("message"), "byte \xEF\xBF\xBD");
  json::Object result = resultOf(finding);
  const json::Object *where =
      (*result.getArray("locations"))[0].getAsObject()->getObject("physicalLocation");
  EXPECT_EQ(where->getObject("artifactLocation")->getString("uri"), "%FF.mlir");
}

TEST(ReportRequest, NamesWhatIsExpected) {
  auto file = ReportRequest::parse("sarif=a=b");
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(file->format, ReportFormat::Sarif);
  EXPECT_EQ(file->file, "a=b");
  EXPECT_EQ(ReportRequest::parse("xml").failure().message,
            "expected text, json or sarif, but got 'xml'");
  EXPECT_EQ(ReportRequest::parse("json=").failure().message, "expected a file after 'json='");
}
