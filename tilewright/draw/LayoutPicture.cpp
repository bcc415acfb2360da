// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws layouts element by element. In a layout that checkFor() accepts, the owners of an element
// are its first owner plus offsets from thread digits that no dimension uses. The offsets are the
// same for every element, so owners are found without enumerating all threads.

#include "tilewright/draw/LayoutPicture.h"
#include "tilewright/draw/Palette.h"
#include "tilewright/layout/algebra/Movement.h"
#include "tilewright/layout/algebra/Owners.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace llvm;
using namespace tilewright::layout;
using tilewright::layout::Layout;

namespace tilewright::draw {

/// More threads than any workgroup has, but few enough to enumerate.
static constexpr int64_t maxThreads = 65536;

namespace {

/// The owners of an element of a layout, and its register.
class Owners {
public:
  Owners(const Layout &layout, Workgroup workgroup)
      : layout(layout), workgroup(workgroup),
        offsets(layout::ownersOf(layout, workgroup, Numbers(layout.rank(), 0))) {}

  Numbers of(ArrayRef<int64_t> element) const {
    int64_t first = layout::firstOwnerOf(layout, workgroup, element);
    return map_to_vector<8>(offsets, [first](int64_t offset) { return first + offset; });
  }
  int64_t registerOf(ArrayRef<int64_t> element) const {
    return layout::registerOf(layout, element);
  }
  size_t perElement() const { return offsets.size(); }

private:
  const Layout &layout;
  Workgroup workgroup;
  Numbers offsets;
};

} // namespace

Result<Workgroup> smallestWorkgroup(ArrayRef<Layout> layouts, int64_t lanes) {
  if (lanes < 1 || lanes > maxThreads)
    return Failure{formatv("a subgroup has 1 to {0} threads, not {1}", maxThreads, lanes)};
  int64_t subgroups = 1;
  for (const Layout &layout : layouts) {
    Result<DigitBasis> basis =
        digitBasis(layout.each(&Dim::subgroups), layout.each(&Dim::subgroupStride));
    if (!basis)
      return basis.failure().at("subgroup_tile");
    int64_t needed = product_of(basis->sizes);
    if (needed > maxThreads / lanes || std::lcm(subgroups, needed) > maxThreads / lanes)
      return Failure{formatv("the subgroups have more than {0} threads", maxThreads)};
    subgroups = std::lcm(subgroups, needed);
  }
  return Workgroup{subgroups * lanes, lanes};
}

/// The sheet for a picture of a layout, after all checks.
static Result<Sheet> sheetFor(const Layout &layout, Workgroup workgroup, const Section &section) {
  if (workgroup.threads > maxThreads)
    return Failure{
        formatv("a workgroup has at most {0} threads, not {1}", maxThreads, workgroup.threads)};
  if (Result<void> checked = checkFor(layout, workgroup); !checked)
    return checked.failure();
  SmallVector<Span> spans;
  for (int64_t extent : undistributedShape(layout))
    spans.push_back({extent});
  return Sheet::of(spans, section);
}

static std::string tileText(const Layout &layout) {
  return layout.rank() ? shapeText(undistributedShape(layout)) + " elements" : "one element";
}

static std::string workgroupText(Workgroup workgroup) {
  return formatv("{0} threads in {1} subgroup{2} of {3}", workgroup.threads, workgroup.subgroups(),
                 workgroup.subgroups() == 1 ? "" : "s", workgroup.lanes);
}

static void noteSection(Picture &picture, const Sheet &sheet) {
  if (!sheet.sectionText().empty())
    picture.notes.push_back("drawn: " + sheet.sectionText());
}

// --- Ownership ------------------------------------------------------------------------

/// `thread 101 (subgroup 1, lane 37)`
static std::string threadText(int64_t thread, Workgroup workgroup) {
  return formatv("thread {0} (subgroup {1}, lane {2})", thread, thread / workgroup.lanes,
                 thread % workgroup.lanes);
}

/// The other owners; only as many as fit on a line.
static std::string othersText(ArrayRef<int64_t> owners) {
  constexpr size_t most = 8;
  if (owners.size() == 1)
    return "";
  ArrayRef<int64_t> others = owners.drop_front();
  std::string text = ", also held by " + listText(others.take_front(most));
  if (others.size() > most)
    text += formatv(" and {0} more", others.size() - most).str();
  return text;
}

/// The colour of the subgroup or, if there is only one subgroup, of the thread.
static int colorOfThread(int64_t thread, Workgroup workgroup) {
  return colorOf(workgroup.subgroups() == 1 ? thread : thread / workgroup.lanes);
}

static Cell cellOfOwner(const Owners &owners, Workgroup workgroup, ArrayRef<int64_t> element) {
  Numbers threads = owners.of(element);
  int64_t thread = threads.front(), reg = owners.registerOf(element);
  Cell cell;
  cell.parts.push_back({std::to_string(thread), std::to_string(reg),
                        colorOfThread(thread, workgroup), /*group=*/thread});
  cell.hover = formatv("[{0}]: {1}, register {2}{3}", listText(element),
                       threadText(thread, workgroup), reg, othersText(threads));
  return cell;
}

static std::string ownersText(size_t count) {
  if (count == 1)
    return "one owner";
  return formatv("{0} owners, of which the first is shown", count);
}

/// With a single subgroup, colours distinguish threads instead of subgroups.
static std::string colorText(Workgroup workgroup) {
  if (workgroup.subgroups() > 1)
    return "";
  return workgroup.threads <= paletteSize
             ? "; colours are threads"
             : formatv("; colours are threads, {0} of them in turn", paletteSize).str();
}

/// Adds legend entries for the subgroups that are first owners.
static void addSubgroups(Picture &picture, Workgroup workgroup) {
  std::vector<bool> seen(workgroup.subgroups());
  for (const Cell &cell : picture.cells)
    seen[cell.parts.front().group / workgroup.lanes] = true;
  for (auto [subgroup, isSeen] : enumerate(seen)) {
    if (!isSeen)
      continue;
    if (picture.legend.size() == paletteSize) {
      picture.notes.push_back(
          formatv("more than {0} subgroups: colours are used again", paletteSize));
      break;
    }
    picture.legend.push_back(
        {colorOf(subgroup), false,
         formatv("subgroup {0}: threads {1} to {2}", subgroup, subgroup * workgroup.lanes,
                 (subgroup + 1) * workgroup.lanes - 1)});
  }
}

Result<Picture> drawLayout(const Layout &layout, Workgroup workgroup, const Section &section) {
  Result<Sheet> sheet = sheetFor(layout, workgroup, section);
  if (!sheet)
    return sheet.failure();
  Owners owners(layout, workgroup);
  Picture picture;
  picture.title =
      formatv("Layout of {0} over {1}", tileText(layout), workgroupText(workgroup)).str();
  picture.notes.push_back(toText(layout));
  picture.notes.push_back(formatv(
      "each element has its thread and its register; a thread holds {0}, an element has {1}{2}",
      layout.registers(), ownersText(owners.perElement()), colorText(workgroup)));
  noteSection(picture, *sheet);
  sheet->fill(picture,
              [&](ArrayRef<int64_t> element) { return cellOfOwner(owners, workgroup, element); });
  if (workgroup.subgroups() > 1)
    addSubgroups(picture, workgroup);
  return picture;
}

// --- Conversions ----------------------------------------------------------------------

namespace {

/// The move by which one owner gets an element.
struct Move {
  Distance distance;
  int64_t from, to; ///< Threads.
};

} // namespace

/// The move from the nearest thread that has the element: the thread itself, one in its subgroup,
/// or the first.
static Move nearestMove(ArrayRef<int64_t> sources, int64_t to, bool sameRegister,
                        Workgroup workgroup) {
  if (is_contained(sources, to))
    return {sameRegister ? Distance::None : Distance::Registers, to, to};
  for (int64_t from : sources)
    if (from / workgroup.lanes == to / workgroup.lanes)
      return {Distance::Lanes, from, to};
  return {Distance::Workgroup, sources.front(), to};
}

static Move farthestMove(ArrayRef<int64_t> sources, ArrayRef<int64_t> targets, bool sameRegister,
                         Workgroup workgroup) {
  Move farthest = nearestMove(sources, targets.front(), sameRegister, workgroup);
  for (int64_t to : targets.drop_front())
    if (Move move = nearestMove(sources, to, sameRegister, workgroup);
        move.distance > farthest.distance)
      farthest = move;
  return farthest;
}

static constexpr StringLiteral distanceNames[] = {"stays where it is", "to another register",
                                                  "to another lane", "to another subgroup"};

/// Subdued colours for elements that stay, bright ones for those that move far.
static constexpr int distanceColors[] = {grey, green, yellow, red};

static Cell cellOfMove(const Move &move, int64_t fromRegister, int64_t toRegister,
                       ArrayRef<int64_t> element, Workgroup workgroup) {
  auto arrow = [](int64_t from, int64_t to) -> std::string {
    return from == to ? std::to_string(from) : formatv("{0}→{1}", from, to).str();
  };
  Cell cell;
  cell.parts.push_back({arrow(move.from, move.to), arrow(fromRegister, toRegister),
                        distanceColors[int(move.distance)], /*group=*/move.from});
  cell.hover = formatv("[{0}] {1}: from {2}, register {3}, to {4}, register {5}", listText(element),
                       distanceNames[int(move.distance)], threadText(move.from, workgroup),
                       fromRegister, threadText(move.to, workgroup), toRegister);
  return cell;
}

Result<Picture> drawConversion(const Layout &from, const Layout &to, Workgroup workgroup,
                               const Section &section) {
  Result<Sheet> sheet = sheetFor(from, workgroup, section);
  if (!sheet)
    return sheet.failure().at("first layout");
  if (Result<void> checked = checkFor(to, workgroup); !checked)
    return checked.failure().at("second layout");
  if (undistributedShape(from) != undistributedShape(to))
    return Failure{
        formatv("the layouts are not of one tile: {0} and {1}", tileText(from), tileText(to))};

  Owners sources(from, workgroup), targets(to, workgroup);
  Picture picture;
  picture.title =
      formatv("Conversion of {0} over {1}", tileText(from), workgroupText(workgroup)).str();
  picture.notes = {"from " + toText(from), "to " + toText(to),
                   "each element has its thread and its register, before→after where they differ"};
  noteSection(picture, *sheet);
  int64_t counts[std::size(distanceNames)] = {};
  sheet->fill(picture, [&](ArrayRef<int64_t> element) {
    int64_t before = sources.registerOf(element), after = targets.registerOf(element);
    Move move = farthestMove(sources.of(element), targets.of(element), before == after, workgroup);
    ++counts[int(move.distance)];
    return cellOfMove(move, before, after, element, workgroup);
  });
  for (auto [distance, count] : enumerate(counts))
    if (count)
      picture.legend.push_back(
          {distanceColors[distance], false, formatv("{0} ({1})", distanceNames[distance], count)});
  return picture;
}

} // namespace tilewright::draw
