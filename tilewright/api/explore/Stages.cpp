// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Stages.h.

#include "tilewright/api/explore/Stages.h"
#include "tilewright/api/code/CompileStage.h"
#include "tilewright/api/explore/StageLines.h"
#include "tilewright/codegen/Remarks.h"
#include "tilewright/report/Place.h"
#include "tilewright/runtime/CudaToolkit.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/DenseMap.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using report::jsonText;
using support::Result;
namespace json = llvm::json;

namespace {
/// A row of `stages`.
struct StageRow {
  Stage stage;
  StringRef name;
  StageLines (*linesOf)(StringRef text);
};
} // namespace

static constexpr StageRow gpuStages[] = {{Stage::Plan, "plan", linesOfPlan},
                                         {Stage::Ptx, "ptx", linesByLoc}};
static constexpr StageRow cpuStages[] = {{Stage::Plan, "plan", linesOfPlan},
                                         {Stage::Llvm, "llvm", linesByMetadata},
                                         {Stage::Assembly, "assembly", linesByLoc}};

namespace {
/// Compiles one entry for one target.
class TargetStages {
public:
  TargetStages(const ExploredProgram &program, StringRef target, SourceTable &sources,
               ExploredCode &code);

  void add(const StageRow &row, const StageOptions &options);
  void addText(StringRef stage, StageLines (*linesOf)(StringRef),
               const Result<std::string> &produced);
  void assemble(const nvidia::Target &gpu);

private:
  json::Value placeOf(const std::optional<SourceLine> &line);
  void addRemarks(const codegen::Remarks &remarks);

  const ExploredProgram &program;
  StringRef target;
  SourceTable &sources;
  ExploredCode &code;
  /// A copy without the other entries.
  mlir::OwningOpRef<mlir::ModuleOp> copy;
  tile::ModuleOp module;
  /// The files of operations by line and column; empty if there are several.
  llvm::DenseMap<std::pair<unsigned, unsigned>, StringRef> files;
};
} // namespace

TargetStages::TargetStages(const ExploredProgram &program, StringRef target, SourceTable &sources,
                           ExploredCode &code)
    : program(program), target(target), sources(sources), code(code),
      copy(program.contents().clone()), module(*copy->getOps<tile::ModuleOp>().begin()) {
  for (auto entry : llvm::make_early_inc_range(module.getBody().getOps<tile::EntryOp>()))
    if (entry.getSymName() != program.entry().getSymName())
      entry.erase();
  module.walk([&](mlir::Operation *op) {
    if (const auto position = tile::sourcePosition(op->getLoc()))
      if (const auto [known, isNew] =
              files.insert({{position->line, position->column}, position->file});
          !isNew && known->second != position->file)
        known->second = "";
  });
}

json::Value TargetStages::placeOf(const std::optional<SourceLine> &line) {
  if (!line)
    return nullptr;
  const StringRef file =
      line->file.empty() ? files.lookup({line->line, line->column}) : StringRef(line->file);
  return file.empty() ? json::Value(nullptr) : sources.placeOf(file, line->line);
}

/// At most 1 MB, of whole lines.
static StringRef shortened(StringRef text) {
  constexpr size_t mostBytes = 1 << 20;
  return text.size() <= mostBytes ? text : text.take_front(text.rfind('\n', mostBytes) + 1);
}

void TargetStages::addText(StringRef stage, StageLines (*linesOf)(StringRef),
                           const Result<std::string> &produced) {
  const StringRef all = produced ? StringRef(*produced) : "", text = shortened(all);
  json::Array lines;
  for (const std::optional<SourceLine> &line : linesOf(text))
    lines.push_back(placeOf(line));
  json::Object row{{"target", target},
                   {"stage", stage},
                   {"text", jsonText(text)},
                   {"lines", std::move(lines)},
                   {"unlisted", int64_t(all.count('\n') - text.count('\n'))},
                   {"failure", nullptr}};
  if (!produced)
    row["failure"] = jsonText(produced.failure().message);
  code.stages.push_back(std::move(row));
}

void TargetStages::add(const StageRow &row, const StageOptions &options) {
  // Only the plan makes decisions, and the stages that follow make the same plan.
  std::optional<codegen::Remarks> remarks;
  if (row.stage == Stage::Plan)
    remarks.emplace();
  const Result<Code> compiled = compileTo(module, options);
  if (remarks)
    addRemarks(*remarks);
  if (compiled && row.stage == Stage::Ptx) {
    code.ptx = compiled->contents;
    code.kernel = compiled->kernels.front();
  }
  addText(row.name, row.linesOf,
          compiled ? Result<std::string>(compiled->contents) : compiled.failure());
}

/// Adds SASS if NVIDIA's programs are installed.
void TargetStages::assemble(const nvidia::Target &gpu) {
  if (code.ptx.empty())
    return;
  std::vector<nvidia::Resources> resources;
  const Result<std::string> cubin = nvidia::assemble(code.ptx, gpu, &resources);
  const auto own = llvm::find_if(
      resources, [&](const nvidia::Resources &row) { return row.entry == code.kernel.name; });
  if (!cubin)
    code.resources = cubin.failure();
  else if (own == resources.end())
    code.resources = support::Failure{"ptxas reports no resources of the kernel"};
  else
    code.resources = *own;
  if (runtime::findAssembler() && runtime::findDisassembler())
    addText("sass", linesOfSass, cubin ? nvidia::disassemble(*cubin) : cubin);
}

void TargetStages::addRemarks(const codegen::Remarks &remarks) {
  for (const codegen::Remark &remark : remarks.all()) {
    json::Object location{
        {"file", jsonText(remark.line ? StringRef(remark.file) : program.file())}};
    if (remark.line) {
      sources.indexOf(remark.file);
      location["line"] = remark.line;
      location["column"] = remark.column;
    }
    code.remarks.push_back(json::Object{
        {"target", target}, {"message", jsonText(remark.what)}, {"location", std::move(location)}});
  }
}

ExploredCode api::compileStages(const ExploredProgram &program, const nvidia::Target &target,
                                SourceTable &sources) {
  ExploredCode code;
  TargetStages gpu(program, target.cpu, sources, code), host(program, "cpu", sources, code);
  for (const StageRow &row : gpuStages)
    gpu.add(row, {row.stage, nvidia::CompileOptions{target}});
  gpu.assemble(target);
  const Result<cpu::Target> native = cpu::Target::named("native");
  for (const StageRow &row : cpuStages)
    if (native) {
      cpu::CompileOptions options{*native};
      options.debugInfo = true;
      host.add(row, {row.stage, options});
    } else {
      host.addText(row.name, row.linesOf, native.failure());
    }
  return code;
}
