# cpack --config <build>/CPackConfig.cmake: Debian packages. libplacert2 is what programs need, place the rest.
set(CPACK_GENERATOR DEB)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON) # of what is built, tests are no part of it
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the place developers <place@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime place) # a CUDA toolkit is no part of a package
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
find_program(PLACE_SHLIBDEPS dpkg-shlibdeps) # of dpkg-dev; without it the packages name no C library
if(PLACE_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib ${PLACE_LLVM_LIBDIR})
get_target_property(place_soversion placert SOVERSION)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libplacert${place_soversion})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS libsqlite3-0)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS libglpk40) # opened when it is asked for, or a search takes too long
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "data placement for OpenMP offloading: the runtime
 It is loaded by programs that were compiled with the plugin of the package place.")
set(CPACK_DEBIAN_PLACE_PACKAGE_NAME place)
set(CPACK_DEBIAN_PLACE_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PLACE_PACKAGE_DEPENDS "libplacert${place_soversion} (= ${PROJECT_VERSION}), clang-19, libomp-19-dev, python3")
set(CPACK_DEBIAN_PLACE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/postinst ${PROJECT_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_PLACE_DESCRIPTION "data placement for OpenMP offloading: a plugin for clang, and tools
 It compiles several versions of each OpenMP target region; the runtime finds out which is fastest on the GPU at hand.")
include(CPack)
