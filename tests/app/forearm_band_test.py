"""The forearm band with and without ligaments, as two runs of the example: with them the region that the shot calls the palm
stays, without them it is dragged along."""
import json, pathlib, shutil, tempfile
from testkit import ROOT, cutis


def palm(folder, name, ligaments):
    shot = folder / name
    shutil.copytree(ROOT / "examples/forearm-band", shot)
    text = (shot / "shot.toml").read_text()
    (shot / "shot.toml").write_text(text + ("" if ligaments else "\n[skin.ligament]\nuse = false\n"))
    cutis("simulate", "shot.toml", "--out", "result", cwd=shot, expect=0 if ligaments else 1)
    figures = json.loads((shot / "result/summary.json").read_text())["figures"]
    return next(f["value"] for f in figures if "palm" in f["name"])


with tempfile.TemporaryDirectory() as folder:
    held, free = (palm(pathlib.Path(folder), name, name == "with") for name in ("with", "without"))
    print(f"the palm slides by {1000 * held:.1f} mm with ligaments, {1000 * free:.1f} mm without")
    assert held < 0.0024 and free > 0.020, (held, free)
