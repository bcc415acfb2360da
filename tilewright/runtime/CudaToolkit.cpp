// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CudaToolkit.h.

#include "tilewright/runtime/CudaToolkit.h"

#include <cstdlib>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilewright;
using support::Failure;
using support::Result;

static std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

static bool isProgram(const std::string &path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

/// The folder of the toolkit's programs.
static std::string toolkitFolder() {
  const std::string_view home = variable("CUDA_HOME");
  return std::string(home.empty() ? "/usr/local/cuda" : home) + "/bin";
}

/// Empty if there is no such program.
static std::string findProgram(const std::string &name) {
  const std::string folders = std::string(variable("PATH")) + ":" + toolkitFolder();
  for (std::string_view rest = folders; !rest.empty();) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(folder.size() < rest.size() ? folder.size() + 1 : rest.size());
    const std::string path = std::string(folder) + "/" + name;
    if (!folder.empty() && isProgram(path))
      return path;
  }
  return "";
}

Result<std::string> runtime::findAssembler() {
  const std::string path = findProgram("ptxas");
  if (!path.empty())
    return path;
  return Failure{"a cubin is made by NVIDIA's assembler, and there is no program ptxas in PATH and "
                 "in " +
                 toolkitFolder() + "; PTX needs none"};
}

Result<std::string> runtime::findDisassembler() {
  const std::string path = findProgram("nvdisasm");
  if (!path.empty())
    return path;
  return Failure{"there is no program nvdisasm in PATH and in " + toolkitFolder()};
}
