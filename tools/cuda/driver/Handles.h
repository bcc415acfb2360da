// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of live objects, one for each kind of handle, so that invalid handles are detected and
// objects live as long as they are used. A lookup shares ownership: a running kernel outlives its
// library. Handles that are unknown or no longer valid are never dereferenced.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_HANDLES_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_HANDLES_H

#include <memory>
#include <mutex>
#include <unordered_map>

namespace tilewright::cuda {

template <typename Object> class Handles {
public:
  Object *add(std::shared_ptr<Object> object) {
    Object *handle = object.get();
    std::lock_guard lock(mutex);
    objects.emplace(handle, std::move(object));
    return handle;
  }
  /// Null if the handle is not valid.
  std::shared_ptr<Object> find(const Object *handle) const {
    std::lock_guard lock(mutex);
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second;
  }
  /// Removes and returns it; null if the handle is not valid.
  std::shared_ptr<Object> remove(const Object *handle) {
    std::lock_guard lock(mutex);
    auto found = objects.find(handle);
    if (found == objects.end())
      return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects.erase(found);
    return object;
  }

private:
  mutable std::mutex mutex;
  std::unordered_map<const Object *, std::shared_ptr<Object>> objects;
};

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_HANDLES_H
