# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM and MLIR, as packaged by the distribution: system headers and the two shared
# libraries, or their static archives. A binary with both would register every command-line
# option of LLVM twice, so each target links either the shared libraries or, if it has the
# property TW_LLVM_ARCHIVES, the archives.

find_program(LLVM_CONFIG NAMES llvm-config-22 llvm-config)
if(NOT LLVM_CONFIG)
  message(FATAL_ERROR "Tilewright needs LLVM and MLIR 22, but there is neither llvm-config-22 nor llvm-config. "
    "On Debian: apt-get install llvm-22-dev libmlir-22-dev mlir-22-tools liblld-22-dev")
endif()
execute_process(COMMAND "${LLVM_CONFIG}" --prefix
  OUTPUT_VARIABLE LLVM_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(MLIR REQUIRED CONFIG HINTS "${LLVM_PREFIX}/lib/cmake/mlir")
if(LLVM_VERSION_MAJOR LESS 22)
  message(FATAL_ERROR "Tilewright needs LLVM/MLIR 22, found ${LLVM_PACKAGE_VERSION} in ${LLVM_PREFIX}")
endif()

add_library(tw_llvm INTERFACE)
target_include_directories(tw_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tw_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(tw_llvm INTERFACE "$<IF:$<BOOL:$<TARGET_PROPERTY:TW_LLVM_ARCHIVES>>,tw_llvm_archives,LLVM>")

add_library(tw_mlir INTERFACE)
target_link_libraries(tw_mlir INTERFACE tw_llvm "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:TW_LLVM_ARCHIVES>>>:MLIR>")

# The linker takes only what is used from the archives: about a quarter of the shared libraries, and
# nothing that needs the shared libraries' other dependences (libxml2, libz3, libedit, libffi).
add_library(tw_llvm_archives INTERFACE)
file(GLOB LLVM_ARCHIVES "${LLVM_LIBRARY_DIR}/libLLVM*.a" "${LLVM_LIBRARY_DIR}/libMLIR*.a")
find_library(ZSTD_ARCHIVE libzstd.a)
find_library(ZSTD_LIBRARY zstd REQUIRED)
mark_as_advanced(ZSTD_ARCHIVE ZSTD_LIBRARY)
list(JOIN LLVM_ARCHIVES "," GROUPED)
target_link_libraries(tw_llvm_archives INTERFACE "$<LINK_GROUP:RESCAN,${GROUPED}>" "${ZSTD_ARCHIVE}" z)
target_link_options(tw_llvm_archives INTERFACE "-Wl,--gc-sections")

# lld as a library: static archives, which use the same LLVM as their user, and compression for debug
# sections.
set(LLD_ARCHIVES "${LLVM_LIBRARY_DIR}/liblldELF.a" "${LLVM_LIBRARY_DIR}/liblldCommon.a")
foreach(ARCHIVE ${LLD_ARCHIVES})
  if(NOT EXISTS "${ARCHIVE}")
    message(FATAL_ERROR "Tilewright needs lld ${LLVM_VERSION_MAJOR} as a library, but there is no ${ARCHIVE}. "
      "On Debian: apt-get install liblld-${LLVM_VERSION_MAJOR}-dev")
  endif()
endforeach()
find_package(ZLIB REQUIRED)
add_library(tw_lld INTERFACE)
target_link_libraries(tw_lld INTERFACE ${LLD_ARCHIVES} "$<IF:$<BOOL:$<TARGET_PROPERTY:TW_LLVM_ARCHIVES>>,${ZSTD_ARCHIVE},${ZSTD_LIBRARY}>" ZLIB::ZLIB tw_llvm)
