# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What does a wheel hold? The component `python`: the package tilewright with all that it needs, so
# that it runs where nobody has LLVM:
#
#   tilewright/*.py, *.pyi                      what is written in Python, and stubs
#   tilewright/_native.*.so                     the extension module
#   tilewright/lib/libtilewright.so.1           the C API and the program, with what they use of LLVM
#   tilewright/lib/libtilewright-runtime.so.1   what `tilewright compile -o kernel.so` links
#   tilewright/bin/tilewright                   the program: its main(), the rest is in the library
#   tilewright/libexec/tilewright/cuda          what `tilewright exec` shows to scripts of cuTile
#
# The library is another link of what build/lib/libtilewright.so and build/bin/tilewright are made of.
# It exports nothing of LLVM, so that it gets along with another LLVM in the same process.
if(NOT TARGET tilewright_python)
  return()
endif()
# All else can be built without the archives.
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
add_library(tilewright_bundle SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tilewright_c>)
# No number after the SOVERSION: a wheel has no links, and would hold the library twice.
set_target_properties(tilewright_bundle PROPERTIES OUTPUT_NAME tilewright SOVERSION ${TILEWRIGHT_SOVERSION}
  LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY "${PACKAGE_BUILD}/${LIB}" LINK_DEPENDS "${EXPORTS}"
  TW_LLVM_ARCHIVES ON)
target_link_libraries(tilewright_bundle PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,tilewright_commands>")
target_link_options(tilewright_bundle PRIVATE "-Wl,--version-script=${EXPORTS}")

add_executable(tilewright_bundle_program EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tools/tilewright/main.cpp")
set_target_properties(tilewright_bundle_program PROPERTIES OUTPUT_NAME tilewright
  RUNTIME_OUTPUT_DIRECTORY "${PACKAGE_BUILD}/${BIN}" INSTALL_RPATH "$ORIGIN/../${LIB}")
target_link_libraries(tilewright_bundle_program PRIVATE tw_options tilewright_bundle)

# --- The stub of the extension module ---------------------------------------------------------------

nanobind_add_stub(tilewright_python_stub EXCLUDE_FROM_ALL MODULE tilewright._native
  OUTPUT "${PACKAGE_BUILD}/_native.pyi" PYTHON_PATH "${PROJECT_BINARY_DIR}/python"
  DEPENDS tilewright_python)

# --- What is installed ------------------------------------------------------------------------------

# What has to be built before the component can be installed. `cmake --install build` alone leaves it out.
add_custom_target(wheel_files DEPENDS
  tilewright_python tilewright_python_stub tilewright_bundle tilewright_bundle_program tilewright_runtime_shared
  ${CUDA_PROGRAMS})

install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/tilewright" DESTINATION . COMPONENT python EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
install(FILES "${PROJECT_BINARY_DIR}/python/tilewright/_version.py" "${PACKAGE_BUILD}/_native.pyi"
  DESTINATION tilewright COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS tilewright_python LIBRARY DESTINATION tilewright COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS tilewright_bundle LIBRARY DESTINATION "tilewright/${LIB}" COMPONENT python EXCLUDE_FROM_ALL NAMELINK_SKIP)
install(TARGETS tilewright_bundle_program RUNTIME DESTINATION "tilewright/${BIN}" COMPONENT python EXCLUDE_FROM_ALL)
install(PROGRAMS "$<TARGET_FILE:tilewright_runtime_shared>" DESTINATION "tilewright/${LIB}" COMPONENT python EXCLUDE_FROM_ALL
  RENAME "$<TARGET_SONAME_FILE_NAME:tilewright_runtime_shared>")
install(TARGETS tileiras tileirdisasm RUNTIME DESTINATION "tilewright/${CUDA_FOLDER}/bin" COMPONENT python
  EXCLUDE_FROM_ALL)
install(TARGETS tilewright_cuda_driver LIBRARY DESTINATION "tilewright/${CUDA_FOLDER}/lib" COMPONENT python
  NAMELINK_SKIP EXCLUDE_FROM_ALL)
