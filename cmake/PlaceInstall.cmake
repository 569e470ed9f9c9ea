# cmake --install: libraries, machine files, the CMake package, and the clang configuration file place.cfg.
include(CMakePackageConfigHelpers)

set(PLACE_CFG_OFFLOAD_ARCH sm_90 CACHE STRING "GPU that place.cfg compiles for: sm_70 to sm_90, or native")

install(TARGETS placert place-msl place-store LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS ${PROJECT_BINARY_DIR}/bin/place-probe DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS ${PROJECT_BINARY_DIR}/bin/place-report DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES omptarget-plugin/report/tool/report.html omptarget-plugin/report/report.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/place)
install(DIRECTORY msl/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/place FILES_MATCHING PATTERN "*.msl" PATTERN "log" EXCLUDE)

# The toolkit is named in what is installed only where it is not the one clang would find by itself.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/place)
configure_package_config_file(cmake/placeConfig.cmake.in ${PROJECT_BINARY_DIR}/placeConfig.cmake
                              INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/placeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/placeConfig.cmake ${PROJECT_BINARY_DIR}/placeConfigVersion.cmake cmake/PlaceCuda.cmake
        DESTINATION ${package_dir})

set(place_cfg_cuda "# no CUDA toolkit was found when this was installed: add --cuda-path=<11.8 to 12.x>")
if(place_cuda)
  set(place_cfg_cuda "--cuda-path=${place_cuda}")
endif()
configure_file(cmake/place.cfg.in ${PROJECT_BINARY_DIR}/place.cfg @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/place.cfg DESTINATION ${CMAKE_INSTALL_DATADIR}/place)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/place)
