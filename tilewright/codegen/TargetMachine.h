// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For which machine is code generated? One is described by LLVM's triple, CPU name and feature
// string; what those who write the code ask of any machine follows from them.

#ifndef TILEWRIGHT_CODEGEN_TARGETMACHINE_H
#define TILEWRIGHT_CODEGEN_TARGETMACHINE_H

#include "tilewright/elementwise/Capabilities.h"
#include "tilewright/support/Result.h"

#include <string>

namespace tilewright::codegen {

struct TargetMachine : elementwise::Capabilities {
  std::string triple, cpu, features;

  /// Bytes of a vector register.
  unsigned vectorBytes = 16;

  /// With all that follows from LLVM's names.
  static support::Result<TargetMachine> of(std::string triple, std::string cpu,
                                           std::string features = "");
  /// The processor that this program runs on, by the features that it reports: its model
  /// name may be masked by a hypervisor.
  static TargetMachine host();

  /// Whether its instructions are of the same kind as those of this program's processor.
  bool isForThisArchitecture() const;

  /// Succeeds if code for this machine runs on the processor of this program; else says what
  /// that one has not.
  support::Result<void> runsHere() const;
};

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_TARGETMACHINE_H
