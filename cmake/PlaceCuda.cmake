# Finds a CUDA toolkit whose cubins libomptarget 19 loads. Used by the build and by the installed package.
#
# libomptarget 19 reads cubins of CUDA 11.8 to 12.x. CUDA 13's ptxas writes ELF flags that it does not know: such a program
# finds 0 devices, says nothing, and runs on the host.

# place_cuda_version(OUT TOOLKIT): "12.4" as the toolkit's ptxas says, or "" if there is none
function(place_cuda_version out toolkit)
  set(${out} "" PARENT_SCOPE)
  if(EXISTS ${toolkit}/bin/ptxas)
    execute_process(COMMAND ${toolkit}/bin/ptxas --version OUTPUT_VARIABLE text ERROR_QUIET)
    if(text MATCHES "release ([0-9]+\\.[0-9]+)")
      set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# place_check_cuda(OUT_VERSION OUT_WHY TOOLKIT): the version of a toolkit that serves, or "" and why it does not
function(place_check_cuda out_version out_why toolkit)
  set(${out_version} "" PARENT_SCOPE)
  set(${out_why} "" PARENT_SCOPE)
  place_cuda_version(version "${toolkit}")
  if(NOT version)
    set(${out_why} "no CUDA toolkit is in ${toolkit}: bin/ptxas is missing or does not run." PARENT_SCOPE)
  elseif(version VERSION_GREATER_EQUAL 13)
    set(${out_why} "${toolkit} is CUDA ${version}: libomptarget 19 cannot load what its ptxas makes, a program built with it would see 0 devices and run on the host." PARENT_SCOPE)
  elseif(version VERSION_LESS 11.8)
    set(${out_why} "${toolkit} is CUDA ${version}, older than 11.8." PARENT_SCOPE)
  elseif(NOT EXISTS ${toolkit}/nvvm/libdevice/libdevice.10.bc)
    set(${out_why} "${toolkit} lacks nvvm/libdevice/libdevice.10.bc." PARENT_SCOPE)
  else()
    set(${out_version} ${version} PARENT_SCOPE)
  endif()
endfunction()

# place_find_cuda(OUT_TOOLKIT OUT_VERSION OUT_NOTE [FOLDER...]): the first usable toolkit among FOLDERs, the environment's
# and /usr/local/cuda*; empty if there is none. OUT_NOTE says what was passed over and why.
function(place_find_cuda out_toolkit out_version out_note)
  file(GLOB system /usr/local/cuda /usr/local/cuda-12* /usr/local/cuda-11.8)
  set(note "")
  set(${out_toolkit} "" PARENT_SCOPE)
  set(${out_version} "" PARENT_SCOPE)
  foreach(toolkit $ENV{PLACE_CUDA_PATH} ${ARGN} $ENV{CUDA_HOME} $ENV{CUDA_PATH} ${system})
    if(NOT EXISTS ${toolkit}/bin/ptxas)
      continue()
    endif()
    place_check_cuda(version why ${toolkit})
    if(version)
      set(${out_toolkit} ${toolkit} PARENT_SCOPE)
      set(${out_version} ${version} PARENT_SCOPE)
      break()
    endif()
    string(APPEND note "passed over: ${why}\n")
  endforeach()
  list(REMOVE_DUPLICATES note)
  string(STRIP "${note}" note)
  set(${out_note} "${note}" PARENT_SCOPE)
endfunction()
