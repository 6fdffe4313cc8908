// The implementation of tinygltf, which ships with its header.
#define TINYGLTF_IMPLEMENTATION
#include <tiny_gltf.h>
