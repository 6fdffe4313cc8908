"""Patches on a real face whose rig is not known, over all of its expressions. Around nose and mouth, with nothing said, the skin is
strained no more than by plain skinning though mouth and nostrils fold into it; with eyes and mouth cut out it slides up to its
limit."""
import pathlib, tempfile
import testkit

face = testkit.data_folder() / "ict-face-neutral/ict_face_neutral_14expr.glb"
# Every second frame is at the height of an expression.
SHOT = f"""
body.file = "{face}"
time.fps = 2
skin.method = "force_density"
output.fields = ["body", "slide"]
"""

# Plain skinning is 1. Without a bound on the strain that sliding adds, the two are 1.9 and 5.0.
NOSE_AND_MOUTH = """
[[skin.region]]
name = "nose and mouth"
center = [0, -0.03, 0.13]
radius = 0.07
[[figure]]
name = "tensile strain against plain skinning"
measure = "tensile_strain"
with = { against = "body", region = "nose and mouth" }
at_most = 1.05
[[figure]]
name = "compressive strain against plain skinning"
measure = "compressive_strain"
with = { against = "body", region = "nose and mouth" }
at_most = 1.15
[[figure]]
name = "it slides all the same [m]"
measure = "field_max"
with = { field = "slide" }
at_least = 0.001
"""

# It would go 2.8 mm.
HOLES = """
skin.slide_limit = 0.002
[[skin.region]]
name = "face"
center = [0, -0.02, 0.13]
radius = 0.11
[[figure]]
name = "slides up to its limit [m]"
measure = "field_max"
with = { field = "slide" }
at_least = 0.0015
at_most = 0.002
""" + "".join(f"""
[[skin.region]]
name = "{name}"
use = "exclude"
center = [{x}, {y}, {z}]
radius = {radius}
""" for name, (x, y, z, radius) in {"left eye": (0.032, 0.039, 0.07, 0.03), "right eye": (-0.032, 0.039, 0.07, 0.03),
                                    "mouth": (0, -0.045, 0.06, 0.06)}.items())

with tempfile.TemporaryDirectory() as folder:
    for name, more in {"nose_and_mouth": NOSE_AND_MOUTH, "holes": HOLES}.items():
        (pathlib.Path(folder) / f"{name}.toml").write_text(SHOT + more)
        said = testkit.cutis("simulate", f"{name}.toml", "--out", name, cwd=folder)
        print(said.stdout)
        assert "folded" not in said.stderr, said.stderr
