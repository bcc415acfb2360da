// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `nvidia-smi`, for scripts that ask which GPU exists: lists devices, answers queries
// as CSV, and prints a summary. All other requests are refused with their name.

#include "tools/cuda/management/Management.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

enum ExitStatus { success = 0, noDriver = 9, wrongUsage = 2 };

static constexpr const char help[] =
    R"(Tilewright's nvidia-smi: reports the device to scripts

usage: nvidia-smi [-L | --query-gpu=FIELDS --format=csv[,noheader][,nounits]] [-i 0]

  (nothing)           a summary of the device
  -L, --list-gpus     one line for each device
  --query-gpu=FIELDS  these fields, separated by commas: name, index, count, uuid, driver_version,
                      compute_cap, pci.bus_id, memory.total, memory.free, memory.used.
                      Fields that only a GPU has are [N/A]
  -i, --id=ID         the device: 0, or its UUID
  -h, --help          this text

The device is this machine's memory and processors: Tilewright runs kernels without a GPU.
Exit status: 0 success; 2 wrong usage; 6 there is no such device; 9 no driver.
)";

//===-- The device --------------------------------------------------------------------------===//

namespace {
struct Device {
  char name[96], uuid[96], driver[80];
  int cuda = 0, major = 0, minor = 0;
  nvmlMemory memory = {};
  nvmlPciInfo bus = {};
};
} // namespace

static nvmlReturn read(Device &device) {
  nvmlDevice handle;
  nvmlReturn error = nvmlInit_v2();
  if (!error)
    error = nvmlDeviceGetHandleByIndex_v2(0, &handle);
  if (!error)
    error = nvmlDeviceGetName(handle, device.name, sizeof device.name);
  if (!error)
    error = nvmlDeviceGetUUID(handle, device.uuid, sizeof device.uuid);
  if (!error)
    error = nvmlSystemGetDriverVersion(device.driver, sizeof device.driver);
  if (!error)
    error = nvmlSystemGetCudaDriverVersion(&device.cuda);
  if (!error)
    error = nvmlDeviceGetCudaComputeCapability(handle, &device.major, &device.minor);
  if (!error)
    error = nvmlDeviceGetMemoryInfo(handle, &device.memory);
  if (!error)
    error = nvmlDeviceGetPciInfo_v3(handle, &device.bus);
  return error;
}

static unsigned long long mebibytes(unsigned long long bytes) { return bytes >> 20; }

//===-- Queries -----------------------------------------------------------------------------===//

/// Prefixes of query fields that only a GPU can answer.
static constexpr std::string_view fieldsOfGpus[] = {
    "accounting.",  "clocks",           "compute_mode", "display_",   "ecc.",           "encoder.",
    "enforced.",    "fan.speed",        "gom.",         "gpu_serial", "inforom.",       "mig.",
    "pcie.",        "persistence_mode", "power.",       "pstate",     "retired_pages.", "serial",
    "temperature.", "utilization.",     "vbios_version"};

/// The value of a field, with its unit if it has one. None for unknown fields.
static std::optional<std::string> valueOf(std::string_view field, const Device &device,
                                          bool hasUnits) {
  const auto memory = [&](unsigned long long bytes) {
    return std::to_string(mebibytes(bytes)) + (hasUnits ? " MiB" : "");
  };
  if (field == "name" || field == "gpu_name")
    return device.name;
  if (field == "index" || field == "count")
    return field == "index" ? "0" : "1";
  if (field == "uuid" || field == "gpu_uuid")
    return device.uuid;
  if (field == "driver_version")
    return device.driver;
  if (field == "compute_cap")
    return std::to_string(device.major) + "." + std::to_string(device.minor);
  if (field == "pci.bus_id" || field == "gpu_bus_id")
    return device.bus.busId;
  if (field == "memory.total")
    return memory(device.memory.total);
  if (field == "memory.free")
    return memory(device.memory.free);
  if (field == "memory.used")
    return memory(device.memory.used);
  if (field == "memory.reserved")
    return memory(0);
  if (std::ranges::any_of(fieldsOfGpus, [&](auto start) { return field.starts_with(start); }))
    return "[N/A]";
  return std::nullopt;
}

static std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  return parts;
}

static int refuse(const std::string &why) {
  std::fprintf(stderr, "nvidia-smi: %s (this is Tilewright's; see nvidia-smi --help)\n",
               why.c_str());
  return wrongUsage;
}

static int query(const std::string &fields, const std::string &format, const Device &device) {
  const std::vector<std::string> words = split(format);
  const auto has = [&](const char *word) { return std::ranges::find(words, word) != words.end(); };
  for (const std::string &word : words)
    if (word != "csv" && word != "noheader" && word != "nounits")
      return refuse("--format is csv[,noheader][,nounits], but has '" + word + "'");
  if (!has("csv"))
    return refuse("--query-gpu needs --format=csv");
  std::string header, line;
  for (const std::string &field : split(fields)) {
    const std::optional<std::string> value = valueOf(field, device, !has("nounits"));
    if (!value)
      return refuse("field '" + field + "' is not a valid field to query");
    const char *separator = line.empty() ? "" : ", ";
    const bool hasUnit = field.starts_with("memory.") && !has("nounits");
    header += separator + field + (hasUnit ? " [MiB]" : "");
    line += separator + *value;
  }
  std::printf("%s%s%s\n", has("noheader") ? "" : header.c_str(), has("noheader") ? "" : "\n",
              line.c_str());
  return success;
}

//===-- Other requests ----------------------------------------------------------------------===//

static int list(const Device &device) {
  std::printf("GPU 0: %s (UUID: %s)\n", device.name, device.uuid);
  return success;
}

static int summarise(const Device &device) {
  constexpr const char *rule =
      "+-----------------------------------------------------------------------------+";
  std::printf("%s\n| %-75s |\n", rule,
              "Tilewright's nvidia-smi: no GPU, but this machine's memory and processors");
  char text[128];
  std::snprintf(text, sizeof text, "Driver Version: %s    CUDA Version: %d.%d", device.driver,
                device.cuda / 1000, device.cuda % 1000 / 10);
  std::printf("| %-75s |\n%s\n", text, rule);
  std::snprintf(text, sizeof text, "0  %.40s    %lluMiB / %lluMiB    compute capability %d.%d",
                device.name, mebibytes(device.memory.used), mebibytes(device.memory.total),
                device.major, device.minor);
  std::printf("| %-75s |\n%s\n", text, rule);
  return success;
}

namespace {
struct Options {
  bool lists = false;
  std::string fields, format, id = "0";
};
} // namespace

/// The value of an option `name=value`, or the next word.
static std::optional<std::string> valueOf(std::string_view name, int &at, int count, char **words) {
  const std::string_view word = words[at];
  if (word.starts_with(name) && word.substr(name.size()).starts_with("="))
    return std::string(word.substr(name.size() + 1));
  if (word == name && at + 1 < count)
    return words[++at];
  return std::nullopt;
}

int main(int count, char **words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "-h" || word == "--help")
      return std::printf("%s", help) < 0;
    if (word == "-L" || word == "--list-gpus")
      options.lists = true;
    else if (auto fields = valueOf("--query-gpu", i, count, words))
      options.fields = *fields;
    else if (auto format = valueOf("--format", i, count, words))
      options.format = *format;
    else if (auto id = valueOf("--id", i, count, words))
      options.id = *id;
    else if (auto index = valueOf("-i", i, count, words))
      options.id = *index;
    else
      return refuse("'" + word + "' is not supported");
  }
  Device device;
  if (const nvmlReturn error = read(device)) {
    std::fprintf(stderr, "nvidia-smi: libcuda.so.1 of Tilewright: %s\n", nvmlErrorString(error));
    return noDriver;
  }
  if (options.id != "0" && options.id != device.uuid) {
    std::fprintf(stderr, "No devices were found\n");
    return NVML_ERROR_NOT_FOUND;
  }
  if (!options.format.empty() && options.fields.empty())
    return refuse("--format needs --query-gpu");
  return options.lists             ? list(device)
         : !options.fields.empty() ? query(options.fields, options.format, device)
                                   : summarise(device);
}
