// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Advise.h. Each memory order, scope and token edge of the kernel is a subject. Its next weaker
// forms are tried on copies of the program, one change at a time, and the weaker ones of those that
// hold.

#include "tilewright/api/advise/Advise.h"
#include "tilewright/api/Records.h"
#include "tilewright/api/advise/Strengthen.h"
#include "tilewright/reference/machine/TileBlock.h"

#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::api;
using mlir::Operation;
using mlir::Value;
using support::Result;
using tile::MemoryAccessOpInterface;
using tile::MemoryOrderingSemantics;
using tile::MemoryScope;

//===-- Weaker forms ------------------------------------------------------------------------===//

static std::vector<MemoryOrderingSemantics> nextWeaker(MemoryOrderingSemantics ordering) {
  switch (ordering) {
  case MemoryOrderingSemantics::AcqRel:
    return {MemoryOrderingSemantics::Acquire, MemoryOrderingSemantics::Release};
  case MemoryOrderingSemantics::Acquire:
  case MemoryOrderingSemantics::Release:
    return {MemoryOrderingSemantics::Relaxed};
  case MemoryOrderingSemantics::Relaxed:
    return {MemoryOrderingSemantics::Weak};
  case MemoryOrderingSemantics::Weak:
    return {};
  }
  llvm_unreachable("orderings are listed above");
}

/// The next weaker forms of what a change sets.
static std::vector<Change> nextWeaker(const Change &change) {
  std::vector<Change> weaker;
  if (const auto *set = std::get_if<SetOrdering>(&change.what))
    for (MemoryOrderingSemantics ordering : nextWeaker(set->form.ordering)) {
      const bool isWeak = ordering == MemoryOrderingSemantics::Weak;
      weaker.push_back(
          {change.op, SetOrdering{{ordering, isWeak ? std::nullopt : set->form.scope}}});
    }
  const auto *set = std::get_if<SetScope>(&change.what);
  if (set && set->scope != MemoryScope::TileBlock)
    weaker.push_back({change.op, SetScope{MemoryScope(unsigned(set->scope) - 1)}});
  return weaker;
}

namespace {
/// Something that can be weaker, and how it is now.
struct Subject {
  Operation *op;
  AdvisedPart part;
  std::string form;
  /// The changes to begin with.
  std::vector<Change> weaker;
};
} // namespace

/// Whether the token orders something: a new one does not.
static bool orders(Value token) { return !token.getDefiningOp<tile::MakeTokenOp>(); }

static void addSubjects(MemoryAccessOpInterface access, const ExploredProgram &program,
                        std::vector<Subject> &subjects) {
  const Form form = Form::of(access);
  if (!access.isWeak()) {
    subjects.push_back(
        {access, AdvisedPart::Ordering, form.text(), nextWeaker({access, SetOrdering{form}})});
    subjects.push_back(
        {access, AdvisedPart::Scope, form.text(), nextWeaker({access, SetScope{*form.scope}})});
  }
  const Value token = access.getTokenBefore(), after = access.getTokenAfter();
  if (!token || !orders(token) || !takesToken(access))
    return;
  subjects.push_back(
      {access, AdvisedPart::Token, "token=" + tokenText(token, program), {{access, DropToken{}}}});
  if (after && !after.use_empty())
    subjects.back().weaker.push_back({access, DropToken{/*keepsLater=*/true}});
}

/// Whether the token may order an access after others: directly, or through joins.
static bool isUsed(Value token) {
  llvm::SetVector<Value> tokens;
  tokens.insert(token);
  for (size_t next = 0; next < tokens.size(); ++next)
    for (Operation *user : tokens[next].getUsers()) {
      if (!llvm::isa<tile::JoinTokensOp>(user))
        return true;
      tokens.insert(user->getResult(0));
    }
  return false;
}

static void addSubjects(tile::JoinTokensOp join, const ExploredProgram &program,
                        std::vector<Subject> &subjects) {
  if (!isUsed(join))
    return;
  for (const auto &[number, token] : llvm::enumerate(join.getTokens()))
    if (orders(token))
      subjects.push_back({join,
                          AdvisedPart::Token,
                          tokenText(token, program),
                          {{join, DropJoined{unsigned(number)}}}});
}

static std::vector<Subject> subjectsOf(const ExploredProgram &program) {
  std::vector<Subject> subjects;
  program.entry()->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) {
    if (auto access = llvm::dyn_cast<MemoryAccessOpInterface>(op))
      addSubjects(access, program, subjects);
    else if (auto join = llvm::dyn_cast<tile::JoinTokensOp>(op))
      addSubjects(join, program, subjects);
  });
  llvm::erase_if(subjects, [](const Subject &subject) { return subject.weaker.empty(); });
  return subjects;
}

//===-- Judging -----------------------------------------------------------------------------===//

namespace {
class Advisor {
public:
  Advisor(const ExploredProgram &program, Trials &trials) : program(program), trials(trials) {}

  Result<KernelAdvice> run();

private:
  Place placeOf(Operation *op) const { return api::placeOf(op->getLoc(), program.file()); }
  AdvisedChange describe(const Change &change) const;
  Result<void> addErrors(const Trial &original);
  Result<void> advise(const Subject &subject);
  Result<std::optional<TriedForm>> tryForm(const Change &change);
  Result<std::vector<Change>> tryForms(const Subject &subject, OperationAdvice &row);
  Result<bool> holds(llvm::ArrayRef<Change> changes);
  Result<void> addTogether();
  void describeTogether(llvm::ArrayRef<Change> changes);

  const ExploredProgram &program;
  Trials &trials;
  KernelAdvice advice;
  /// Of each subject that can be weaker, the changes that hold, weaker ones later.
  std::vector<std::vector<Change>> weaker;
};
} // namespace

AdvisedChange Advisor::describe(const Change &change) const {
  return {placeOf(change.op), reference::nameOf(change.op).str(), change.text(program)};
}

/// New arrays in a sample may be those of an execution that was not judged.
static TriedForm judged(const Trial &trial, std::string text, bool isExhaustive) {
  TriedForm form{std::move(text), FormVerdict::Unsettled, trial.executions};
  if (!trial.errors.empty() || (isExhaustive && trial.newOutcome)) {
    form.verdict = FormVerdict::Fails;
    form.witness = trial.errors.empty() ? trial.newOutcome->witness : trial.errors.front().witness;
  } else if (!trial.limit.empty()) {
    form.reason = trial.limit;
  } else if (trial.newOutcome) {
    form.reason = trial.newOutcome->witness.what;
    form.witness = trial.newOutcome->witness;
  } else {
    form.verdict = isExhaustive ? FormVerdict::Holds : FormVerdict::NoneFound;
  }
  return form;
}

static bool canBe(FormVerdict verdict) {
  return verdict == FormVerdict::Holds || verdict == FormVerdict::NoneFound;
}

/// None if the operation has no such form.
Result<std::optional<TriedForm>> Advisor::tryForm(const Change &change) {
  const auto trial = trials.judge(change, TrialPurpose::FirstError);
  if (!trial)
    return trial.failure();
  if (!*trial)
    return std::optional<TriedForm>();
  return std::optional(judged(**trial, change.resultText(program), trials.isExhaustive()));
}

static AdviceVerdict verdictOf(const OperationAdvice &advice) {
  if (!advice.weakest.empty())
    return AdviceVerdict::Weakenable;
  const bool allFail = llvm::all_of(
      advice.tried, [](const TriedForm &form) { return form.verdict == FormVerdict::Fails; });
  return allFail ? AdviceVerdict::Needed : AdviceVerdict::Unsettled;
}

/// Tries all forms that are weaker than one that holds. Returns those that hold, weaker ones later.
Result<std::vector<Change>> Advisor::tryForms(const Subject &subject, OperationAdvice &row) {
  std::vector<Change> open = subject.weaker, held;
  for (size_t next = 0; next < open.size() && !trials.isCancelled(); ++next) {
    const Change change = open[next];
    const std::string text = change.resultText(program);
    if (llvm::any_of(row.tried, [&](const TriedForm &tried) { return tried.form == text; }))
      continue;
    const Result<std::optional<TriedForm>> form = tryForm(change);
    if (!form)
      return form.failure();
    if (!*form)
      continue;
    row.tried.push_back(**form);
    if (!canBe((*form)->verdict))
      continue;
    held.push_back(change);
    if (subject.part == AdvisedPart::Token)
      break;
    for (const Change &weaker : nextWeaker(change))
      open.push_back(weaker);
  }
  return held;
}

/// The forms of which no weaker one holds.
static std::vector<std::string> weakestOf(llvm::ArrayRef<Change> held,
                                          const ExploredProgram &program) {
  std::set<std::string> texts;
  for (const Change &change : held)
    texts.insert(change.resultText(program));
  std::vector<std::string> weakest;
  for (const Change &change : held)
    if (llvm::none_of(nextWeaker(change), [&](const Change &weaker) {
          return texts.contains(weaker.resultText(program));
        }))
      weakest.push_back(change.resultText(program));
  return weakest;
}

/// Adds the advice, unless the operation has no weaker form, or not all were judged.
Result<void> Advisor::advise(const Subject &subject) {
  OperationAdvice row{placeOf(subject.op), reference::nameOf(subject.op).str(), subject.part,
                      subject.form};
  Result<std::vector<Change>> held = tryForms(subject, row);
  if (!held)
    return held.failure();
  if (row.tried.empty() || trials.isCancelled())
    return {};
  row.weakest = weakestOf(*held, program);
  row.verdict = verdictOf(row);
  advice.operations.push_back(std::move(row));
  if (held->empty())
    return {};
  // Together with other changes, another form may hold.
  if (subject.part == AdvisedPart::Token)
    held->assign(subject.weaker.rbegin(), subject.weaker.rend());
  weaker.push_back(*std::move(held));
  return {};
}

Result<bool> Advisor::holds(llvm::ArrayRef<Change> changes) {
  const auto trial = trials.judge(changes, TrialPurpose::IsRight);
  if (!trial)
    return trial.failure();
  return *trial && canBe(judged(**trial, "", trials.isExhaustive()).verdict);
}

/// The ordering and the scope of an operation are one change for a reader.
void Advisor::describeTogether(llvm::ArrayRef<Change> changes) {
  for (const Change &change : changes) {
    AdvisedChange described = describe(change);
    const Change *scope = llvm::find_if(changes, [&](const Change &other) {
      return other.op == change.op && std::holds_alternative<SetScope>(other.what);
    });
    const auto *ordering = std::get_if<SetOrdering>(&change.what);
    if (scope != changes.end() && ordering)
      described.change =
          Form::of(llvm::cast<MemoryAccessOpInterface>(change.op)).text() + " -> " +
          Form{ordering->form.ordering, std::get<SetScope>(scope->what).scope}.text();
    const bool isSaid =
        std::holds_alternative<SetScope>(change.what) &&
        llvm::any_of(changes, [&](const Change &other) {
          return other.op == change.op && std::holds_alternative<SetOrdering>(other.what);
        });
    if (!isSaid)
      advice.together.push_back(std::move(described));
  }
}

/// Gives one subject after the other the weakest form that holds together with those before.
Result<void> Advisor::addTogether() {
  std::vector<Change> changes;
  for (const std::vector<Change> &forms : weaker)
    for (const Change &change : llvm::reverse(forms)) {
      changes.push_back(change);
      const Result<bool> holds = this->holds(changes);
      if (!holds)
        return holds.failure();
      if (*holds)
        break;
      changes.pop_back();
    }
  if (!trials.isCancelled())
    describeTogether(changes);
  return {};
}

//===-- The kernel as it is -----------------------------------------------------------------===//

static bool isRace(const Deviation &error) {
  return error.error->rule == &reference::ruleOf(reference::Check::Race);
}

Result<void> Advisor::addErrors(const Trial &original) {
  for (bool areRaces : {true, false}) // Other errors may follow from races.
    for (const Deviation &error : original.errors)
      if (isRace(error) == areRaces)
        advice.errors.push_back(
            {api::placeOf(error.error->location, program.file()), areRaces, error.witness});
  if (llvm::none_of(original.errors, isRace))
    return {};
  const Result<Fixes> fixes = findFixes(program, original, trials);
  if (!fixes)
    return fixes.failure();
  for (const std::vector<Change> &changes : fixes->all) {
    std::vector<AdvisedChange> &fix = advice.fixes.emplace_back();
    for (const Change &change : changes)
      fix.push_back(describe(change));
  }
  if (advice.fixes.empty() && !trials.isCancelled())
    advice.triedFixes = fixes->tried;
  return {};
}

Result<KernelAdvice> Advisor::run() {
  const Result<Trial> original = trials.judgeOriginal();
  if (!original)
    return original.failure();
  advice.entry = tile::EntryOp(program.entry()).getSymName().str();
  if (trials.isCancelled() && original->errors.empty())
    return std::move(advice);
  advice.isExhaustive = trials.isExhaustive() && original->isComplete && !trials.isCancelled();
  advice.limit = original->limit;
  advice.executions = original->executions;
  advice.outcomes = original->outcomes.size();
  if (Result<void> added = addErrors(*original); !added)
    return added.failure();
  if (!advice.errors.empty())
    return std::move(advice);
  for (const Subject &subject : subjectsOf(program))
    if (Result<void> advised = advise(subject); !advised)
      return advised.failure();
  if (Result<void> added = addTogether(); !added)
    return added.failure();
  return std::move(advice);
}

Result<KernelAdvice> api::adviseKernel(const Entry &entry, const runtime::Grid &grid,
                                       const std::vector<Argument> &arguments,
                                       const AdviseOptions &options) {
  if (Result<void> verified = verifyLaunch(entry, grid, arguments); !verified)
    return verified.failure();
  const auto program = ExploredProgram::of(entry);
  if (!program)
    return program.failure();
  Trials trials(**program, grid, arguments, options);
  Result<KernelAdvice> advice = Advisor(**program, trials).run();
  if (advice)
    advice->isCancelled = trials.isCancelled();
  return advice;
}
