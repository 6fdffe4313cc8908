"""Two layers with edges far longer than the upper one is thick, under strong compression: no triangle of one passes through the other or
through its own layer, by a test of triangles that has nothing of Cutis."""
import pathlib, tempfile
from layer_meshes import check_all_apart
from testkit import cutis

SHOT = """
[body]
make = "patch"
clip = "compress"
[time]
fps = "8 fps"
end = "0.625 s"
[skin]
method = "none"
[[skin.region]]
name = "skin"
use = "name"
center = [0, 0, 0]
radius = "2 cm"
[wrinkle]
use = true
region = "skin"
law = "layer"
adaptive = false
edge = 0.2
layer_meshes = "ply"
[[wrinkle.layer]]
young = "4 MPa"
thickness = "1.3 mm"
[[wrinkle.layer]]
young = "100 MPa"
thickness = "0.3 mm"
wavelength = "3.66 mm"
"""

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "s.toml").write_text(SHOT)
    cutis("simulate", "s.toml", cwd=folder)
    check_all_apart(folder / "s-result")
print("layers keep apart")
