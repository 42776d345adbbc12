# SPDX-License-Identifier: MIT
#
# The version has one place, the public header; CMake, the package files and pkg-config read it there.
set(header "${CMAKE_CURRENT_SOURCE_DIR}/include/passtime/passtime.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
set(parts "")
foreach(part MAJOR MINOR PATCH)
    file(STRINGS "${header}" line REGEX "PASSTIME_VERSION_${part} = [0-9]+")
    string(REGEX MATCH "= ([0-9]+)" unused "${line}")
    list(APPEND parts "${CMAKE_MATCH_1}")
endforeach()
list(JOIN parts "." PASSTIME_VERSION)
