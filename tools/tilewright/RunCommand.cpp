// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilewright run: what does this kernel compute?

#include "Commands.h"
#include "LoadFlags.h"
#include "tilewright/driver/Run.h"
#include "tilewright/reference/Machine.h"

using namespace tilewright;
using namespace tilewright::tools;

static constexpr const char *argumentHelp = R"(Each --arg is VALUE[,out=FILE.npy][,print]:
  7, -0.5, nan, inf, 0x7FC00000     a scalar parameter
  f32[1, 2, 3], i32[[1, 2], [3, 4]] an array literal, for a pointer parameter
  zeros(128x64xf16), empty(64xf32)  an array of zeros, or of nothing in particular
  random(1000xf32;seed=3)           reproducible noise
  iota(64xi32)                      0, 1, 2, ...
  FILE.npy                          what the file holds
  array:VALUE                       pointer, extents and strides of an array: as many
                                    parameters as cuTile passes for one
  ,out=FILE.npy                     writes the array after the launch
  ,print                            prints it
Exit status: 0 success; 1 the program is invalid or its launch failed; 2 wrong usage, or a file
that cannot be read or written; 3 the kernel misbehaved.)";

void tools::addRun(CLI::App &app, int &exitStatus) {
  auto options = std::make_shared<driver::RunOptions>();
  options->maxSteps = reference::LaunchOptions().maxSteps;
  CLI::App *command = app.add_subcommand("run", "Run an entry on the reference machine");
  command->add_option("FILE", options->file, "the program; '-' is standard input")->required();
  command->add_option("--entry", options->entry, "the entry, if the file has several")
      ->option_text("NAME");
  command->add_option("--grid", options->grid, "number of tile blocks along each dimension")
      ->required()
      ->option_text("X[,Y[,Z]]");
  command->add_option("--arg", options->arguments, "the next parameter, or an array (see below)")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->option_text("SPEC");
  command
      ->add_option("--max-steps", options->maxSteps,
                   "operations that the launch may execute (default " +
                       std::to_string(options->maxSteps) + ")")
      ->check(CLI::PositiveNumber.description(""))
      ->option_text("N");
  addLoadFlags(*command, options->load);
  command->footer(argumentHelp);
  command->callback([options, &exitStatus] {
    exitStatus = int(driver::run(*options, llvm::outs(), llvm::errs()));
    llvm::outs().flush();
  });
}
