# Most of a file's compile time goes into the same small templates of Eigen and the standard library as its neighbours': the
# SOURCES of TARGET that lie in one folder below ROOT are compiled BATCH at a time. A touched file rebuilds its batch and nothing of
# another folder.
function(compile_by_folder TARGET ROOT BATCH)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${CUTIS_UNITY} UNITY_BUILD_MODE GROUP)
  foreach(SOURCE ${ARGN})
    file(RELATIVE_PATH FOLDER ${ROOT} ${SOURCE})
    get_filename_component(FOLDER ${FOLDER} DIRECTORY)
    string(MAKE_C_IDENTIFIER "${FOLDER}" FOLDER)
    if(NOT DEFINED COUNT_${FOLDER})
      set(COUNT_${FOLDER} 0)
    endif()
    math(EXPR NUMBER "${COUNT_${FOLDER}} / ${BATCH}")
    math(EXPR COUNT_${FOLDER} "${COUNT_${FOLDER}} + 1")
    set_source_files_properties(${SOURCE} PROPERTIES UNITY_GROUP ${FOLDER}_${NUMBER})
  endforeach()
endfunction()
