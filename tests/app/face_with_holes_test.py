"""A patch with holes on a real face: eyes and mouth stay in place, the skin around them slides within its limit."""
import pathlib, tempfile
import testkit

face = testkit.data_folder() / "ict-face-neutral/ict_face_neutral_14expr.glb"
holes = {"left eye": (0.032, 0.039, 0.07, 0.03), "right eye": (-0.032, 0.039, 0.07, 0.03), "mouth": (0, -0.045, 0.06, 0.06)}
shot = f"""
body.file = "{face}"
time.fps = 2
skin.method = "force_density"
skin.slide_limit = 0.01
output.fields = ["body", "slide"]
[[skin.region]]
name = "face"
center = [0, -0.02, 0.13]
radius = 0.11
[[figure]]
name = "skin slides"
measure = "field_max"
with = {{ field = "slide" }}
at_least = 0.002
at_most = 0.01
"""
for name, (x, y, z, radius) in holes.items():
    shot += f"""
[[skin.region]]
name = "{name}"
use = "exclude"
center = [{x}, {y}, {z}]
radius = {radius}
[[figure]]
name = "{name} stays"
measure = "field_max"
with = {{ field = "slide", region = "{name}" }}
at_most = 1e-9
"""
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "face.toml").write_text(shot)
    said = testkit.cutis("simulate", "face.toml", "--out", "result", cwd=folder)
    print(said.stdout)
    assert "folded" not in said.stderr, said.stderr
