"""Wrinkles on real characters, on skin that slides and in painted regions: the brow of a face that raises it and the belly of a man who
squats. With --long also on the whole of a fox that walks. All frames converge, wrinkles have their wavelength, layers of painted regions keep apart."""
import os, pathlib, tempfile
import numpy as np
from gltf_variants import Editable
from layer_meshes import check_all_apart
from testkit import data_folder
from wrinkled import simulate

SHOT = """
[body]
file = "{file}"
{body}
[time]
{time}
fps = 8
preroll = 0
[skin]
method = "{method}"
[output]
fields = ["body", "height"]
[wrinkle]
use = true
law = "layer"
layer_meshes = "ply"
{wrinkle}
[[wrinkle.layer]]
young = "4 MPa"
{layer}
"""
REGION = """
[[skin.region]]
name = "painted"
use = "name"
map = "vertex_color"
[[figure]]
name = "wavelength [m]"
measure = "field_wavelength"
with = {{ field = "height", region = "painted" }}
frames = "last"
at_least = {least}
at_most = {most}
"""


def paint(character, centers, radius, target):
    """A copy of a character with vertex colours: white within so much of places."""
    gltf = Editable(character)
    attributes = gltf.primitives(gltf.instances[0])[0]["attributes"]
    rest = gltf.raw(attributes["POSITION"])
    near = np.min([np.linalg.norm(rest - center, axis=1) for center in centers], axis=0) < radius
    attributes["COLOR_0"] = gltf.add(attributes["NORMAL"], np.repeat(near[:, None], 3, axis=1))
    gltf.save(target)


def run(folder, name, shot):
    result, summary = simulate(folder, name, shot)
    figures = "".join(f", {f['name']} {f['value']:.4g}" for f in summary["figures"])
    print(f"{name}: {summary['frames']} frames in {summary['timings']['frame']['total']:.0f} s{figures}")
    assert all(figure["holds"] for figure in summary["figures"]), (name, summary["figures"])
    return result


def wrinkle_painted(folder, name, character, centers, radius, predicted, **shot):
    paint(character, centers, radius, folder / f"{name}.glb")
    shot |= {"file": f"{name}.glb", "method": "lagrangian", "wrinkle": 'region = "painted"\nadaptive = false\nedge = 0.125'}
    result = run(folder, name, SHOT.format(**shot) + REGION.format(least=0.85 * predicted, most=1.15 * predicted))
    print(f"  {check_all_apart(result)} meshes of the layer keep apart")


with tempfile.TemporaryDirectory() as name:
    folder, data = pathlib.Path(name), data_folder()
    wrinkle_painted(folder, "brow", data / "ict-face-neutral/ict_face_neutral_14expr.glb", [(0.02, 0.07, 0.1)], 0.03, 4.36e-3, body="",
                    time="start = 2\nend = 2.5", layer='thickness = "0.5 mm"')
    wrinkle_painted(folder, "belly", data / "makehuman-young-male/makehuman_young_male_cmu.glb", [(0, 0.25, 0.134)], 0.06, 17.3e-3,
                    body='clip = "cmu_13_29_bend_squats"', time="start = 3.25\nend = 3.75", layer='thickness = "2 mm"')
    if os.environ.get("CUTIS_LONG") == "1":  # five minutes
        run(folder, "fox", SHOT.format(
            file=data / "khronos-fox/Fox.glb", body='scale = 0.01\nclip = "Walk"', time="end = 0.25", method="none",
            wrinkle="edge = 0.2", layer='thickness = "16 mm"\nwavelength = "12 cm"'))
