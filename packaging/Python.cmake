# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The contents of a wheel: the component `python`, the package tilewright with all its dependences, so that
# it runs without an installed LLVM:
#
#   tilewright/*.py, *.pyi                      Python code and stubs
#   tilewright/_native.*.so                     the extension module
#   tilewright/lib/libtilewright.so.1           the C API and the program, with the parts of LLVM that they use
#   tilewright/lib/libtilewright-runtime.so.1   the library that `tilewright compile -o kernel.so` links
#   tilewright/bin/tilewright                   the program: only main(), the rest is in the library
#   tilewright/libexec/tilewright/cuda          the files that `tilewright exec` provides to cuTile scripts
#
# The library is linked from the same objects as build/lib/libtilewright.so and build/bin/tilewright. It exports
# no LLVM symbols, so that it does not conflict with another LLVM in the same process.
#
# With TILEWRIGHT_GLIBC, all of these are linked a second time, for that glibc. The component then has no extension
# module: there is one for this Python, in the component `python-version`, and one for the stable ABI, in
# `python-abi3`. The two wheels share the rest.
# A sanitized module is for tests in the build tree.
if(NOT TARGET tilewright_python OR TILEWRIGHT_SANITIZE)
  return()
endif()
# Everything else can be built without the archives.
if(NOT LLVM_ARCHIVES OR NOT ZSTD_ARCHIVE)
  add_custom_target(wheel_files
    COMMAND "${CMAKE_COMMAND}" -E echo "A wheel needs libLLVM*.a and libMLIR*.a in ${LLVM_LIBRARY_DIR}, and libzstd.a"
    COMMAND "${CMAKE_COMMAND}" -E false VERBATIM)
  return()
endif()

set(BIN "${CMAKE_INSTALL_BINDIR}")
set(LIB "${CMAKE_INSTALL_LIBDIR}")
set(PACKAGE_BUILD "${PROJECT_BINARY_DIR}/wheel/tilewright")

# --- The library and the program --------------------------------------------------------------------

set(EXPORTS "${CMAKE_CURRENT_SOURCE_DIR}/Python.map")
add_library(tilewright_bundle SHARED EXCLUDE_FROM_ALL NoBitcode.cpp $<TARGET_OBJECTS:tilewright_c>)
# No number after the SOVERSION: wheels do not support symbolic links, so the library would be in it twice.
set_target_properties(tilewright_bundle PROPERTIES OUTPUT_NAME tilewright SOVERSION ${TILEWRIGHT_SOVERSION}
  LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY "${PACKAGE_BUILD}/${LIB}" LINK_DEPENDS "${EXPORTS}"
  TW_LLVM_ARCHIVES ON)
target_link_libraries(tilewright_bundle PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,tilewright_commands>")
target_link_options(tilewright_bundle PRIVATE "-Wl,--version-script=${EXPORTS}")
tw_link_for_old_glibc(tilewright_bundle)

add_executable(tilewright_bundle_program EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tools/tilewright/main.cpp")
set_target_properties(tilewright_bundle_program PROPERTIES OUTPUT_NAME tilewright
  RUNTIME_OUTPUT_DIRECTORY "${PACKAGE_BUILD}/${BIN}" INSTALL_RPATH "$ORIGIN/../${LIB}")
target_link_libraries(tilewright_bundle_program PRIVATE tw_options tilewright_bundle)
tw_link_for_old_glibc(tilewright_bundle_program)

# for_wheel(<target> <folder>): sets <target>_WHEEL to the target that the wheel contains. With TILEWRIGHT_GLIBC, it is
# linked a second time, in that folder of the package, with tilewright_bundle instead of tilewright_c. Without, it is
# the target itself.
function(for_wheel TARGET FOLDER)
  if(NOT TILEWRIGHT_GLIBC)
    set(${TARGET}_WHEEL ${TARGET} PARENT_SCOPE)
    return()
  endif()
  set(LINK ${TARGET}_wheel)
  # A library that is linked from archives has no objects, but CMake requires a source.
  set(SOURCES $<TARGET_OBJECTS:${TARGET}> "${EXPORTS}")
  get_target_property(TYPE ${TARGET} TYPE)
  if(TYPE STREQUAL EXECUTABLE)
    add_executable(${LINK} EXCLUDE_FROM_ALL ${SOURCES})
  else()
    string(REPLACE "_LIBRARY" "" KIND ${TYPE})
    add_library(${LINK} ${KIND} EXCLUDE_FROM_ALL ${SOURCES})
  endif()
  set_target_properties(${LINK} PROPERTIES OUTPUT_NAME ${TARGET})
  foreach(PROPERTY OUTPUT_NAME PREFIX SUFFIX SOVERSION INSTALL_RPATH LINK_DEPENDS LINK_LIBRARIES LINK_OPTIONS)
    get_target_property(VALUE ${TARGET} ${PROPERTY})
    if(NOT VALUE MATCHES "-NOTFOUND$")
      list(TRANSFORM VALUE REPLACE "^tilewright_c$" tilewright_bundle)
      list(TRANSFORM VALUE REPLACE "^tilewright_cuda_(driver|management)$" "tilewright_cuda_\\1_wheel")
      set_property(TARGET ${LINK} PROPERTY ${PROPERTY} "${VALUE}")
    endif()
  endforeach()
  set_target_properties(${LINK} PROPERTIES LINKER_LANGUAGE CXX BUILD_WITH_INSTALL_RPATH ON
    LIBRARY_OUTPUT_DIRECTORY "${PACKAGE_BUILD}/${FOLDER}" RUNTIME_OUTPUT_DIRECTORY "${PACKAGE_BUILD}/${FOLDER}")
  tw_link_for_old_glibc(${LINK})
  set(${TARGET}_WHEEL ${LINK} PARENT_SCOPE)
endfunction()
for_wheel(tilewright_runtime_shared "${LIB}")
for_wheel(tileiras "${CUDA_FOLDER}/bin")
for_wheel(tileirdisasm "${CUDA_FOLDER}/bin")
for_wheel(nvidia-smi "${CUDA_FOLDER}/management")
for_wheel(tilewright_cuda_driver "${CUDA_FOLDER}/lib")
for_wheel(tilewright_cuda_management "${CUDA_FOLDER}/lib")
for_wheel(tilewright_python .)

# --- The stub of the extension module ---------------------------------------------------------------

# The generator loads the module, which is impossible when cross-compiling.
set(TILEWRIGHT_PYTHON_STUB "" CACHE FILEPATH "_native.pyi of another build, when cross-compiling")
if(TILEWRIGHT_PYTHON_STUB)
  set(STUB "${TILEWRIGHT_PYTHON_STUB}")
  add_custom_target(tilewright_python_stub)
else()
  set(STUB "${PACKAGE_BUILD}/_native.pyi")
  nanobind_add_stub(tilewright_python_stub EXCLUDE_FROM_ALL MODULE tilewright._native
    OUTPUT "${STUB}" PYTHON_PATH "${PROJECT_BINARY_DIR}/python"
    DEPENDS tilewright_python)
endif()

# --- Installed files --------------------------------------------------------------------------------

# The targets to build before the components can be installed; `cmake --install build` does not build them.
add_custom_target(wheel_files DEPENDS
  ${tilewright_python_WHEEL} tilewright_python_stub tilewright_bundle tilewright_bundle_program
  ${tilewright_runtime_shared_WHEEL} ${tileiras_WHEEL} ${tileirdisasm_WHEEL} ${nvidia-smi_WHEEL}
  ${tilewright_cuda_driver_WHEEL} ${tilewright_cuda_management_WHEEL})

install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/tilewright" DESTINATION . COMPONENT python EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
install(FILES "${PROJECT_BINARY_DIR}/python/tilewright/_version.py" "${STUB}"
  DESTINATION tilewright COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS tilewright_bundle LIBRARY DESTINATION "tilewright/${LIB}" COMPONENT python EXCLUDE_FROM_ALL NAMELINK_SKIP)
install(TARGETS tilewright_bundle_program RUNTIME DESTINATION "tilewright/${BIN}" COMPONENT python EXCLUDE_FROM_ALL)
install(PROGRAMS "$<TARGET_FILE:${tilewright_runtime_shared_WHEEL}>" DESTINATION "tilewright/${LIB}" COMPONENT python
  EXCLUDE_FROM_ALL RENAME "$<TARGET_SONAME_FILE_NAME:tilewright_runtime_shared>")
install(TARGETS ${tileiras_WHEEL} ${tileirdisasm_WHEEL}
  RUNTIME DESTINATION "tilewright/${CUDA_FOLDER}/bin" COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS ${nvidia-smi_WHEEL}
  RUNTIME DESTINATION "tilewright/${CUDA_FOLDER}/management" COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS ${tilewright_cuda_driver_WHEEL} ${tilewright_cuda_management_WHEEL}
  LIBRARY DESTINATION "tilewright/${CUDA_FOLDER}/lib" COMPONENT python NAMELINK_SKIP EXCLUDE_FROM_ALL)
if(TILEWRIGHT_GLIBC)
  add_dependencies(wheel_files tilewright_python_abi3)
  install(TARGETS ${tilewright_python_WHEEL} LIBRARY DESTINATION tilewright COMPONENT python-version EXCLUDE_FROM_ALL)
  install(TARGETS tilewright_python_abi3 LIBRARY DESTINATION tilewright COMPONENT python-abi3 EXCLUDE_FROM_ALL)
else()
  install(TARGETS tilewright_python LIBRARY DESTINATION tilewright COMPONENT python EXCLUDE_FROM_ALL)
endif()
