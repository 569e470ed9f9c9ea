# LLVM and Clang 19: where their tools and headers are. Nothing links against them: the plugin's symbols come from the
# clang or opt process that loads it.
#
#   PLACE_LLVM_PREFIX      root of the LLVM installation, e.g. /usr/lib/llvm-19
#   PLACE_CLANG, ...       its tools
#   PLACE_LLVM_LIBDIR      folder of libomptarget, libomp and the device runtime
#   place_plugin_headers(TARGET)  makes LLVM's and Clang's headers visible to a target

find_package(LLVM 19.1 CONFIG QUIET HINTS /usr/lib/llvm-19)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "LLVM 19 not found: run tools/setup.sh (Debian), or pass -DLLVM_DIR=<prefix>/lib/cmake/llvm")
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL 19)
  message(FATAL_ERROR "LLVM ${LLVM_VERSION} found; place works with LLVM 19 only (its ABI to libomptarget and to clang)")
endif()
set(PLACE_LLVM_PREFIX ${LLVM_INSTALL_PREFIX})
set(PLACE_LLVM_LIBDIR ${LLVM_LIBRARY_DIR})

foreach(tool clang clang++ opt llc llvm-link llvm-dis FileCheck not)
  string(MAKE_C_IDENTIFIER "PLACE_${tool}" variable)
  string(TOUPPER ${variable} variable)
  string(REPLACE "CLANG__" "CLANGXX" variable ${variable})
  find_program(${variable} ${tool} PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH)
endforeach()
if(NOT PLACE_CLANG)
  message(FATAL_ERROR "clang 19 not found in ${LLVM_TOOLS_BINARY_DIR}: run tools/setup.sh")
endif()
find_file(PLACE_LIT lit.py PATHS ${PLACE_LLVM_PREFIX}/build/utils/lit NO_DEFAULT_PATH)
if(NOT PLACE_LIT)
  find_program(PLACE_LIT NAMES lit lit-19 llvm-lit)
endif()

function(place_plugin_headers target)
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PRIVATE ${definitions})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti -fno-exceptions>)
endfunction()

# The CUDA toolkit that device code is built with; tools/cuda-toolkit.sh finds or unpacks one.
set(PLACE_CUDA_PATH "" CACHE PATH "CUDA toolkit 11.8 to 12.x (ptxas, nvlink, libdevice); empty: look for one")
set(place_cuda ${PLACE_CUDA_PATH})
include(PlaceCuda)
if(place_cuda)
  place_check_cuda(place_cuda_version place_cuda_note ${place_cuda})
  if(NOT place_cuda_version)
    message(FATAL_ERROR "PLACE_CUDA_PATH: ${place_cuda_note}")
  endif()
else()
  place_find_cuda(place_cuda place_cuda_version place_cuda_note ${PROJECT_SOURCE_DIR}/build/cuda)
  if(place_cuda_note)
    message(STATUS "${place_cuda_note}")
  endif()
endif()
if(place_cuda)
  message(STATUS "CUDA toolkit for device code: ${place_cuda}")
else()
  message(STATUS "No usable CUDA toolkit: tests that build for GPUs are left out (tools/cuda-toolkit.sh unpacks one)")
endif()
