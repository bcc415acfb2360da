// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialises the driver: reads the environment variables.

#include "tools/cuda/driver/Budget.h"
#include "tools/cuda/driver/Compiler.h"
#include "tools/cuda/driver/Report.h"

#include <charconv>
#include <cstdlib>

using namespace tilewright::cuda;

static std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// TILEWRIGHT_MAX_STEPS.
static CUresult readMaxSteps(Settings &settings) {
  const std::string text = variable("TILEWRIGHT_MAX_STEPS");
  if (text.empty())
    return CUDA_SUCCESS;
  if (settings.device == TW_CPU)
    return reportError(CUDA_ERROR_INVALID_VALUE,
                       "TILEWRIGHT_MAX_STEPS needs TILEWRIGHT_DEVICE=reference or ptx: "
                       "steps of compiled code are not counted");
  const char *end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, settings.maxSteps);
  if (error != std::errc() || stopped != end || settings.maxSteps < 1)
    return reportError(CUDA_ERROR_INVALID_VALUE,
                       "TILEWRIGHT_MAX_STEPS must be a number from 1 to 2^63 - 1, but is '" + text +
                           "'");
  return CUDA_SUCCESS;
}

/// Verifies TILEWRIGHT_MEMORY. Budget.h applies the limit.
static CUresult verifyMemory() {
  const std::string text = variable("TILEWRIGHT_MEMORY");
  if (text.empty() || readMemorySize(text))
    return CUDA_SUCCESS;
  return reportError(
      CUDA_ERROR_INVALID_VALUE,
      "TILEWRIGHT_MEMORY must be a number of bytes as 1000000, 512M or 8G, but is '" + text + "'");
}

static CUresult readSettings(Settings &settings) {
  const std::string device = variable("TILEWRIGHT_DEVICE");
  if (device == "gpu")
    return reportError(CUDA_ERROR_INVALID_VALUE,
                       "TILEWRIGHT_DEVICE=gpu needs the driver library of the GPU, but this is "
                       "Tilewright's: remove it from LD_LIBRARY_PATH");
  if (!device.empty() && device != "cpu" && device != "reference" && device != "ptx")
    return reportError(CUDA_ERROR_INVALID_VALUE,
                       "TILEWRIGHT_DEVICE must be cpu, reference or ptx, but is '" + device + "'");
  settings.device = device == "reference" ? TW_REFERENCE : device == "ptx" ? TW_PTX : TW_CPU;
  settings.checks = variable("TILEWRIGHT_CHECK");
  if (!settings.checks.empty() && settings.device == TW_CPU)
    return reportError(
        CUDA_ERROR_INVALID_VALUE,
        "TILEWRIGHT_CHECK needs TILEWRIGHT_DEVICE=reference or ptx: compiled code is "
        "not checked");
  for (auto [name, value] : {std::pair("REPORT_JSON", &settings.jsonReport),
                             std::pair("REPORT_SARIF", &settings.sarifReport),
                             std::pair("COVERAGE", &settings.coverage)}) {
    *value = variable((std::string("TILEWRIGHT_") + name).c_str());
    if (!value->empty() && settings.device != TW_REFERENCE)
      return reportError(
          CUDA_ERROR_INVALID_VALUE,
          std::string("TILEWRIGHT_") + name +
              " needs TILEWRIGHT_DEVICE=reference: only the reference machine reports");
  }
  if (CUresult error = verifyMemory())
    return error;
  return readMaxSteps(settings);
}

TW_DRIVER_API CUresult cuInit(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(state().mutex);
  if (state().isInitialised)
    return CUDA_SUCCESS;
  Settings settings;
  if (CUresult error = readSettings(settings))
    return error;
  state().settings = settings;
  callWhenLoaded(reportAtEnd);
  if (!startReports())
    return CUDA_ERROR_UNKNOWN;
  startCompiler();
  state().isInitialised = true;
  return CUDA_SUCCESS;
}

/// The implemented interface is that of CUDA 13.0.
TW_DRIVER_API CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = 13000;
  return CUDA_SUCCESS;
}
