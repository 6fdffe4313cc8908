# Every library Cutis stands on, found once. Debian names are in scripts/packages.txt.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(embree 3 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PNG REQUIRED)
find_package(OpenEXR 3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Freetype REQUIRED)
find_package(CLI11 REQUIRED)

# These ship headers and a library but no usable CMake package.
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
find_path(TINYGLTF_INCLUDE_DIR tiny_gltf.h REQUIRED)
find_library(TINYGLTF_LIBRARY tinygltf REQUIRED)
find_path(OPENSUBDIV_INCLUDE_DIR opensubdiv/version.h REQUIRED)
find_library(OPENSUBDIV_LIBRARY osdCPU REQUIRED)
find_path(OPENVDB_INCLUDE_DIR openvdb/openvdb.h REQUIRED)
find_library(OPENVDB_LIBRARY openvdb REQUIRED)
find_library(IMATH_LIBRARY NAMES Imath Imath-3_1 REQUIRED) # OpenVDB's headers call it

# CHOLMOD factorises several times faster than Eigen, but its supernodal module is GPL: OFF keeps a build permissive.
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
if(CHOLMOD_INCLUDE_DIR AND CHOLMOD_LIBRARY)
  set(CHOLMOD_FOUND ON)
else()
  set(CHOLMOD_FOUND OFF)
endif()
option(CUTIS_WITH_CHOLMOD "Factorise sparse matrices with CHOLMOD (its supernodal module is GPL)" ${CHOLMOD_FOUND})
if(CUTIS_WITH_CHOLMOD AND NOT CHOLMOD_FOUND)
  message(FATAL_ERROR "CUTIS_WITH_CHOLMOD is ON but cholmod.h or libcholmod was not found: install libsuitesparse-dev, or set it OFF")
endif()

# The font that captions are drawn with is embedded in the library, so that pictures never depend on what is installed where they are made.
find_file(CUTIS_FONT DejaVuSans.ttf PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu REQUIRED)
