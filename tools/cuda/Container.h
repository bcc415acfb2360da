// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format of the file that `tileiras` writes and the driver library loads: a header, followed by
// the verified bytecode that `tileiras` was given. It contains no code: `tileiras` leaves the code
// in the compile cache, where the driver library finds it. Clients pass an address without a length
// to the driver, so the header contains the length.

#ifndef TILEWRIGHT_TOOLS_CUDA_CONTAINER_H
#define TILEWRIGHT_TOOLS_CUDA_CONTAINER_H

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::cuda {

struct ContainerHeader {
  char magic[8];
  /// The version of this format.
  uint32_t version;
  /// 0 to 3, from `-O0` to `-O3`.
  uint32_t optimization;
  uint32_t debugInfo;
  uint32_t reserved;
  /// The size of the program, which follows.
  uint64_t size;
};
static_assert(sizeof(ContainerHeader) == 32);

inline constexpr char containerMagic[8] = {'\x7F', 'T', 'i', 'l', 'e', 'w', 'r', '\n'};
inline constexpr uint32_t containerVersion = 1;

struct Container {
  uint32_t optimization = 2;
  bool debugInfo = false;
  std::string_view program;
};

inline std::string toBytes(const Container &container) {
  ContainerHeader header = {};
  std::memcpy(header.magic, containerMagic, sizeof containerMagic);
  header.version = containerVersion;
  header.optimization = container.optimization;
  header.debugInfo = container.debugInfo;
  header.size = container.program.size();
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  return bytes.append(container.program);
}

/// None if it is something else. Reads no byte beyond the first one that does not fit.
inline std::optional<Container> readContainer(const void *image) {
  const char *bytes = static_cast<const char *>(image);
  for (size_t i = 0; i < sizeof containerMagic; ++i)
    if (bytes[i] != containerMagic[i])
      return std::nullopt;
  ContainerHeader header;
  std::memcpy(&header, image, sizeof header);
  if (header.version != containerVersion)
    return std::nullopt;
  return Container{
      header.optimization, header.debugInfo != 0, {bytes + sizeof header, size_t(header.size)}};
}

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_CONTAINER_H
