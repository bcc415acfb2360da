# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM and MLIR, as the distribution packages them: system headers and the two
# shared libraries. A program that also linked a static LLVM archive would hold
# every global option twice, so nothing here names one.

find_program(LLVM_CONFIG NAMES llvm-config-22 llvm-config REQUIRED)
execute_process(COMMAND "${LLVM_CONFIG}" --prefix
  OUTPUT_VARIABLE LLVM_PREFIX OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
find_package(MLIR REQUIRED CONFIG HINTS "${LLVM_PREFIX}/lib/cmake/mlir")
if(LLVM_VERSION_MAJOR LESS 22)
  message(FATAL_ERROR "Tilewright needs LLVM/MLIR 22, found ${LLVM_PACKAGE_VERSION} in ${LLVM_PREFIX}")
endif()

add_library(tw_llvm INTERFACE)
target_include_directories(tw_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tw_llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(tw_llvm INTERFACE LLVM)

add_library(tw_mlir INTERFACE)
target_link_libraries(tw_mlir INTERFACE tw_llvm MLIR)
