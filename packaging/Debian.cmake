# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The Debian packages: build/packages/*.deb, built by `./dev package`. dpkg-shlibdeps finds the libraries
# that a package depends on, but not the programs that ours start by name, nor libLLVM, which Debian's
# llvm-dev package contains under a second name.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tilewright)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # every package has its own
set(CPACK_PACKAGE_CONTACT "Tilewright maintainers <maintainers@tilewright.example>")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime compiler tools development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON) # with the same version

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtilewright-runtime${TILEWRIGHT_SOVERSION})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "runtime of compiled Tile IR kernels
Launches kernels that Tilewright compiled for CPUs, on a pool of threads. It needs
neither LLVM nor the compiler.")

set(LLVM "libllvm${LLVM_VERSION_MAJOR}")

set(CPACK_DEBIAN_COMPILER_PACKAGE_NAME libtilewright${TILEWRIGHT_SOVERSION})
set(CPACK_DEBIAN_COMPILER_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "${LLVM}")
set(CPACK_DEBIAN_COMPILER_DESCRIPTION "Tile IR as a library with a C interface
Reads, verifies, converts, compiles and runs kernels in Tile IR, as text or as
bytecode.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tilewright)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "${LLVM}")
# `tilewright compile --sanitize -o kernel.so` runs a compiler driver, which finds its sanitizer libraries.
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "gcc | clang, libc6-dev")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "tools for kernels in Tile IR
tilewright checks, prints, converts, runs, compiles and draws kernels; no GPU is
needed. With tilewright-opt for passes and tilewright-lsp-server for editors.")
set(CPACK_COMPONENT_TOOLS_DEPENDS runtime)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtilewright-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS tilewright)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "development files of Tilewright
Headers, a CMake package and pkg-config files for libtilewright and
libtilewright-runtime.")
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime compiler)

# Writes the shlibs file of a package, from which dependent packages learn where a library is. CPack could
# write these files, but then the driver library of tools/cuda, in a private folder, would be registered
# as the system's `libcuda 1`.
function(provide COMPONENT LIBRARY)
  set(PACKAGE "${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME}")
  set(FILE "${PROJECT_BINARY_DIR}/packaging/${PACKAGE}/shlibs")
  file(WRITE "${FILE}" "${LIBRARY} ${TILEWRIGHT_SOVERSION} ${PACKAGE} (= ${PROJECT_VERSION})\n")
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_CONTROL_EXTRA "${FILE}" PARENT_SCOPE)
endfunction()
provide(RUNTIME libtilewright-runtime)
provide(COMPILER libtilewright)

# Each package contains its licence.
foreach(COMPONENT ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${COMPONENT} UPPER)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" RENAME copyright COMPONENT ${COMPONENT}
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${UPPER}_PACKAGE_NAME}")
endforeach()

include(CPack)
