// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses the command line of tileiras, which is that of NVIDIA's tileiras.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H

#include "tilewright/support/Result.h"

#include <span>
#include <string>

namespace tilewright::cuda {

/// What the output is for, from $TILEWRIGHT_DEVICE.
enum class Device { Cpu, Machine, Gpu };

/// Remarks are of these categories, or of none of them.
enum class RemarkCategory { None, All, Memory, TensorCore };

struct RemarkOptions {
  /// The categories of --remarks and of --remarks-analysis. Our remarks are all of the type
  /// `analysis`, so that --remarks-passed, --remarks-missed and --remarks-failed select none.
  RemarkCategory ofAllTypes = RemarkCategory::None, ofAnalysis = RemarkCategory::None;
  bool isYaml = false;
  std::string file = "tileir_remarks.yaml"; ///< For YAML.

  bool areWanted() const {
    return ofAllTypes != RemarkCategory::None || ofAnalysis != RemarkCategory::None;
  }
};

struct Options {
  enum { Compilation, Version, FormatVersions, Help } action = Compilation;
  Device device = Device::Cpu;
  std::string input, output = "elf.o";
  std::string processor;
  RemarkOptions remarks;
  unsigned optimization = 3;
  bool debugInfo = false;
};

/// Parses $TILEWRIGHT_DEVICE.
support::Result<Device> deviceFromEnvironment();

/// Parses the words after the program's name. Fails for unknown options and values.
support::Result<Options> parse(std::span<char *const> words, Device device);

/// Fails for options that do not fit each other.
support::Result<void> verify(const Options &options);

std::string helpText();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMMANDLINE_H
