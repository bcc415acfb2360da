// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of a launch's arrays at one time, to restore them and to compare them.

#ifndef TILEWRIGHT_API_DEVICES_SAVEDARRAYS_H
#define TILEWRIGHT_API_DEVICES_SAVEDARRAYS_H

#include "tilewright/api/Array.h"

namespace tilewright::api {

class SavedArrays {
public:
  /// Restores the contents of all arrays when it is destroyed.
  explicit SavedArrays(const std::vector<Argument> &arguments);
  SavedArrays(const SavedArrays &) = delete;
  SavedArrays &operator=(const SavedArrays &) = delete;
  ~SavedArrays() { restore(); }

  void restore() const;

private:
  void save(const Array &array);

  std::vector<std::pair<std::span<uint8_t>, std::vector<uint8_t>>> saved;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_DEVICES_SAVEDARRAYS_H
