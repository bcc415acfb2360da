// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Lines.h.

#include "tilewright/ptx/watch/Lines.h"

using namespace tilewright::ptx;

/// Calls `visit` with each executed instruction and its counts.
template <typename Visit>
static void forExecuted(const Module &module, const Counters &counters, Visit visit) {
  for (uint32_t function = 0; function < module.functions.size(); ++function) {
    const auto &body = module.functions[function].body;
    for (uint32_t number = 0; counters.hasFunction(function) && number < body.size(); ++number)
      if (const Counts &counts = counters.of({function, number}); counts.executions)
        visit(body[number], counts);
  }
}

template <typename Key> static std::vector<LineCounts> valuesOf(std::map<Key, LineCounts> &&lines) {
  std::vector<LineCounts> list;
  for (auto &[key, line] : lines)
    list.push_back(std::move(line));
  return list;
}

std::vector<LineCounts> tilewright::ptx::countsBySourceLine(const Module &module,
                                                            const Counters &counters) {
  std::map<std::pair<std::string_view, uint32_t>, LineCounts> lines;
  forExecuted(module, counters, [&](const Instruction &instruction, const Counts &counts) {
    if (!instruction.source)
      return;
    const SourceLine &source = module.lines[instruction.source - 1];
    const std::string_view file = module.fileName(source.file);
    if (file.empty() || !source.line)
      return;
    LineCounts &line = lines[{file, source.line}];
    line.file = file;
    line.line = source.line;
    line.counts += counts;
  });
  return valuesOf(std::move(lines));
}

std::vector<LineCounts> tilewright::ptx::countsByTextLine(const Module &module,
                                                          const Counters &counters) {
  std::map<uint32_t, LineCounts> lines;
  forExecuted(module, counters, [&](const Instruction &instruction, const Counts &counts) {
    LineCounts &line = lines[instruction.place.line];
    line.line = instruction.place.line;
    if (line.instruction.empty())
      line.instruction = spell(instruction);
    line.counts += counts;
  });
  return valuesOf(std::move(lines));
}
