// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright draw`: draws layouts, tiles of views, and data movement between layouts.

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "tilewright/api/Prescan.h"
#include "tilewright/draw/LayoutPicture.h"
#include "tilewright/draw/ViewPicture.h"
#include "tilewright/draw/Writers.h"
#include "tilewright/layout/algebra/Fragments.h"
#include "tilewright/layout/dialect/Dialect.h"
#include "tilewright/tile/Dialect.h"
#include "tools/Color.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tools;
using draw::Picture;
using llvm::formatv;
using llvm::StringRef;
using support::Failure;
using support::Result;

namespace {
enum class Form { Text, Svg, Html };

struct DrawOptions {
  std::string layout;
  std::optional<std::string> view;
  std::vector<std::string> conversion;
  int64_t subgroupSize = 32;
  std::optional<int64_t> threads;
  std::optional<std::string> index;
  std::vector<int64_t> extents;
  std::string section;
  std::string output = "-";
  bool text = false, svg = false, html = false, color = false;
};

/// Captures the first error of a parser instead of printing it.
class FirstError {
public:
  explicit FirstError(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (message.empty() && diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            message = textOf(diagnostic);
          return mlir::success();
        }) {}

  std::string message;

private:
  static std::string textOf(mlir::Diagnostic &diagnostic) {
    if (auto place = llvm::dyn_cast<mlir::FileLineColLoc>(diagnostic.getLocation()))
      return formatv("column {0}: {1}", place.getColumn(), diagnostic.str());
    return diagnostic.str();
  }

  mlir::ScopedDiagnosticHandler handler;
};
} // namespace

static constexpr const char *help =
    R"(A layout is '#iree_vector_ext.nested_layout<...>', a view a type such as
'!cuda_tile.partition_view<...>'; the prefix before the name is optional. A layout can also be
an operand of a matrix instruction: m16n8k16_f16.A, m16n8k8_tf32.C, wgmma.m64n128, ldmatrix.A.result.
Pictures show two dimensions: --slice fixes the others, and cuts large ones. With '3,*,0:32', the
first dimension is fixed at 3, the second is shown completely, the third from 0 up to 31.
By default, standard output gets text, and a file gets SVG, or HTML if its name ends in .html.
Exit status: 0 success; 2 wrong usage, or a file that cannot be written.)";

//===-- What to draw ---------------------------------------------------------------------===//

/// Adds the prefix to the text if it has none.
static std::string spelled(StringRef text, StringRef prefix) {
  text = text.trim();
  return text.starts_with(prefix.take_front(1)) ? text.str() : (prefix + text).str();
}

/// Refuses texts that would crash the parser.
static Result<void> checkHazards(StringRef text) {
  if (std::optional<api::Hazard> hazard = api::findHazard(text))
    return Failure{formatv("column {0}: {1}", hazard->place - text.data() + 1, hazard->what)};
  return {};
}

/// Parses a layout attribute, or the name of a fragment.
static Result<layout::Layout> parseLayout(StringRef text, mlir::MLIRContext &context) {
  if (!text.contains('<'))
    return layout::fragmentNamed(text.trim());
  const std::string whole = spelled(text, "#iree_vector_ext.");
  if (Result<void> checked = checkHazards(whole); !checked)
    return checked.failure();
  FirstError error(context);
  mlir::Attribute attribute = mlir::parseAttribute(whole, &context);
  if (!attribute)
    return Failure{error.message};
  auto nested = llvm::dyn_cast<layout::NestedLayoutAttr>(attribute);
  if (!nested)
    return Failure{formatv("expected a nested_layout, but got '{0}'", attribute)};
  return nested.getLayout();
}

static Result<tile::TileView> parseView(StringRef text, mlir::MLIRContext &context) {
  const std::string whole = spelled(text, "!cuda_tile.");
  if (Result<void> checked = checkHazards(whole); !checked)
    return checked.failure();
  FirstError error(context);
  mlir::Type type = mlir::parseType(whole, &context);
  if (!type)
    return Failure{error.message};
  auto view = llvm::dyn_cast<tile::TileView>(type);
  if (!view)
    return Failure{
        formatv("expected a partition, strided or gather/scatter view, but got '{0}'", type)};
  return view;
}

static Result<layout::Workgroup> workgroupFor(llvm::ArrayRef<layout::Layout> layouts,
                                              const DrawOptions &options) {
  if (options.threads)
    return layout::Workgroup{*options.threads, options.subgroupSize};
  return draw::smallestWorkgroup(layouts, options.subgroupSize);
}

static Result<Picture> drawLayouts(const DrawOptions &options, const draw::Section &section,
                                   mlir::MLIRContext &context) {
  bool isConversion = !options.conversion.empty();
  const char *option = isConversion ? "--convert" : "--layout";
  llvm::SmallVector<layout::Layout, 2> layouts;
  for (const std::string &text :
       isConversion ? options.conversion : std::vector<std::string>{options.layout}) {
    Result<layout::Layout> layout = parseLayout(text, context);
    if (!layout)
      return layout.failure().at(option);
    layouts.push_back(*layout);
  }
  Result<layout::Workgroup> workgroup = workgroupFor(layouts, options);
  if (!workgroup)
    return workgroup.failure().at(option);
  Result<Picture> picture = isConversion
                                ? draw::drawConversion(layouts[0], layouts[1], *workgroup, section)
                                : draw::drawLayout(layouts[0], *workgroup, section);
  return picture ? std::move(picture) : picture.failure().at(option);
}

static Result<Picture> drawView(const DrawOptions &options, const draw::Section &section,
                                mlir::MLIRContext &context) {
  Result<tile::TileView> view = parseView(*options.view, context);
  if (!view)
    return view.failure().at("--view");
  draw::ViewChoice choice;
  choice.section = section;
  choice.dynamicExtents.assign(options.extents.begin(), options.extents.end());
  if (options.index) {
    auto indices = draw::parseIndices(*options.index);
    if (!indices)
      return indices.failure().at("--index");
    choice.indices = *indices;
  }
  Result<Picture> picture = draw::drawView(*view, choice);
  return picture ? std::move(picture) : picture.failure().at("--view");
}

static Result<Picture> drawChosen(const DrawOptions &options) {
  draw::Section section;
  if (!options.section.empty()) {
    Result<draw::Section> parsed = draw::parseSection(options.section);
    if (!parsed)
      return parsed.failure().at("--slice");
    section = *parsed;
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, layout::VectorExtDialect>();
  return options.view ? drawView(options, section, context)
                      : drawLayouts(options, section, context);
}

//===-- Output ---------------------------------------------------------------------------===//

static Form formOf(const DrawOptions &options) {
  if (options.text || options.svg || options.html)
    return options.text ? Form::Text : options.svg ? Form::Svg : Form::Html;
  if (options.output == "-")
    return Form::Text;
  return StringRef(options.output).ends_with(".html") ? Form::Html : Form::Svg;
}

/// With --color, always; otherwise depending on the terminal and the environment (Color.h).
static bool wantsColor(const DrawOptions &options) {
  return options.color || (options.output == "-" && tools::wantsColor(llvm::outs()));
}

static int showPicture(const DrawOptions &options) {
  Result<Picture> picture = drawChosen(options);
  if (!picture) {
    llvm::errs() << "tilewright draw: " << picture.failure().message << "\n";
    return ExitUsage;
  }
  switch (formOf(options)) {
  case Form::Text:
    return finishWith(options.output, draw::toText(*picture, wantsColor(options)));
  case Form::Svg:
    return finishWith(options.output, draw::toSvg(*picture));
  case Form::Html:
    return finishWith(options.output, draw::toHtml(*picture));
  }
  llvm_unreachable("all forms are listed");
}

/// Adds the three options for what to draw, of which exactly one must be given. Returns --view,
/// which other options depend on.
static Option addSubjects(Command command, DrawOptions &options) {
  const Command subjects = command.addGroup("What to draw", 1, 1);
  addText(subjects, "--layout", options.layout, "LAYOUT",
          "which thread holds each element, and where");
  subjects.addPair("--convert", options.conversion, "LAYOUT LAYOUT",
                   "data movement from one layout to the other");
  Option view = addText(subjects, "--view", options.view, "TYPE",
                        "which elements of the tensor each tile of a view covers");
  return view;
}

static void addForms(Command command, DrawOptions &options) {
  const Command forms = command.addGroup("How", 0, 1);
  forms.addFlag("--text", options.text, "write text");
  forms.addFlag("--svg", options.svg, "write SVG");
  forms.addFlag("--html", options.html,
                "write a page that shows details of the cell under the pointer");
  command.addFlag("--color", options.color,
                  "use colours in text even if the output is not a terminal");
  addName(command, "-o", options.output, "FILE",
          "the file to write; '-', the default, is standard output")
      .isFile();
}

void tools::addDraw(Command program) {
  auto options = std::make_shared<DrawOptions>();
  Command command = program.addCommand("draw", "Draw layouts, conversions and views");
  Option view = addSubjects(command, *options);
  addInteger(command, "--subgroup-size", options->subgroupSize, anyCount, "N",
             "threads in a subgroup (default 32)")
      .excludes(view);
  addInteger(command, "--threads", options->threads, anyCount, "N",
             "threads in the workgroup (default: as few as the layouts need)")
      .excludes(view);
  addText(command, "--index", options->index, "INDEX",
          "draw one tile of the view: '2,0', or '[5,1,7,3],0' with a list for the sparse "
          "dimension")
      .needs(view);
  addIntegers(command, "--extents", options->extents, anyExtent, {1, UINT64_MAX}, "N,...",
              "the dynamic extents of the tensor, in order")
      .needs(view);
  addName(command, "--slice", options->section, "PART", "the part to draw, such as '3,*,0:32'");
  addForms(command, *options);
  command.setFooter(help);
  command.onRun([options] { return showPicture(*options); });
}
