# SPDX-License-Identifier: MIT
#
# nanopb reads the captures, and its generator makes the numbers of the schema's fields for the code that
# writes and reads them: target passtime_trace_pb, found as "passtime_trace.pb.h".
find_path(NANOPB_INCLUDE pb_encode.h PATH_SUFFIXES nanopb)
find_library(NANOPB_LIBRARY NAMES protobuf-nanopb)
find_program(NANOPB_GENERATOR NAMES nanopb_generator.py nanopb_generator)
set(PASSTIME_PROTO "${CMAKE_CURRENT_SOURCE_DIR}/src/sink/passtime_trace.proto")

set(PASSTIME_HAVE_CAPTURE OFF)
if(NOT NANOPB_INCLUDE OR NOT NANOPB_LIBRARY OR NOT NANOPB_GENERATOR)
    message(NOTICE "nanopb not found (Debian: nanopb libnanopb-dev): no captures in this build")
elseif(EXISTS "${PASSTIME_PROTO}")
    set(PASSTIME_HAVE_CAPTURE ON)
    set(generated "${CMAKE_BINARY_DIR}/generated")
    file(MAKE_DIRECTORY "${generated}")
    string(REPLACE ".proto" ".options" options "${PASSTIME_PROTO}")
    if(NOT EXISTS "${options}")
        set(options "")
    endif()
    add_custom_command(
        OUTPUT "${generated}/passtime_trace.pb.c" "${generated}/passtime_trace.pb.h"
        COMMAND "${NANOPB_GENERATOR}" -q -I "${CMAKE_CURRENT_SOURCE_DIR}/src/sink" -D "${generated}"
                passtime_trace.proto
        WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/src/sink"
        DEPENDS "${PASSTIME_PROTO}" ${options}
        COMMENT "nanopb: passtime_trace.proto" VERBATIM)
    # nanopb's headers lie among the system's own; a compiler for another system must see only them.
    foreach(header pb.h pb_common.h pb_decode.h pb_encode.h)
        configure_file("${NANOPB_INCLUDE}/${header}" "${CMAKE_BINARY_DIR}/nanopb/${header}" COPYONLY)
    endforeach()
    add_library(passtime_trace_pb OBJECT "${generated}/passtime_trace.pb.c")
    target_include_directories(passtime_trace_pb SYSTEM PUBLIC "${generated}" "${CMAKE_BINARY_DIR}/nanopb")
    if(PASSTIME_SANITIZE)
        target_compile_options(passtime_trace_pb PRIVATE -fsanitize=${PASSTIME_SANITIZE})
    endif()
endif()
