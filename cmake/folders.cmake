# SPDX-License-Identifier: MIT
#
# One object library per folder of src/, which sees the public headers and, of the other folders, only
# those it may include: each gets a view, a folder of links, as its include path, so that a violation of
# the order cli -> sink, read -> core -> port does not compile.

# passtime_view(folder allowed...): the include path for folder; allowed are folders or single headers.
function(passtime_view folder)
    set(view "${CMAKE_BINARY_DIR}/views/${folder}")
    file(REMOVE_RECURSE "${view}")
    file(MAKE_DIRECTORY "${view}")
    foreach(allowed IN LISTS ARGN)
        if(NOT EXISTS "${PROJECT_SOURCE_DIR}/src/${allowed}")
            continue()
        endif()
        get_filename_component(parent "${view}/${allowed}" DIRECTORY)
        file(MAKE_DIRECTORY "${parent}")
        file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/${allowed}" "${view}/${allowed}"
             COPY_ON_ERROR SYMBOLIC)
    endforeach()
endfunction()

# passtime_existing(variable files...): those of files that are there; the others are told.
function(passtime_existing variable)
    set(found "")
    foreach(file IN LISTS ARGN)
        if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
            list(APPEND found "${file}")
        else()
            message(NOTICE "not there: ${CMAKE_CURRENT_SOURCE_DIR}/${file}")
        endif()
    endforeach()
    # A file that appears or goes changes its folder's date: look again then.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}")
    set(${variable} "${found}" PARENT_SCOPE)
endfunction()

# passtime_all_listed(files...): says which C files of the folder the build does not know.
function(passtime_all_listed)
    file(GLOB there RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*.c")
    list(REMOVE_ITEM there ${ARGN})
    if(there)
        message(NOTICE "not listed in ${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt: ${there}")
    endif()
endfunction()

# passtime_folder(name SOURCES files... SEES folders and headers... [NOT_HERE files...]): the object
# library passtime_<name>. NOT_HERE: files of the folder that other targets or other systems take.
function(passtime_folder name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;SEES;NOT_HERE")
    passtime_all_listed(${arg_SOURCES} ${arg_NOT_HERE})
    passtime_existing(sources ${arg_SOURCES})
    if(NOT sources)
        file(WRITE "${CMAKE_BINARY_DIR}/empty_${name}.c" "typedef int passtime_${name}_is_empty;\n")
        set(sources "${CMAKE_BINARY_DIR}/empty_${name}.c")
    endif()
    passtime_view(${name} ${name} ${arg_SEES})
    add_library(passtime_${name} OBJECT ${sources})
    target_include_directories(passtime_${name} PRIVATE
        "${PROJECT_SOURCE_DIR}/include" "${CMAKE_BINARY_DIR}/views/${name}")
    target_compile_definitions(passtime_${name} PRIVATE PASSTIME_BUILD)
    target_link_libraries(passtime_${name} PRIVATE passtime_flags)
endfunction()
