// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `tilewright prove`: shows for all sizes that a kernel stays inside of its memory, or the
// condition under which it does.

#include "Commands.h"
#include "Options.h"
#include "Output.h"
#include "tilewright/api/prove/Prove.h"
#include "tools/tilewright/run/EntryArguments.h"

using namespace tilewright;
using namespace tilewright::tools;
using support::Result;

namespace {
struct ProveCommandOptions {
  std::string file, entry;
  bool json = false;
  bool proofOnly = false;
};
} // namespace

static int fail(const support::Failure &failure, int status) {
  llvm::errs() << (status == ExitUsage ? "tilewright prove: " : "") << failure.message << "\n";
  return status;
}

static int prove(const ProveCommandOptions &options) {
  int status = ExitUsage;
  const Result<api::Entry> entry = readEntry(options.file, {options.entry}, status);
  if (!entry)
    return fail(entry.failure(), status);
  const Result<api::KernelProof> proof = api::proveKernel(*entry, {!options.proofOnly});
  if (!proof)
    return fail(proof.failure(), ExitInvalid);
  const int written = finishWith("-", options.json ? api::toJson(*proof, options.file)
                                                   : api::toString(*proof, options.file));
  return written == ExitSuccess ? statusOf(api::outcomeOf(api::verdictOf(*proof))) : written;
}

void tools::addProve(Command program) {
  auto options = std::make_shared<ProveCommandOptions>();
  Command command = program.addCommand(
      "prove",
      "Show for all sizes that a kernel stays inside of its memory, or under which condition");
  addFile(command, options->file, "the program; '-' is standard input");
  addName(command, "--entry", options->entry, "NAME", "the entry, if the file has several");
  command.addFlag("--json", options->json, "print JSON");
  command.addFlag("--proof-only", options->proofOnly, "do not search for launches that fail");
  command.setFooter(
      "Exit status: 0 everything holds, if the conditions do; 1 the program is invalid, or\n"
      "something is unknown; 2 wrong usage, or a file that cannot be read or written;\n"
      "3 an operation fails, and no launch is known to be right.");
  command.onRun([options] { return prove(*options); });
}
