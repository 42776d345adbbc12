# SPDX-License-Identifier: MIT
#
# cmake --install: headers, both libraries static and shared, a CMake package, pkg-config files, and
# the command with the WebGPU library that it needs. The tree may be moved afterwards.
include(CMakePackageConfigHelpers)

set(libraries passtime_static passtime_shared)
if(PASSTIME_HAVE_CAPTURE)
    list(APPEND libraries passtime_capture_static passtime_capture_shared)
endif()
install(TARGETS ${libraries} EXPORT passtime_targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/passtime DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET passtime_command)
    install(TARGETS passtime_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES "${PASSTIME_WGPU_LIBRARY}" DESTINATION ${CMAKE_INSTALL_LIBDIR}/passtime)
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/passtime)
install(EXPORT passtime_targets NAMESPACE passtime:: DESTINATION ${package})
configure_package_config_file(cmake/passtime-config.cmake.in passtime-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(passtime-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/passtime-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/passtime-config-version.cmake DESTINATION ${package})

# From the folder of the .pc files up to the prefix, so that the tree can be moved.
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" PASSTIME_PC_UP "${up}")
configure_file(cmake/passtime.pc.in passtime.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/passtime.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(PASSTIME_HAVE_CAPTURE)
    configure_file(cmake/passtime_capture.pc.in passtime_capture.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/passtime_capture.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
