# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Code and data generated from .td files.

find_program(MLIR_TBLGEN NAMES mlir-tblgen HINTS "${LLVM_PREFIX}/bin" REQUIRED NO_DEFAULT_PATH)
# llvm-tblgen, because only it writes records as JSON.
find_program(LLVM_TBLGEN NAMES llvm-tblgen HINTS "${LLVM_PREFIX}/bin" REQUIRED NO_DEFAULT_PATH)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(TW_TABLEGEN_FLAGS -I "${PROJECT_SOURCE_DIR}")
foreach(DIR ${MLIR_INCLUDE_DIRS})
  list(APPEND TW_TABLEGEN_FLAGS -I "${DIR}")
endforeach()

# tw_tablegen(<output.inc> <file.td> <generator flags...>)
# Writes build/<this folder>/<output.inc>, and again when any .td file in the folder changes.
function(tw_tablegen OUTPUT SOURCE)
  file(GLOB_RECURSE DEPENDS CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.td")
  set(OUT "${CMAKE_CURRENT_BINARY_DIR}/${OUTPUT}")
  get_filename_component(FOLDER "${OUT}" DIRECTORY)
  file(MAKE_DIRECTORY "${FOLDER}")
  add_custom_command(OUTPUT "${OUT}"
    COMMAND "${MLIR_TBLGEN}" ${ARGN} ${TW_TABLEGEN_FLAGS} --write-if-changed
            -o "${OUT}" "${CMAKE_CURRENT_SOURCE_DIR}/${SOURCE}"
    DEPENDS ${DEPENDS} VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TW_GENERATED "${OUT}")
endfunction()

# tw_record_table(<output.inc> <file.td> <script.py>): data that no MLIR generator produces.
# The script reads all records from a JSON file.
function(tw_record_table OUTPUT SOURCE SCRIPT)
  file(GLOB_RECURSE DEPENDS CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.td")
  set(JSON "${CMAKE_CURRENT_BINARY_DIR}/${SOURCE}.json")
  set(OUT "${CMAKE_CURRENT_BINARY_DIR}/${OUTPUT}")
  get_filename_component(FOLDER "${OUT}" DIRECTORY)
  file(MAKE_DIRECTORY "${FOLDER}")
  add_custom_command(OUTPUT "${OUT}" BYPRODUCTS "${JSON}"
    COMMAND "${LLVM_TBLGEN}" --dump-json ${TW_TABLEGEN_FLAGS} -o "${JSON}"
            "${CMAKE_CURRENT_SOURCE_DIR}/${SOURCE}"
    COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT}" "${JSON}" "${OUT}"
    DEPENDS ${DEPENDS} "${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT}" VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TW_GENERATED "${OUT}")
endfunction()

# tw_generated_target(<name>): a target for all generated files of this folder.
function(tw_generated_target NAME)
  get_property(FILES DIRECTORY PROPERTY TW_GENERATED)
  add_custom_target(${NAME} DEPENDS ${FILES})
endfunction()
