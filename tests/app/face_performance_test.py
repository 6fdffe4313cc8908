"""A blend-shape face keeps its performance with no setting but the method: in the midst of each shape, where it moves the body
furthest, skin follows at least 70 % of the way. Skin that may slide centimetres follows brows by a fifth. With --long all shapes."""
import pathlib, tempfile
import numpy as np
import testkit

face = testkit.data_folder() / "ict-face-neutral/ict_face_neutral_14expr.glb"
SHAPES = {0: "browDown_L", 2: "browInnerUp_L", 13: "mouthFrown_L"}  # of 14, each at its height in the middle of its second
if testkit.LONG:
    SHAPES = {second: f"shape {second}" for second in range(14)}


def followed(folder, second, limit=""):
    """How much of the way of the body its skin goes, where that is furthest."""
    (folder / "face.toml").write_text(f"""
[body]
file = "{face}"
[time]
start = {second + 0.25}
end = {second + 0.5}
fps = 8
preroll = 0
[skin]
method = "lagrangian"
{limit}
[output]
fields = ["body"]
""")
    testkit.cutis("simulate", "face.toml", "--out", f"s{second}{len(limit)}", cwd=folder)
    result = folder / f"s{second}{len(limit)}"
    rest = np.load(result / "mesh.npz")["rest"]
    frame = np.load(sorted((result / "frames").glob("*.npz"))[-1])
    way = frame["body"] - rest
    furthest = np.linalg.norm(way, axis=1).argmax()
    assert np.linalg.norm(way[furthest]) > 0.003
    return (frame["positions"] - rest)[furthest] @ way[furthest] / (way[furthest] @ way[furthest])


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for second, shape in SHAPES.items():
        share = followed(folder, second)
        print(f"{shape}: skin follows {share:.2f} of the way")
        assert share > 0.7, share
    assert followed(folder, 0, 'slide_limit = "2 cm"') < 0.5, "the test cannot fail"
