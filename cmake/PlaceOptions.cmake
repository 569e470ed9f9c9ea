# What every target of the project is compiled with.
#
# Targets and who defines them:
#   place_msl   static C library, the machine description language        msl/
#   place_tool  static C library, what all commands answer alike          msl/
#   place_core  static C library, the pure half of the runtime            omptarget-plugin/core/
#   placert     libplacert.so, the runtime                                omptarget-plugin/
#   place       libplace.so, the plugin for clang and opt                 llvm-pass/
# All of them see include/ and are position-independent, symbols hidden unless marked.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, RelWithDebInfo or Release" FORCE)
endif()
foreach(language C CXX) # assertions stay on
  string(REPLACE " -DNDEBUG" "" CMAKE_${language}_FLAGS_RELWITHDEBINFO "${CMAKE_${language}_FLAGS_RELWITHDEBINFO}")
endforeach()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The build tree has the layout of an install: the plugin finds the runtime beside it, the runtime finds the machine
# files in ../share/place/machines.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

include_directories(${PROJECT_SOURCE_DIR}/include)

# What is installed names no folder of the machine that it was built on. (A debugger wants `set substitute-path . <clone>`.)
add_compile_options(-Wall -Wextra "$<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}=.>")
if(PLACE_WERROR)
  add_compile_options(-Werror)
endif()

if(PLACE_SANITIZE)
  # C only: the plugin lives inside clang, which is not built with them.
  set(place_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:${place_sanitizers}>")
  add_link_options("$<$<LINK_LANGUAGE:C>:-fsanitize=address,undefined>")
endif()
