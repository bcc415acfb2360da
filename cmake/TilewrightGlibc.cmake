# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Links the binaries in a wheel for an older glibc than this system's: against stub libraries instead of glibc, and
# with a static libstdc++. docs/decisions/old-glibc.md explains why.

set(TILEWRIGHT_GLIBC "" CACHE STRING
  "The oldest glibc that a wheel runs on, as 2.28; empty: this system's, and the wheel is for this Python alone")
if(NOT TILEWRIGHT_GLIBC)
  function(tw_link_for_old_glibc TARGET)
  endfunction()
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR NOT LLD)
  message(FATAL_ERROR "TILEWRIGHT_GLIBC needs clang and lld, but the compiler is ${CMAKE_CXX_COMPILER_ID} and "
    "the linker is '${LLD}'. Without it, wheels are for this system.")
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(GLIBC_SOURCES "${PROJECT_SOURCE_DIR}/packaging/glibc")
set(GLIBC_STUBS "${PROJECT_BINARY_DIR}/glibc")

add_library(tilewright_nonshared STATIC EXCLUDE_FROM_ALL "${GLIBC_SOURCES}/Younger.c" "${GLIBC_SOURCES}/Start.c")
set_target_properties(tilewright_nonshared PROPERTIES OUTPUT_NAME c_nonshared ARCHIVE_OUTPUT_DIRECTORY "${GLIBC_STUBS}")
target_compile_options(tilewright_nonshared PRIVATE -O2 -Wall -Wextra -Werror -ffunction-sections -fdata-sections)

set(COMPILER "${CMAKE_C_COMPILER}" "-fuse-ld=lld")
if(CMAKE_CROSSCOMPILING)
  list(APPEND COMPILER "--target=${CMAKE_C_COMPILER_TARGET}" "--sysroot=${CMAKE_SYSROOT}")
endif()
add_custom_command(OUTPUT "${GLIBC_STUBS}/libc.so"
  COMMAND "${Python3_EXECUTABLE}" "${GLIBC_SOURCES}/old_glibc.py" ${TILEWRIGHT_GLIBC} "${GLIBC_STUBS}"
    "${GLIBC_STUBS}/libc_nonshared.a" ${COMPILER}
  DEPENDS "${GLIBC_SOURCES}/old_glibc.py" COMMENT "Stub libraries of glibc ${TILEWRIGHT_GLIBC}" VERBATIM)
add_custom_target(tilewright_glibc DEPENDS "${GLIBC_STUBS}/libc.so" tilewright_nonshared)

# tw_link_for_old_glibc(<target>): links the target so that it runs on glibc TILEWRIGHT_GLIBC and newer; does nothing if
# that is empty. A symbol that this glibc lacks is a link error, except in a Python extension module, which always has
# undefined symbols (Python's); test/install/wheel_symbols.py checks those. libgcc_s.so is this system's and needs this
# system's glibc.
function(tw_link_for_old_glibc TARGET)
  add_dependencies(${TARGET} tilewright_glibc)
  target_link_options(${TARGET} PRIVATE "-L${GLIBC_STUBS}" -static-libstdc++
    -Wl,--gc-sections,--strip-all,--exclude-libs,libstdc++.a,--allow-shlib-undefined)
  get_target_property(TYPE ${TARGET} TYPE)
  if(TYPE STREQUAL SHARED_LIBRARY)
    target_link_options(${TARGET} PRIVATE -Wl,-z,defs)
  endif()
  set_property(TARGET ${TARGET} APPEND PROPERTY LINK_DEPENDS
    "${GLIBC_STUBS}/libc.so" "${GLIBC_STUBS}/libc_nonshared.a")
endfunction()
