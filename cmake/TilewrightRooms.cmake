# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A room is one folder under tilewright/ and one static library, tilewright_<room>.
# A room may only use what it links: a missing USES leads to a missing header or symbol.

# Sanitizer options for a program, because some of its libraries are not sanitized.
function(tw_sanitizer_options PROGRAM)
  if(TILEWRIGHT_SANITIZE)
    target_sources(${PROGRAM} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/SanitizerOptions.cpp")
  endif()
endfunction()

# tw_use_precompiled(<target> mlir|tile|tests|mlir_tests|tile_tests): uses one of the precompiled headers in
# tilewright/. They are compiled with -fPIC, so targets that use them must be, too.
function(tw_use_precompiled TARGET PCH)
  target_compile_options(${TARGET} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fPIC>)
  target_precompile_headers(${TARGET} REUSE_FROM tw_${PCH}_pch)
endfunction()

# tw_add_room(<room> SOURCES a.cpp ... [USES room ...] [LIBRARIES target ...]
#             [TESTS a_test.cpp ...] [TEST_USES room ...] [TEST_LIBRARIES target ...] [MLIR])
# TEST_USES: rooms that only the tests use; they may come after this room.
# MLIR: the room uses MLIR; it gets libMLIR and a shared precompiled header.
function(tw_add_room ROOM)
  cmake_parse_arguments(R "MLIR" "" "SOURCES;USES;LIBRARIES;TESTS;TEST_USES;TEST_LIBRARIES" ${ARGN})
  set(TARGET tilewright_${ROOM})
  add_library(${TARGET} STATIC ${R_SOURCES})
  target_link_libraries(${TARGET} PUBLIC tw_options ${R_LIBRARIES})
  foreach(USED ${R_USES})
    target_link_libraries(${TARGET} PUBLIC tilewright_${USED})
  endforeach()
  if(R_MLIR)
    target_link_libraries(${TARGET} PUBLIC tw_mlir)
    set(PCH mlir)
    if(ROOM STREQUAL tile OR tile IN_LIST R_USES)
      set(PCH tile)
    endif()
    tw_use_precompiled(${TARGET} ${PCH})
  endif()
  if(R_TESTS AND TILEWRIGHT_TESTS)
    set(TESTER ${ROOM}_tests)
    add_executable(${TESTER} ${R_TESTS})
    target_link_libraries(${TESTER} PRIVATE ${TARGET} GTest::gtest_main ${R_TEST_LIBRARIES})
    foreach(USED ${R_TEST_USES})
      target_link_libraries(${TESTER} PRIVATE tilewright_${USED})
    endforeach()
    tw_sanitizer_options(${TESTER})
    if(R_MLIR)
      tw_use_precompiled(${TESTER} ${PCH}_tests)
    elseif(NOT R_TESTS MATCHES "\\.c(;|$)" AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # The header is one of C++; and with it, g++ 12 warns of moves of strings that are correct.
      tw_use_precompiled(${TESTER} tests)
    endif()
    add_test(NAME ${ROOM} COMMAND ${TESTER})
  endif()
endfunction()

# tw_add_tool(<program> SOURCES a.cpp ... USES room ...): a program in build/bin.
function(tw_add_tool TOOL)
  cmake_parse_arguments(R "" "" "SOURCES;USES;LIBRARIES" ${ARGN})
  add_executable(${TOOL} ${R_SOURCES})
  target_link_libraries(${TOOL} PRIVATE tw_options ${R_LIBRARIES})
  tw_sanitizer_options(${TOOL})
  foreach(USED ${R_USES})
    target_link_libraries(${TOOL} PRIVATE tilewright_${USED})
  endforeach()
endfunction()
