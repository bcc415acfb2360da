# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compile options for all of our translation units.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# The build folder has the same layout as an installation.
include(GNUInstallDirs)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(TILEWRIGHT_OPTIMIZATION "-O2" CACHE STRING "how a release is optimised")
set(CMAKE_CXX_FLAGS_RELEASE "${TILEWRIGHT_OPTIMIZATION} -DNDEBUG")

# Without tests, only the installed targets are built, and warnings are not errors, because another compiler may have
# others.
option(TILEWRIGHT_TESTS "Unit tests, lit tests, benchmarks and fuzz targets" ON)
option(TILEWRIGHT_ASSERTIONS "Keep assert() in optimised builds" ON)
set(TILEWRIGHT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize= (address,undefined)")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

add_library(tw_options INTERFACE)
target_compile_options(tw_options INTERFACE
  -Wall -Wextra $<$<BOOL:${TILEWRIGHT_TESTS}>:-Werror> -Wno-unused-parameter
  # Element arithmetic is defined operation by operation: never fuse a*b+c.
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(tw_options INTERFACE -fcolor-diagnostics)
  # Allows ccache hits after the precompiled header was rebuilt.
  target_compile_options(tw_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
else()
  target_compile_options(tw_options INTERFACE
    -fdiagnostics-color=always -Wno-maybe-uninitialized -Wno-free-nonheap-object -Wno-dangling-else
    -Wno-comment)
endif()
if(TILEWRIGHT_ASSERTIONS)
  target_compile_options(tw_options INTERFACE -UNDEBUG)
endif()
if(TILEWRIGHT_SANITIZE)
  target_compile_options(tw_options INTERFACE
    -fsanitize=${TILEWRIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(tw_options INTERFACE -fsanitize=${TILEWRIGHT_SANITIZE})
  # This check reads a signature that clang writes in front of functions before each indirect call.
  # Our compiled kernels have none, and the page in front of them may be unmapped.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(tw_options INTERFACE -fno-sanitize=function)
  endif()
endif()
target_include_directories(tw_options INTERFACE
  "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
find_program(LLD NAMES ld.lld-22 ld.lld)
if(LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_link_options(tw_options INTERFACE "-fuse-ld=lld")
endif()
