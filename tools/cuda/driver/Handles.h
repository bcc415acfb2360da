// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a handle that a client passes one of this library, and does what it stands for live as long as
// it is used? Each kind of object has a table. Whoever finds an object there shares it: a kernel
// that runs outlives its library, and what never was a handle, or no longer is, is not looked at.

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
  /// Null if there is no such handle.
  std::shared_ptr<Object> find(const Object *handle) const {
    std::lock_guard lock(mutex);
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second;
  }
  /// The same; from now on there is none.
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
