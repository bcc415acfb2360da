// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ValueNames.h.

#include "tilewright/api/text/ValueNames.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::api;

static std::string textOf(llvm::SMRange range) {
  return {range.Start.getPointer(), range.End.getPointer()};
}

/// One name stands for several results if it is followed by their number.
static void addResults(const AsmParserState::OperationDefinition &definition, ValueNames &names) {
  const auto &groups = definition.resultGroups;
  for (size_t at = 0; at < groups.size(); ++at) {
    const unsigned first = groups[at].startIndex;
    const unsigned end =
        at + 1 < groups.size() ? groups[at + 1].startIndex : definition.op->getNumResults();
    const std::string name = textOf(groups[at].definition.loc);
    for (unsigned result = first; result < end; ++result)
      names[definition.op->getResult(result)] =
          end - first == 1 ? name : name + "#" + std::to_string(result - first);
  }
}

static void addArguments(const AsmParserState::BlockDefinition &definition, ValueNames &names) {
  for (auto [argument, name] : llvm::zip(definition.block->getArguments(), definition.arguments))
    if (name.loc.isValid())
      names[argument] = textOf(name.loc);
}

OwningOpRef<ModuleOp> api::parseWithNames(const llvm::SourceMgr &sources, MLIRContext *context,
                                          ValueNames &names) {
  Block block;
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, &block, ParserConfig(context), &state)))
    return nullptr;
  for (const AsmParserState::OperationDefinition &definition : state.getOpDefs())
    addResults(definition, names);
  for (const AsmParserState::BlockDefinition &definition : state.getBlockDefs())
    addArguments(definition, names);
  const llvm::MemoryBuffer *text = sources.getMemoryBuffer(sources.getMainFileID());
  return mlir::detail::constructContainerOpForParserIfNecessary<ModuleOp>(
      &block, context, FileLineColLoc::get(context, text->getBufferIdentifier(), 0, 0));
}
