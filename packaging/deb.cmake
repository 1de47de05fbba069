# Debian packages by CPack (`make deb`): one per row below, and one per backend.
#
# Every install rule names its component; a component is a package.  A backend works with the compiler of one upstream version
# (GCC and Clang both refuse another), so its package depends on the version that it was built beside.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME prof)
set(CPACK_PACKAGE_CONTACT "The authors of prof" CACHE STRING "Maintainer of the Debian packages")
set(CPACK_PACKAGE_VENDOR prof)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_OUTPUT_FILE_PREFIX ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENTS_ALL)
set(same "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

# A package of one component; what it depends on besides the libraries that its files name, and may recommend.
function(prof_package component name summary)
  cmake_parse_arguments(arg "" "SECTION" "DEPENDS;RECOMMENDS" ${ARGN})
  string(TOUPPER ${component} upper)
  list(JOIN arg_DEPENDS ", " depends)
  list(JOIN arg_RECOMMENDS " | " recommends)
  foreach(setting "PACKAGE_NAME;${name}" "PACKAGE_DEPENDS;${depends}" "PACKAGE_RECOMMENDS;${recommends}"
          "PACKAGE_SECTION;${arg_SECTION}")
    list(GET setting 0 key)
    list(GET setting 1 value)
    if(value)
      set(CPACK_DEBIAN_${upper}_${key} "${value}" PARENT_SCOPE)
    endif()
  endforeach()
  set(CPACK_COMPONENT_${upper}_DESCRIPTION
    "${summary}\nprof measures every call of a native program: a compiler plugin puts probes into its functions, nops until a recording." PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
endfunction()

# "gcc-12 (>= 12.2.0), gcc-12 (<< 12.2.1~)" for the version of a package that is installed here; just its name if dpkg knows none.
function(prof_package_range package out)
  execute_process(COMMAND dpkg-query -W -f "\${Version}" ${package} OUTPUT_VARIABLE version ERROR_QUIET RESULT_VARIABLE status)
  string(REGEX MATCH "^([0-9]+:)?([0-9]+\\.[0-9]+\\.)([0-9]+)" found "${version}")
  if(status OR NOT found)
    set(${out} ${package} PARENT_SCOPE)
    return()
  endif()
  math(EXPR next "${CMAKE_MATCH_3} + 1")
  set(${out} "${package} (>= ${found})" "${package} (<< ${CMAKE_MATCH_1}${CMAKE_MATCH_2}${next}~)" PARENT_SCOPE)
endfunction()

# The packages of libraries that are loaded, not linked (tools/base/library.h): dpkg-shlibdeps doesn't see them.
set(loaded)
foreach(library libmicrohttpd.so.12 libsqlite3.so.0)
  execute_process(COMMAND dpkg-query -S "*/${library}" OUTPUT_VARIABLE owner ERROR_QUIET)
  if(owner MATCHES "^([^:,]+)")
    list(APPEND loaded ${CMAKE_MATCH_1})
  endif()
endforeach()

get_property(gcc_majors GLOBAL PROPERTY PROF_GCC_BACKENDS)
get_property(clang_majors GLOBAL PROPERTY PROF_CLANG_BACKENDS)
set(backends) # the best one first: the newest GCC, as scripts/compiler.sh has it
foreach(family gcc clang)
  set(newest_first)
  foreach(major ${${family}_majors})
    prof_package_range(${family}-${major} compiler)
    prof_package(${family}-${major} prof-${family}-${major} "probes for programs compiled with ${family}-${major}"
                 DEPENDS "prof-plugin ${same}" ${compiler} RECOMMENDS prof)
    list(PREPEND newest_first prof-${family}-${major})
  endforeach()
  list(APPEND backends ${newest_first})
endforeach()
prof_package(tools prof "profiler that records every call: prof record, report, tree, flame and more"
             DEPENDS "libprof-runtime ${same}" ${loaded} RECOMMENDS ${backends})
prof_package(runtime libprof-runtime "profiler's library in a program that is recorded" SECTION libs)
prof_package(plugin prof-plugin "profiler's plugin for compilers, header, runtime archive and build system files"
             DEPENDS "libprof-runtime ${same}" RECOMMENDS ${backends})
prof_package(trace libproftrace0 "library that reads recordings of prof" SECTION libs)
prof_package(trace-dev libproftrace-dev "library that reads recordings of prof: header and archive" SECTION libdevel
             DEPENDS "libproftrace0 ${same}" libzstd-dev zlib1g-dev)
include(CPack)
