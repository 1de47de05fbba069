# Flags and helpers that every folder uses.

set(PROF_WARNINGS -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wno-missing-field-initializers)
option(PROF_WERROR "Warnings are errors" OFF)
if(PROF_WERROR)
  list(APPEND PROF_WARNINGS -Werror)
endif()
# Sanitizers instrument tools, runtime-independent code and unit tests; never plugins, never the runtime itself.
set(PROF_SANITIZE "" CACHE STRING "address,undefined or thread; empty: none")

# One layer of the tools: all .c files of the current folder, in a static library prof_<name>; NEEDS: layers below,
# ROOMS: folders in it whose .c files belong to the layer too.
function(prof_layer name)
  cmake_parse_arguments(arg "" "" "ROOMS;NEEDS;LIBRARIES" ${ARGN})
  list(TRANSFORM arg_ROOMS APPEND /*.c)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c ${arg_ROOMS})
  if(NOT sources)
    add_library(prof_${name} INTERFACE)
    set(kind INTERFACE)
  else()
    add_library(prof_${name} STATIC ${sources})
    target_compile_options(prof_${name} PRIVATE ${PROF_WARNINGS})
    set(kind PUBLIC)
  endif()
  target_include_directories(prof_${name} ${kind} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/wire
                                                  ${PROJECT_SOURCE_DIR}/tools)
  foreach(need ${arg_NEEDS})
    target_link_libraries(prof_${name} ${kind} prof_${need})
  endforeach()
  target_link_libraries(prof_${name} ${kind} ${arg_LIBRARIES})
  prof_sanitize(prof_${name} ${kind})
endfunction()

function(prof_sanitize target kind)
  if(PROF_SANITIZE)
    target_compile_options(${target} ${kind} -fsanitize=${PROF_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} ${kind} -fsanitize=${PROF_SANITIZE})
  endif()
endfunction()
