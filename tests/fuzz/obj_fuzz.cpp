#include "cutis/io/mesh/obj.h"
#include "cutis/surface/mesh/weld.h"
#include "fuzz/target.h"

FUZZ_TARGET(obj) {
  using namespace cutis;
  return fuzz::read_as_file(data, size, "a.obj", [](const std::filesystem::path& path) {
    const SourceMesh mesh = read_obj(path);
    weld(mesh, default_weld_tolerance(mesh));
  });
}
