"""Two layers with edges far longer than the upper one is thick, under strong compression: no triangle of one passes through the other or
through its own layer, by a test of triangles that has nothing of Cutis."""
import pathlib, sys, tempfile
from testkit import ROOT, cutis
sys.path.insert(0, str(ROOT / "tests/measure"))
from intersections import find_intersections, find_intersections_between, read_mesh

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
    layers = folder / "s-result/layers"
    for lower in sorted(layers.glob("layer1_*.ply")):
        below, above = read_mesh(lower), read_mesh(layers / lower.name.replace("layer1", "layer2"))
        for through, touching in (find_intersections_between(*below, *above), find_intersections(*below), find_intersections(*above)):
            assert len(through) == 0, f"{lower.name}: {len(through)} pairs of triangles pass through each other"
print("layers keep apart")
