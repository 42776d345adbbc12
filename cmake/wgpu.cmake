# SPDX-License-Identifier: MIT
#
# Finds WebGPU for C: target passtime_webgpu_h is its header, which is all that the library needs;
# passtime_wgpu adds the library, for the command, the examples and the tests on real devices.
# PASSTIME_HAVE_WEBGPU_H, PASSTIME_HAVE_WGPU say what was found.
if(NOT "${PASSTIME_WGPU_DIR}" STREQUAL "${PASSTIME_WGPU_DIR_SEEN}")
    # What was found in another folder does not count.
    unset(PASSTIME_WEBGPU_INCLUDE CACHE)
    unset(PASSTIME_WGPU_LIBRARY CACHE)
    set(PASSTIME_WGPU_DIR_SEEN "${PASSTIME_WGPU_DIR}" CACHE INTERNAL "")
endif()
find_path(PASSTIME_WEBGPU_INCLUDE webgpu/webgpu.h NO_DEFAULT_PATH
          PATHS "${PASSTIME_WGPU_DIR}/include" "${PASSTIME_WGPU_DIR}")
if(NOT PASSTIME_WEBGPU_INCLUDE AND EXISTS "${PASSTIME_WGPU_DIR}/webgpu.h")
    # A flat folder: give it the name that programs include it by.
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/webgpu-include")
    file(CREATE_LINK "${PASSTIME_WGPU_DIR}" "${CMAKE_BINARY_DIR}/webgpu-include/webgpu" SYMBOLIC)
    set(PASSTIME_WEBGPU_INCLUDE "${CMAKE_BINARY_DIR}/webgpu-include")
endif()
find_library(PASSTIME_WGPU_LIBRARY NO_DEFAULT_PATH
             NAMES wgpu_native libwgpu_native-release.so webgpu_dawn
             PATHS "${PASSTIME_WGPU_DIR}/lib" "${PASSTIME_WGPU_DIR}")

set(PASSTIME_HAVE_WEBGPU_H OFF)
set(PASSTIME_HAVE_WGPU OFF)
if(PASSTIME_WEBGPU_INCLUDE)
    set(PASSTIME_HAVE_WEBGPU_H ON)
    add_library(passtime_webgpu_h INTERFACE)
    target_include_directories(passtime_webgpu_h SYSTEM INTERFACE "${PASSTIME_WEBGPU_INCLUDE}")
    if(PASSTIME_WGPU_LIBRARY)
        set(PASSTIME_HAVE_WGPU ON)
        # wgpu-native's library carries no name of its own, so the link must not record a path.
        add_library(passtime_wgpu SHARED IMPORTED GLOBAL)
        set_target_properties(passtime_wgpu PROPERTIES
            IMPORTED_LOCATION "${PASSTIME_WGPU_LIBRARY}" IMPORTED_NO_SONAME TRUE)
        target_link_libraries(passtime_wgpu INTERFACE passtime_webgpu_h)
    endif()
endif()
if(NOT PASSTIME_HAVE_WGPU)
    message(NOTICE "WebGPU: not all of webgpu.h and its library under ${PASSTIME_WGPU_DIR}; run "
                   "tools/setup.sh, or give -DPASSTIME_WGPU_DIR=DIR (make: WGPU_DIR=DIR)")
endif()
