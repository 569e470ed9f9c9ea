# Manual pages and bash completion, made by the build from what the commands print (manual.py).
find_program(PLACE_PYTHON NAMES python3 REQUIRED)
set(manual ${PROJECT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual}/completions)
set(manual_pages "")

# place_manual(NAME BRIEF PROGRAM [DEPENDS...]): of a command, installed as NAME
function(place_manual name brief program)
  add_custom_command(OUTPUT ${manual}/${name}.1 ${manual}/completions/${name} VERBATIM
    COMMAND ${PLACE_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/manual.py command ${name} ${brief} ${PROJECT_VERSION} ${manual} -- ${program}
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/manual.py ${ARGN} COMMENT "Manual page of ${name}")
  set(manual_pages ${manual_pages} ${manual}/${name}.1 PARENT_SCOPE)
  install(FILES ${manual}/${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT place)
  install(FILES ${manual}/completions/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT place)
endfunction()

place_manual(place-msl "check, print, compare and draw machine files" ${PROJECT_BINARY_DIR}/bin/place-msl place-msl)
place_manual(place-probe "measure a GPU and write its machine file" ${PROJECT_BINARY_DIR}/bin/place-probe place-probe)
place_manual(place-plan "what a model makes of a launch" ${PROJECT_BINARY_DIR}/bin/place-plan place-plan)
place_manual(place-models "cost models against measurements" ${PROJECT_BINARY_DIR}/bin/place-models place-models)
place_manual(place-counts "predicted against counted memory transactions" ${PROJECT_BINARY_DIR}/bin/place-counts place-counts)
place_manual(place-store "what place remembers from one run to the next" ${PROJECT_BINARY_DIR}/bin/place-store place-store)
place_manual(place-doctor "check a machine and programs for what place needs" ${PROJECT_BINARY_DIR}/bin/place-doctor place-doctor)
place_manual(place-report "read, compare and draw reports" ${PROJECT_BINARY_DIR}/bin/place-report)
place_manual(place-cuda-toolkit "find or unpack a CUDA toolkit that clang can build with" ${PROJECT_BINARY_DIR}/place-cuda-toolkit)
if(TARGET simt-lower)
  place_manual(simt-cc "build OpenMP programs whose device code runs on the CPU" ${PROJECT_BINARY_DIR}/test/simt/bin/simt-cc
               ${PROJECT_SOURCE_DIR}/test/simt/simt-cc)
endif()
add_custom_command(OUTPUT ${manual}/place.7 VERBATIM
  COMMAND ${PLACE_PYTHON} ${PROJECT_SOURCE_DIR}/cmake/manual.py place ${PROJECT_VERSION} ${PROJECT_SOURCE_DIR}/docs/environment.md ${manual}
  DEPENDS ${PROJECT_SOURCE_DIR}/cmake/manual.py ${PROJECT_SOURCE_DIR}/docs/environment.md COMMENT "Manual page of place")
install(FILES ${manual}/place.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT place)
add_custom_target(manual ALL DEPENDS ${manual_pages} ${manual}/place.7)

# All that cmake --install needs, without the tests.
add_custom_target(installed DEPENDS manual placert place-msl place-store place-doctor place-plan place-models place-counts place-probe)
foreach(target place simt simt-lower msl-page)
  if(TARGET ${target})
    add_dependencies(installed ${target})
  endif()
endforeach()
