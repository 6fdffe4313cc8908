#include "cutis/io/obj.h"
#include "cutis/surface/weld.h"
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace cutis;
  return fuzz::read_as_file(data, size, "a.obj", [](const std::filesystem::path& path) {
    const SourceMesh mesh = read_obj(path);
    weld(mesh, default_weld_tolerance(mesh));
  });
}
