# Code and data generated from .td files.

find_program(MLIR_TBLGEN NAMES mlir-tblgen HINTS "${LLVM_PREFIX}/bin" REQUIRED NO_DEFAULT_PATH)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(TW_TABLEGEN_FLAGS -I "${PROJECT_SOURCE_DIR}")
foreach(DIR ${MLIR_INCLUDE_DIRS})
  list(APPEND TW_TABLEGEN_FLAGS -I "${DIR}")
endforeach()

# tw_tablegen(<output.inc> <file.td> <generator flags...>)
# Writes build/<this folder>/<output.inc>; rebuilt when any .td of the folder changes.
function(tw_tablegen OUTPUT SOURCE)
  file(GLOB_RECURSE DEPENDS CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.td")
  set(OUT "${CMAKE_CURRENT_BINARY_DIR}/${OUTPUT}")
  add_custom_command(OUTPUT "${OUT}"
    COMMAND "${MLIR_TBLGEN}" ${ARGN} ${TW_TABLEGEN_FLAGS} --write-if-changed
            -o "${OUT}" "${CMAKE_CURRENT_SOURCE_DIR}/${SOURCE}"
    DEPENDS ${DEPENDS} VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TW_GENERATED "${OUT}")
endfunction()
