"""Two layers with edges far longer than the upper one is thick, under strong compression: no triangle of one passes through the other or
through its own layer, by a test of triangles that has nothing of Cutis. Without wrinkle.contact many do. Where the lower layer is folded
over so sharply that heights above it cannot be told, the frame says so."""
import json, pathlib, tempfile
from layer_meshes import check_all_apart
from testkit import cutis
from wrinkled import simulate

SHOT = """
[body]
make = "patch"
clip = "{clip}"
[time]
fps = "8 fps"
end = {end}
[skin]
method = "none"
[[skin.region]]
name = "skin"
use = "name"
center = [0, 0, 0]
radius = {radius}
[wrinkle]
use = true
region = "skin"
law = "layer"
adaptive = false
edge = {edge}
layer_meshes = "ply"
contact = {contact}
[[wrinkle.layer]]
young = "4 MPa"
thickness = {lower}
[[wrinkle.layer]]
young = {young}
thickness = 0.3e-3
wavelength = {wavelength}
"""
COMPRESSED = dict(clip="compress", end=0.625, radius=0.02, edge=0.2, lower=1.3e-3, young=100e6, wavelength=3.66e-3)
FOLDED = dict(clip="pinch", end=0.75, radius=0.016, edge=0.15, lower=0.6e-3, young=60e6, wavelength=4e-3, contact="true")

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    result, _ = simulate(folder, "on", SHOT.format(**COMPRESSED, contact="true"))
    check_all_apart(result)
    result, _ = simulate(folder, "off", SHOT.format(**COMPRESSED, contact="false"))
    try:
        check_all_apart(result)
    except AssertionError as error:
        print("without contact:", error)
    else:
        raise AssertionError("without contact the layers keep apart, too")

    (folder / "folded.toml").write_text(SHOT.format(**FOLDED))
    cutis("simulate", "folded.toml", cwd=folder)
    last = json.loads((folder / "folded-result/summary.json").read_text())["unconverged"][-1]
    assert last["frame"] == 7 and "layer 2: the layer below is folded so sharply" in last["reason"], last
print("layers keep apart")
