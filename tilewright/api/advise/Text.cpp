// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice as text and as JSON.

#include "tilewright/api/Records.h"
#include "tilewright/api/advise/Advise.h"
#include "tilewright/report/Place.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::api;
namespace json = llvm::json;

static std::string countOf(uint64_t count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

static std::string textOf(const AdvisedChange &change) {
  return api::textOf(change.place) + ": " + change.operation + ": " + change.change;
}

static void print(llvm::raw_ostream &out, const AdviceWitness &witness) {
  out << "    " << witness.what << "\n    --schedule " << witness.schedule << "\n";
}

//===-- Weaker forms ------------------------------------------------------------------------===//

/// The part is apparent from the form, except that ordering and scope are written together.
static std::string subjectText(const OperationAdvice &row) {
  if (row.part == AdvisedPart::Token)
    return row.form;
  const auto [ordering, scope] = llvm::StringRef(row.form).split(' ');
  return row.part == AdvisedPart::Ordering ? "ordering " + ordering.str() : "scope " + scope.str();
}

static std::string verdictText(const OperationAdvice &row, bool isExhaustive) {
  switch (row.verdict) {
  case AdviceVerdict::Needed:
    return "needed";
  case AdviceVerdict::Weakenable:
    return (isExhaustive ? "can be weakened for this launch: "
                         : "no reason found to keep it for this launch: ") +
           llvm::join(row.weakest, " or ");
  case AdviceVerdict::Unsettled:
    return "not settled";
  }
  llvm_unreachable("verdicts are listed above");
}

static void print(llvm::raw_ostream &out, const TriedForm &form) {
  switch (form.verdict) {
  case FormVerdict::Holds:
    out << "  " << form.form << ": no race and no new outcome in all "
        << countOf(form.executions, "execution") << "\n";
    return;
  case FormVerdict::NoneFound:
    out << "  " << form.form << ": no race and no new outcome found in "
        << countOf(form.executions, "execution") << ", which are not all\n";
    return;
  case FormVerdict::Fails:
    out << "  " << form.form << ":\n";
    return print(out, *form.witness);
  case FormVerdict::Unsettled:
    out << "  " << form.form << ": not settled: " << form.reason;
    out << (form.witness ? " (--schedule " + form.witness->schedule + ")" : "") << "\n";
    return;
  }
}

static void print(llvm::raw_ostream &out, const OperationAdvice &row, bool isExhaustive) {
  out << api::textOf(row.place) << ": " << row.operation << ": " << subjectText(row) << ": "
      << verdictText(row, isExhaustive) << "\n";
  for (const TriedForm &form : row.tried)
    print(out, form);
}

static void printTogether(llvm::raw_ostream &out, const KernelAdvice &advice) {
  if (advice.together.empty())
    return;
  out << "each claim is about one change; these were tried together:\n";
  for (const AdvisedChange &change : advice.together)
    out << "  " << textOf(change) << "\n";
}

static void printSummary(llvm::raw_ostream &out, const KernelAdvice &advice) {
  const auto count = [&](AdviceVerdict verdict) {
    return llvm::count_if(advice.operations,
                          [&](const auto &row) { return row.verdict == verdict; });
  };
  out << count(AdviceVerdict::Needed) << " needed, " << count(AdviceVerdict::Weakenable)
      << (advice.isExhaustive ? " can be weakened, " : " without a reason found, ")
      << count(AdviceVerdict::Unsettled) << " not settled; ";
  if (advice.isExhaustive)
    out << "this launch has " << countOf(advice.executions, "execution") << ", with "
        << countOf(advice.outcomes, "outcome") << "\n";
  else
    out << countOf(advice.executions, "execution") << " of this launch were judged, not all"
        << (advice.limit.empty() ? "" : ": " + advice.limit) << "\n";
}

//===-- Errors ------------------------------------------------------------------------------===//

static void printFixes(llvm::raw_ostream &out, const KernelAdvice &advice) {
  if (!advice.triedFixes.empty())
    out << "no fix found: " << advice.triedFixes << " leave a race or were not judged\n";
  for (const std::vector<AdvisedChange> &fix : advice.fixes) {
    out << (&fix != &advice.fixes.front() ? "or"
            : advice.isExhaustive         ? "no race in all executions"
                                          : "no race found in some executions")
        << " with " << countOf(fix.size(), "change") << ":\n";
    for (const AdvisedChange &change : fix)
      out << "  " << textOf(change) << "\n";
  }
}

static void printErrors(llvm::raw_ostream &out, const KernelAdvice &advice) {
  for (const AdvisedError &error : advice.errors) {
    out << api::textOf(error.place) << (error.isRace ? ": too weak:\n" : ": wrong:\n");
    print(out, error.witness);
  }
  printFixes(out, advice);
  out << countOf(advice.errors.size(), "error")
      << ": the kernel is wrong as it is written, so weaker forms are not tried\n";
}

std::string api::toString(const KernelAdvice &advice) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!advice.errors.empty()) {
    printErrors(out, advice);
  } else if (advice.executions) {
    for (const OperationAdvice &row : advice.operations)
      print(out, row, advice.isExhaustive);
    printTogether(out, advice);
    printSummary(out, advice);
  }
  if (advice.isCancelled)
    out << "interrupted: "
        << (!advice.errors.empty() ? "changes that leave no race were not all tried"
            : advice.executions    ? "orders, scopes and tokens that are not listed were not judged"
                                   : "nothing was judged")
        << "\n";
  return text;
}

//===-- JSON --------------------------------------------------------------------------------===//

static json::Object asJson(const Place &place) {
  return report::toJson(report::SourcePlace{place.file, place.line, place.column, place.byte});
}

static json::Object asJson(const AdviceWitness &witness) {
  return json::Object{{"what", report::jsonText(witness.what)}, {"schedule", witness.schedule}};
}

static json::Object asJson(const AdvisedChange &change) {
  return json::Object{{"place", asJson(change.place)},
                      {"operation", change.operation},
                      {"change", report::jsonText(change.change)}};
}

static json::Object asJson(const AdvisedError &error) {
  return json::Object{
      {"place", asJson(error.place)}, {"race", error.isRace}, {"witness", asJson(error.witness)}};
}

static json::Object asJson(const TriedForm &form) {
  static constexpr const char *verdicts[] = {"holds", "none-found", "fails", "unsettled"};
  return json::Object{{"form", report::jsonText(form.form)},
                      {"verdict", verdicts[size_t(form.verdict)]},
                      {"executions", form.executions},
                      {"witness", form.witness ? json::Value(asJson(*form.witness)) : nullptr},
                      {"reason", report::jsonText(form.reason)}};
}

static json::Object asJson(const OperationAdvice &row);

template <typename Item> static json::Array asJson(const std::vector<Item> &items) {
  json::Array array;
  for (const Item &item : items)
    array.push_back(asJson(item));
  return array;
}

static json::Object asJson(const OperationAdvice &row) {
  static constexpr const char *verdicts[] = {"needed", "weakenable", "unsettled"};
  static constexpr const char *parts[] = {"ordering", "scope", "token"};
  json::Array weakest;
  for (const std::string &form : row.weakest)
    weakest.push_back(report::jsonText(form));
  return json::Object{{"place", asJson(row.place)},
                      {"operation", row.operation},
                      {"part", parts[size_t(row.part)]},
                      {"form", report::jsonText(row.form)},
                      {"verdict", verdicts[size_t(row.verdict)]},
                      {"weakest", std::move(weakest)},
                      {"tried", asJson(row.tried)}};
}

std::string api::toJson(const KernelAdvice &advice) {
  json::Value value = json::Object{{"entry", report::jsonText(advice.entry)},
                                   {"exhaustive", advice.isExhaustive},
                                   {"limit", report::jsonText(advice.limit)},
                                   {"executions", advice.executions},
                                   {"outcomes", advice.outcomes},
                                   {"errors", asJson(advice.errors)},
                                   {"fixes", asJson(advice.fixes)},
                                   {"tried_fixes", report::jsonText(advice.triedFixes)},
                                   {"operations", asJson(advice.operations)},
                                   {"together", asJson(advice.together)},
                                   {"cancelled", advice.isCancelled}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv("{0:2}", value) << "\n";
  return text;
}
