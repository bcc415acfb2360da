// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Replay.h.

#include "tilewright/api/prove/Replay.h"
#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/api/devices/WithinMemory.h"
#include "tilewright/tile/Arithmetic.h"

#include <random>

using namespace tilewright;
using namespace tilewright::api;
using prove::Integer;
using prove::SymbolId;
using prove::SymbolKind;
using prove::Symbols;
using support::Result;

/// Launches are drawn at random, because products of parameters make no linear system.
static constexpr unsigned mostDraws = 4000;
static constexpr unsigned mostReplays = 6;
static constexpr int64_t mostSteps = 200000;
/// The length of an array whose length does not matter, and the longest one.
static constexpr int64_t ampleLength = 1 << 16;

static constexpr int64_t scalars[] = {
    0,   1,   2,    3,    4,    5,    7,   8,   15,    16,    17,        31,
    32,  33,  63,   64,   65,   100,  127, 128, 129,   200,   255,       256,
    257, 512, 1000, 1024, 1025, 2048, -1,  -3,  46341, 65536, INT32_MAX, INT32_MIN};

//===-- Drawing launches --------------------------------------------------------------------===//

namespace {
/// A value for each parameter of the proof, by its symbol.
using Assignment = std::map<SymbolId, Integer>;

class Draw {
public:
  Draw(const Symbols &symbols, std::mt19937 &random) : symbols(symbols), random(random) {}

  /// None if the draw does not violate.
  std::optional<Assignment> violating(const prove::Conjunction &violation);

private:
  Integer valueOf(const Assignment &drawn, SymbolId id) const;
  void shorten(Assignment &drawn, const prove::Conjunction &violation) const;

  const Symbols &symbols;
  std::mt19937 &random;
};
} // namespace

Integer Draw::valueOf(const Assignment &drawn, SymbolId id) const {
  const auto found = drawn.find(id);
  return found == drawn.end() ? Integer(0) : found->second;
}

/// Arrays as long as the violation allows.
void Draw::shorten(Assignment &drawn, const prove::Conjunction &violation) const {
  for (auto &[id, length] : drawn)
    if (symbols[id].kind == SymbolKind::Length)
      for (const prove::Constraint &constraint : violation) {
        const Integer factor = constraint.value.factorOf({id});
        const Integer excess =
            constraint.value.evaluate([&](SymbolId other) { return valueOf(drawn, other); });
        if (factor < 0 && excess < 0)
          length = length + floorDiv(excess, -factor);
      }
}

static bool mentions(const prove::Conjunction &violation, SymbolId symbol) {
  bool isMentioned = false;
  for (const prove::Constraint &constraint : violation)
    constraint.value.forEachSymbol([&](SymbolId id) { isMentioned |= id == symbol; });
  return isMentioned;
}

std::optional<Assignment> Draw::violating(const prove::Conjunction &violation) {
  Assignment drawn;
  for (SymbolId id = 0; id < symbols.size(); ++id) {
    const SymbolKind kind = symbols[id].kind;
    if (kind == SymbolKind::Grid)
      drawn[id] = Integer(mentions(violation, id) ? int64_t(1 + random() % 4) : 1);
    else if (kind == SymbolKind::Scalar)
      drawn[id] = Integer(scalars[random() % std::size(scalars)]);
    else if (kind == SymbolKind::Length)
      drawn[id] = Integer(ampleLength);
  }
  shorten(drawn, violation);
  const auto holds = [&](const prove::Constraint &constraint) {
    const Integer value =
        constraint.value.evaluate([&](SymbolId id) { return valueOf(drawn, id); });
    return constraint.isEquality ? value == 0 : value >= 0;
  };
  const bool isLaunch = llvm::all_of(drawn, [&](const auto &parameter) {
    return llvm::all_of(symbols[parameter.first].definition.front(), holds);
  });
  if (!isLaunch || !llvm::all_of(violation, holds))
    return std::nullopt;
  return drawn;
}

//===-- Running -----------------------------------------------------------------------------===//

namespace {
/// The arguments of a launch, and the memory of its arrays.
struct Launchable {
  Counterexample launch;
  std::vector<Argument> arguments;
  std::vector<std::vector<uint8_t>> storage;
};
} // namespace

/// Other scalars have no symbol.
static bool isAnalysed(mlir::Type type) {
  return llvm::isa<tile::PointerType>(type) || (type.isInteger() && !type.isInteger(1));
}

/// Parameters have symbols in their order: the grid first, then of each argument its length or its
/// value.
static Result<Launchable> launchable(const Search &search, const Assignment &drawn) {
  Launchable made;
  std::vector<int64_t> values;
  for (const auto &[id, value] : drawn)
    values.push_back(int64_t(value));
  std::copy_n(values.begin(), 3, made.launch.grid.begin());
  size_t next = 3;
  tile::EntryOp entry = search.entry;
  for (auto [index, parameter] : llvm::enumerate(entry.getBody().getArguments())) {
    const auto type = llvm::cast<tile::TileType>(parameter.getType()).getElementType();
    auto pointer = llvm::dyn_cast<tile::PointerType>(type);
    const int64_t value = isAnalysed(type) ? values[next++] : 0;
    const numerics::Format format = *tile::formatOf(pointer ? pointer.getPointeeType() : type);
    if (!pointer) {
      made.launch.arguments.push_back(std::to_string(value));
      made.arguments.push_back(numerics::info(format).isFloat()
                                   ? numerics::Element::zero(format)
                                   : numerics::Element::integer(format, value));
      continue;
    }
    const int64_t length = numerics::info(format).storageBits < 8 ? value / 2 * 2 : value;
    made.storage.emplace_back(length * std::max(numerics::info(format).storageBits / 8, 1));
    made.launch.arguments.push_back("zeros(" + std::to_string(length) + "x" +
                                    std::string(numerics::info(format).spelling) + ")");
    Result<Array> array = Array::create(made.storage.back().data(), format, {{length}});
    if (!array)
      return array.failure();
    if (!search.names.empty() && !search.names[index].empty())
      array->name = "array " + search.names[index];
    made.arguments.push_back(*std::move(array));
  }
  return made;
}

/// What the reference machine finds at the operation.
static Result<std::optional<std::string>> replay(const Search &search, const Launchable &launch,
                                                 mlir::Operation *op) {
  const auto &grid = launch.launch.grid;
  const Result<runtime::Grid> blocks = runtime::Grid::create(grid[0], grid[1], grid[2]);
  if (!blocks)
    return blocks.failure();
  ReferenceRun run{search.entry, *blocks, launch.arguments, {}};
  run.options.maxSteps = mostSteps;
  run.options.cancelled = search.cancelled;
  run.options.checks = *reference::Checks::parse("bounds,lifetime,index-space,assumption");
  return withinMemory([&]() -> Result<std::optional<std::string>> {
    Result<reference::LaunchResult> ran = api::launch(run, llvm::nulls());
    if (!ran)
      return ran.failure();
    for (const report::Finding &finding : ran->findings)
      if (finding.kind == report::FindingKind::Misbehaviour && finding.location == op->getLoc())
        return std::optional(headlineOf(finding));
    return std::optional<std::string>();
  });
}

static bool isCancelled(const Search &search) { return search.cancelled && *search.cancelled; }

Result<std::optional<Counterexample>> api::findCounterexample(const Search &search,
                                                              const prove::SubjectProof &proof) {
  std::mt19937 random(1);
  Draw draw(search.symbols, random);
  unsigned replays = 0;
  for (unsigned attempt = 0; attempt < mostDraws && replays < mostReplays; ++attempt) {
    if (proof.launches.empty() || isCancelled(search))
      break;
    const auto drawn = draw.violating(proof.launches[attempt % proof.launches.size()]);
    if (!drawn)
      continue;
    ++replays;
    Result<Launchable> launch = launchable(search, *drawn);
    if (!launch)
      return launch.failure();
    const auto finding = replay(search, *launch, proof.op);
    if (!finding)
      return finding.failure();
    if (!*finding)
      continue;
    launch->launch.finding = **finding;
    return std::optional(launch->launch);
  }
  return std::optional<Counterexample>();
}
