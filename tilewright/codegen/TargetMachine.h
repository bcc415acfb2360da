// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Describes the machine that code is generated for: LLVM's triple, CPU name and feature string, and
// the properties that code generators need, which are derived from them.

#ifndef TILEWRIGHT_CODEGEN_TARGETMACHINE_H
#define TILEWRIGHT_CODEGEN_TARGETMACHINE_H

#include "tilewright/elementwise/Capabilities.h"
#include "tilewright/support/Result.h"

#include <string>

namespace tilewright::codegen {

struct TargetMachine : elementwise::Capabilities {
  std::string triple, cpu, features;

  /// The size of a vector register.
  unsigned vectorBytes = 16;

  /// Derives all properties from LLVM's names.
  static support::Result<TargetMachine> of(std::string triple, std::string cpu,
                                           std::string features = "");
  /// The processor that this program runs on, described by the features that it reports: a
  /// hypervisor may hide its model name.
  static TargetMachine host();

  /// Whether it has the instruction set architecture of this program's processor.
  bool isForThisArchitecture() const;

  /// Succeeds if code for this machine runs on this program's processor; else the failure lists the
  /// missing features.
  support::Result<void> runsHere() const;
};

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_TARGETMACHINE_H
