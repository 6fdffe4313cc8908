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
contact = {contact}
[[wrinkle.layer]]
young = "4 MPa"
thickness = "1.3 mm"
[[wrinkle.layer]]
young = "100 MPa"
thickness = "0.3 mm"
wavelength = "3.66 mm"
"""

FOLDED = """
[body]
make = "patch"
clip = "pinch"
[time]
fps = "8 fps"
end = "0.75 s"
[skin]
method = "none"
[[skin.region]]
name = "skin"
use = "name"
center = [0, 0, 0]
radius = "1.6 cm"
[wrinkle]
use = true
region = "skin"
law = "layer"
adaptive = false
edge = 0.15
layer_meshes = "ply"
[[wrinkle.layer]]
young = "4 MPa"
thickness = "0.6 mm"
[[wrinkle.layer]]
young = "60 MPa"
thickness = "0.3 mm"
wavelength = "4 mm"
"""

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    result, _ = simulate(folder, "on", SHOT.format(contact="true"))
    check_all_apart(result)
    result, _ = simulate(folder, "off", SHOT.format(contact="false"))
    try:
        check_all_apart(result)
    except AssertionError as error:
        print("without contact:", error)
    else:
        raise AssertionError("without contact the layers keep apart, too")

    (folder / "folded.toml").write_text(FOLDED)
    cutis("simulate", "folded.toml", cwd=folder)
    last = json.loads((folder / "folded-result/summary.json").read_text())["unconverged"][-1]
    assert last["frame"] == 7 and "layer 2: the layer below is folded so sharply" in last["reason"], last
print("layers keep apart")
