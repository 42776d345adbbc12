# SPDX-License-Identifier: MIT
#
# The checks that are no unit tests, as tests with the label "check": style, what leaves the libraries,
# other targets, and the installed tree.
set(tools "${PROJECT_SOURCE_DIR}/tools")
set(python "${PROJECT_SOURCE_DIR}/.deps/venv/bin/python")

# What is compiled for the library, a line a file: the source, then its include paths, joined by ;
foreach(folder port core backend sink read trace_pb)
    if(TARGET passtime_${folder})
        string(APPEND lines "passtime_${folder}|$<TARGET_PROPERTY:passtime_${folder},SOURCE_DIR>|"
            "$<JOIN:$<TARGET_PROPERTY:passtime_${folder},SOURCES>,:>|"
            "$<JOIN:$<TARGET_PROPERTY:passtime_${folder},INCLUDE_DIRECTORIES>,:>\n")
    endif()
endforeach()
file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/library_sources.txt" CONTENT "${lines}")

function(passtime_check name)
    add_test(NAME check/${name} COMMAND ${ARGN})
    set_tests_properties(check/${name} PROPERTIES LABELS check TIMEOUT 600)
endfunction()

passtime_check(includes python3 "${tools}/check_includes.py" "${PROJECT_SOURCE_DIR}")
passtime_check(views python3 "${tools}/check_views.py" "${PROJECT_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
passtime_check(listed sh "${tools}/check_listed.sh" "${PROJECT_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
passtime_check(sizes python3 "${tools}/check_sizes.py" "${PROJECT_SOURCE_DIR}")
passtime_check(comments python3 "${tools}/check_public_comments.py" "${PROJECT_SOURCE_DIR}")
passtime_check(format sh "${tools}/check_format.sh" "${PROJECT_SOURCE_DIR}")
passtime_check(headers sh "${tools}/check_headers.sh" "${PROJECT_SOURCE_DIR}"
               "${PASSTIME_WEBGPU_INCLUDE}")
passtime_check(exports sh "${tools}/check_exports.sh" "${PROJECT_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
passtime_check(stub sh "${tools}/check_stub.sh" "${PROJECT_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
passtime_check(wasm python3 "${tools}/check_wasm.py" "${PROJECT_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")
passtime_check(windows python3 "${tools}/check_cross.py" "${PROJECT_SOURCE_DIR}" "${CMAKE_BINARY_DIR}"
               x86_64-windows-gnu)
passtime_check(macos python3 "${tools}/check_cross.py" "${PROJECT_SOURCE_DIR}" "${CMAKE_BINARY_DIR}"
               aarch64-macos)
passtime_check(install sh "${PROJECT_SOURCE_DIR}/tests/install/run.sh" "${PROJECT_SOURCE_DIR}"
               "${CMAKE_BINARY_DIR}")
