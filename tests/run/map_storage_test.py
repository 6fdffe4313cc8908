"""A result stored as a map on its body: small, the same as positions once expanded, and clear about what it needs."""
import pathlib, re, shutil, tempfile
import numpy as np
from testkit import ROOT, cutis


def frame_size(result):
    return sum(path.stat().st_size for path in (result / "frames").glob("*.npz"))


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    cutis("demo", "arm-bend", "--no-pictures", "--out", folder / "arm")
    shutil.move(folder / "arm/skin.glb", folder / "hero.glb")
    for storage in ("map", "positions"):
        (folder / f"{storage}.toml").write_text(f'''
[body]
file = "hero.glb"
[output]
storage = "{storage}"
[[figure]]
name = "way"
measure = "travel"
at_least = 0.8
''')
        cutis("simulate", f"{storage}.toml", "--out", storage, cwd=folder)
    float32 = 12 * len(np.load(folder / "map/mesh.npz")["rest"]) * len(list((folder / "map/frames").glob("*.npz")))
    print("map over float32 positions:", frame_size(folder / "map") / float32)
    assert frame_size(folder / "map") < 0.25 * float32

    # Expanded later, to any format, it is the same: plain skin lies on its body exactly.
    for format in ("pc2", "glb", "mdd"):
        for storage in ("map", "positions"):
            cutis("export", storage, "--to", format, "--out", f"{storage}.{format}", cwd=folder)
        assert (folder / f"map.{format}").read_bytes() == (folder / f"positions.{format}").read_bytes(), format
    cutis("picture", "map", "--no-animation", "--size", "160x90", "--field", "stretch_max", cwd=folder)
    before = [path.read_bytes() for path in sorted((folder / "map/frames").glob("*.npz"))]
    cutis("simulate", "map.toml", "--out", "map", "--resume", cwd=folder)
    assert before == [path.read_bytes() for path in sorted((folder / "map/frames").glob("*.npz"))]

    # NumPy alone, with the lines of docs/results.md, puts sliding skin where the program does.
    (folder / "slid.toml").write_text('''
[body]
make = "arm"
clip = "bend"
resolution = "20 mm"
[time]
fps = 3
[skin]
method = "lagrangian"
surface = "polygon"
[output]
storage = "map"
fields = ["body"]
''')
    cutis("simulate", "slid.toml", "--out", "slid", cwd=folder)
    cutis("export", "slid", "--to", "pc2", "--out", "slid.pc2", cwd=folder)
    scripts = re.findall(r"```python\n(.*?)```", (ROOT / "docs/results.md").read_text(), re.S)
    script, = [script for script in scripts if "map_face" in script]
    frames = sorted((folder / "slid/frames").glob("*.npz"))
    rest = np.load(folder / "slid/mesh.npz")["rest"]
    exported = np.frombuffer((folder / "slid.pc2").read_bytes()[32:], "<f4").reshape(len(frames), -1, 3)
    slid = 0
    for number, file in enumerate(frames):
        here = {}
        exec(script.replace("RESULT/frames/000001.npz", str(file)).replace("RESULT", str(folder / "slid")), here)
        assert here["frame"]["map_side"] == "skin_to_body"
        assert np.abs(here["points"] - exported[number]).max() < 1e-7 * np.abs(rest).max(), number
        slid = max(slid, np.linalg.norm(here["points"] - here["frame"]["body"], axis=1).max())
    assert slid > 1e-3, slid

    # What it needs: its inputs, as they were.
    (folder / "hero.glb").rename(folder / "away.glb")
    said = cutis("export", "map", "--to", "pc2", expect=2, cwd=folder).stderr
    assert "hero.glb" in said and "is missing" in said, said
    (folder / "hero.glb").write_bytes((folder / "away.glb").read_bytes() + b"\0")
    said = cutis("export", "map", "--to", "pc2", expect=2, cwd=folder).stderr
    assert "hero.glb" in said and "has changed" in said, said
    (folder / "away.glb").rename(folder / "hero.glb")
    cutis("export", "map", "--to", "pc2", "--out", "again.pc2", cwd=folder)
    assert (folder / "again.pc2").read_bytes() == (folder / "map.pc2").read_bytes()

    # A body that cannot carry a map says so.
    (folder / "loose.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n")
    (folder / "loose.toml").write_text('[body]\nfile = "loose.obj"\n[output]\nstorage = "map"\n')
    said = cutis("simulate", "loose.toml", expect=2, cwd=folder).stderr
    assert "vertex 3 has no face" in said and "output.storage" in said, said
