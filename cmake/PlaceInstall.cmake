# cmake --install: libraries, tools, machine files, documents, the CMake package, pkg-config, and clang's configuration file
# place.cfg. What is installed names its own parts relative to itself, so that a prefix can be moved, and LLVM 19 by its path.
#
# Components: runtime (what programs need), place (the rest), toolkit (a CUDA toolkit, or a link to the machine's own).
include(CMakePackageConfigHelpers)

set(PLACE_CFG_OFFLOAD_ARCH sm_90 CACHE STRING "GPU that place.cfg compiles for: sm_70 to sm_90, or native")
set(share ${CMAKE_INSTALL_DATADIR}/place)

install(TARGETS placert LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT place)
install(TARGETS place-msl place-store place-doctor place-plan place-models place-counts RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT place)
install(PROGRAMS ${PROJECT_BINARY_DIR}/bin/place-probe DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT place)
configure_file(tools/cuda-toolkit.sh ${PROJECT_BINARY_DIR}/place-cuda-toolkit @ONLY)
install(PROGRAMS ${PROJECT_BINARY_DIR}/place-cuda-toolkit DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT place)
install(PROGRAMS ${PROJECT_BINARY_DIR}/bin/place-report DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT place)
install(FILES omptarget-plugin/report/tool/report.html omptarget-plugin/report/report.schema.json DESTINATION ${share} COMPONENT place)
if(PLACE_MSL_PAGE)
  install(FILES ${PLACE_MSL_PAGE} DESTINATION ${share} COMPONENT place)
endif()
install(DIRECTORY msl/machines DESTINATION ${share} COMPONENT place FILES_MATCHING PATTERN "*.msl" PATTERN "log" EXCLUDE)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT place)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT place)

# The CMake package, pkg-config and clang's configuration file.
file(RELATIVE_PATH place_cfg_to_lib /${share} /${CMAKE_INSTALL_LIBDIR})
file(RELATIVE_PATH place_pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/place)
configure_package_config_file(cmake/placeConfig.cmake.in ${PROJECT_BINARY_DIR}/placeConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/placeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/placeConfig.cmake ${PROJECT_BINARY_DIR}/placeConfigVersion.cmake cmake/PlaceCuda.cmake cmake/place_anchor.c
        DESTINATION ${package_dir} COMPONENT place)
configure_file(cmake/place.pc.in ${PROJECT_BINARY_DIR}/place.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/place.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT place)
configure_file(cmake/place.cfg.in ${PROJECT_BINARY_DIR}/place.cfg @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/place.cfg DESTINATION ${share} COMPONENT place)

# place.cfg's toolkit: a link to the machine's own; one that tools/cuda-toolkit.sh unpacked below the clone is copied, for the
# prefix to outlive the clone.
if(place_cuda)
  string(FIND "${place_cuda}/" "${PROJECT_SOURCE_DIR}/" place_in_clone)
  if(place_in_clone EQUAL 0)
    install(DIRECTORY ${place_cuda}/ DESTINATION ${share}/cuda USE_SOURCE_PERMISSIONS COMPONENT toolkit)
  else()
    install(CODE "
      set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${share}/cuda\")
      file(CREATE_LINK \"${place_cuda}\" \"\${link}\" SYMBOLIC)
      list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${CMAKE_INSTALL_PREFIX}/${share}/cuda\")" COMPONENT toolkit)
  endif()
endif()

# cmake --build <build> --target uninstall: removes what the last cmake --install put there, and folders left empty.
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                  -DANCHOR=${package_dir}/placeConfig.cmake -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake VERBATIM)
