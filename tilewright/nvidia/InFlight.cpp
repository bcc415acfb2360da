// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InFlight.h.

#include "tilewright/nvidia/InFlight.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <map>
#include <vector>

using namespace tilewright;
using llvm::SmallVector;
using llvm::StringRef;

//===-- Text ----------------------------------------------------------------------------------===//

/// Calls `body` for the statements of a function behind its opening brace: instructions, directives
/// and labels without their ends, and the braces of scopes. Returns the text behind the function.
static StringRef forEachStatement(StringRef text, llvm::function_ref<void(StringRef)> body) {
  for (int64_t depth = 1; depth && !text.empty();) {
    text = text.ltrim();
    if (text.starts_with("//") || text.starts_with(".loc") || text.starts_with(".file")) {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (text.starts_with("{") || text.starts_with("}")) {
      depth += text.front() == '{' ? 1 : -1;
      body(text.take_front(1));
      text = text.drop_front();
    } else {
      const size_t name = text.find_if_not(
          [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%'; });
      const bool isLabel = name != StringRef::npos && name > 0 && text[name] == ':';
      const size_t end = isLabel ? name : std::min(text.find(';'), text.size());
      body(text.take_front(end + (isLabel ? 1 : 0)));
      text = text.drop_front(std::min(end + 1, text.size()));
    }
  }
  return text;
}

/// `%f12` and the like, in order.
static SmallVector<StringRef> registersIn(StringRef text) {
  SmallVector<StringRef> registers;
  while (true) {
    text = text.drop_until([](char c) { return c == '%'; });
    if (text.empty())
      return registers;
    const size_t end =
        std::min(text.find_if_not([](char c) { return llvm::isAlnum(c) || c == '_' || c == '%'; }),
                 text.size());
    registers.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
}

//===-- Functions -----------------------------------------------------------------------------===//

namespace {
/// Registers that must not be accessed by others: accumulators, and those that have lhs.
struct Group {
  llvm::StringSet<> sums, lhs;
};

/// Where a branch is, or a label. `stretch` is the number of the stretch of instructions with
/// something in flight, 0 if nothing is; `ends` is the number of commits and waits before, and
/// `products` that of `wgmma`.
struct Place {
  SmallVector<int64_t, 4> scopes; ///< Innermost last.
  int64_t stretch, ends, products;
};

/// Reads a function.
class Flight {
public:
  void read(StringRef statement);
  /// What is wrong, at the end of the function.
  std::string problemAtEnd();

private:
  void multiply(StringRef statement);
  void endGroups(StringRef statement);
  void access(StringRef statement);
  void branchTo(StringRef targets);
  void checkBranch(StringRef label, const Place &from);
  bool isAccumulator(StringRef name) const;
  bool isLhs(StringRef name) const;
  bool isSomethingInFlight() const { return !groups.empty(); }
  Place here() const { return {scopes, isSomethingInFlight() ? stretch : 0, ends, products}; }
  void fail(const llvm::Twine &what) {
    if (problem.empty())
      problem = what.str();
  }

  /// In flight, the oldest first; the last one may still be open.
  std::deque<Group> groups;
  bool isOpen = false;
  int64_t stretch = 0, ends = 0, products = 0, lastScope = 0;
  SmallVector<int64_t, 4> scopes = {0};
  std::map<std::pair<std::string, int64_t>, Place> labels; ///< By name and scope.
  std::vector<std::pair<std::string, Place>> branches;
  std::string problem;
};
} // namespace

static std::string quoted(StringRef statement) { return ("`" + statement.trim() + "`").str(); }

bool Flight::isAccumulator(StringRef name) const {
  return llvm::any_of(groups, [&](const Group &group) { return group.sums.contains(name); });
}

bool Flight::isLhs(StringRef name) const {
  return llvm::any_of(groups, [&](const Group &group) { return group.lhs.contains(name); });
}

//===-- Instructions --------------------------------------------------------------------------===//

/// `wgmma` may add to the accumulators of an earlier one. Its accumulators are the first operand in
/// braces; lhs may be the second one.
void Flight::multiply(StringRef statement) {
  stretch += !isSomethingInFlight();
  ++products;
  auto [before, rest] = statement.split('{');
  auto [sums, others] = rest.split('}');
  const StringRef lhs = others.split('{').second;
  if (!isOpen)
    groups.emplace_back();
  isOpen = true;
  for (StringRef name : registersIn(sums)) {
    if (isLhs(name))
      fail(quoted(before) + " writes " + name + ", which is lhs of a wgmma in flight");
    groups.back().sums.insert(name);
  }
  for (StringRef name : registersIn(lhs.split('}').first)) {
    if (isAccumulator(name))
      fail(quoted(before) + " reads " + name + ", an accumulator of a wgmma in flight");
    groups.back().lhs.insert(name);
  }
}

/// A commit, or a wait for all groups but some. A group may be empty.
void Flight::endGroups(StringRef statement) {
  ++ends;
  if (statement.starts_with("wgmma.commit_group")) {
    if (!isOpen && isSomethingInFlight())
      groups.emplace_back();
    isOpen = false;
    return;
  }
  uint64_t others = 0;
  if (isOpen || statement.rsplit(' ').second.trim().getAsInteger(10, others))
    return fail(quoted(statement) + " does not end the products before");
  while (groups.size() > others)
    groups.pop_front();
}

void Flight::access(StringRef statement) {
  if (!isSomethingInFlight())
    return;
  for (StringRef name : registersIn(statement))
    if (isAccumulator(name) || isLhs(name))
      fail(quoted(statement) + " accesses " + name + ", which belongs to a wgmma in flight");
}

/// The labels are separated by commas.
void Flight::branchTo(StringRef targets) {
  for (StringRef target : llvm::split(targets, ','))
    branches.push_back({target.trim().str(), here()});
}

/// The instruction without its guard.
static StringRef unguarded(StringRef statement) {
  if (statement.starts_with("@"))
    statement = statement.drop_until([](char c) { return llvm::isSpace(c); });
  return statement.ltrim();
}

void Flight::read(StringRef statement) {
  StringRef instruction = unguarded(statement);
  const bool isGuarded = instruction.size() != statement.size();
  if (statement == "{")
    scopes.push_back(++lastScope);
  else if (statement == "}")
    scopes.pop_back();
  else if (statement.ends_with(":"))
    labels.insert({{statement.drop_back().str(), scopes.back()}, here()});
  else if (isGuarded && instruction.starts_with("wgmma."))
    fail(quoted(statement) + " is predicated");
  else if (instruction.starts_with("wgmma.mma_async"))
    multiply(instruction);
  else if (instruction.starts_with("wgmma.commit_group") ||
           instruction.starts_with("wgmma.wait_group"))
    endGroups(instruction);
  else if (instruction.starts_with("bra"))
    branchTo(instruction.rsplit(' ').second);
  else if (instruction.consume_front(".branchtargets")) // LLVM prints it in front of its `brx.idx`
    branchTo(instruction);
  else if (isSomethingInFlight() &&
           (instruction.starts_with("ret") || instruction.starts_with("exit") ||
            instruction.starts_with("call")))
    fail(quoted(statement) + " is executed while a wgmma is in flight");
  else
    access(statement);
}

//===-- Branches ------------------------------------------------------------------------------===//

/// The label is in one of the scopes around the branch.
void Flight::checkBranch(StringRef label, const Place &from) {
  for (int64_t scope : llvm::reverse(from.scopes)) {
    auto found = labels.find({label.str(), scope});
    if (found == labels.end())
      continue;
    const Place &to = found->second;
    if (from.stretch != to.stretch ||
        (from.stretch && (from.ends != to.ends || from.products > to.products)))
      fail("a branch to " + label + " enters or leaves instructions with a wgmma in flight");
    return;
  }
  fail("there is no label " + label);
}

std::string Flight::problemAtEnd() {
  if (isSomethingInFlight())
    fail("a wgmma is in flight at the end of a function");
  for (const auto &[label, from] : branches)
    checkBranch(label, from);
  return problem;
}

std::string nvidia::problemInFlight(std::string_view ptx) {
  StringRef text(ptx.data(), ptx.size());
  while (true) {
    const size_t entry = std::min(text.find(".entry"), text.find(".func"));
    const size_t body = text.find('{', entry);
    if (body == StringRef::npos)
      return {};
    Flight flight;
    text = forEachStatement(text.drop_front(body + 1),
                            [&](StringRef statement) { flight.read(statement); });
    if (std::string problem = flight.problemAtEnd(); !problem.empty())
      return problem;
  }
}
