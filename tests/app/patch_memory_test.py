"""A small patch on a large face takes little memory: what lies outside of the patch costs no more than plain skinning does."""
import pathlib, resource, subprocess, tempfile
import testkit

face = testkit.data_folder() / "ict-face-neutral/ict_face_neutral_14expr.glb"
SHOT = f"""
body.file = "{face}"
time.fps = 2
time.end = 2
[skin]
method = "force_density"
[[skin.region]]
name = "cheek"
center = [0.05, -0.01, 0.08]
radius = "1.7 cm"
"""


def own_peak():
    """Of the largest child so far [MB]; this script starts no other."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "cheek.toml").write_text(SHOT)
    testkit.cutis("simulate", "cheek.toml", "--out", "result", cwd=folder)
    print(f"peak of {own_peak():.0f} MB")
    assert own_peak() < 150, own_peak()
