# SPDX-License-Identifier: MIT
#
# The two libraries, static and shared: passtime (port, core, backends; needs nothing) and
# passtime_capture (sink and read; nanopb is linked in and stays hidden).
find_package(Threads REQUIRED)

function(passtime_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OBJECTS")
    add_library(${name}_static STATIC ${arg_OBJECTS})
    add_library(${name}_shared SHARED ${arg_OBJECTS})
    set_target_properties(${name}_static PROPERTIES EXPORT_NAME ${name}_static)
    set_target_properties(${name}_shared PROPERTIES EXPORT_NAME ${name}_shared
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    # On Windows the import library of the shared one takes the plain name.
    if(NOT WIN32)
        set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name})
    endif()
    set_target_properties(${name}_shared PROPERTIES OUTPUT_NAME ${name})
    foreach(kind static shared)
        target_include_directories(${name}_${kind} INTERFACE
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        target_link_libraries(${name}_${kind} PRIVATE $<BUILD_INTERFACE:passtime_flags>)
    endforeach()
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT PASSTIME_SANITIZE)
        target_link_options(${name}_shared PRIVATE -Wl,-z,defs -Wl,--exclude-libs,ALL)
    endif()
endfunction()

passtime_library(passtime OBJECTS $<TARGET_OBJECTS:passtime_port> $<TARGET_OBJECTS:passtime_core>
                 $<TARGET_OBJECTS:passtime_backend>)
target_link_libraries(passtime_static PRIVATE Threads::Threads)
target_link_libraries(passtime_shared PRIVATE Threads::Threads)

if(PASSTIME_HAVE_CAPTURE)
    passtime_library(passtime_capture OBJECTS $<TARGET_OBJECTS:passtime_sink>
                     $<TARGET_OBJECTS:passtime_read> $<TARGET_OBJECTS:passtime_trace_pb>)
    target_link_libraries(passtime_capture_static PUBLIC passtime_static
                          PRIVATE $<BUILD_INTERFACE:${NANOPB_LIBRARY}>)
    # The core's inner functions (its statistics) are hidden in libpasstime.so: a copy of them, as
    # hidden, comes out of the static library.
    target_link_libraries(passtime_capture_shared PUBLIC passtime_shared
                          PRIVATE $<BUILD_INTERFACE:passtime_static>
                                  $<BUILD_INTERFACE:${NANOPB_LIBRARY}>)
endif()
