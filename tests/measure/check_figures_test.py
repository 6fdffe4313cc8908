"""The figures of a run are those that NumPy measures, the checker notices when anything was tampered with, and the
documents say what is so."""
import hashlib, json, pathlib, re, shutil, subprocess, sys, tempfile
import numpy as np
from testkit import BUILD, ROOT, cutis
from check_figures import MEASURES

FRAMES = 12
ELBOW_FRAMES = 5


def run(out, *arguments, expect=0):
    done = subprocess.run([BUILD / "tests/lagging_run", out, str(FRAMES), "--fields", *arguments], text=True, capture_output=True)
    assert done.returncode == expect, done.stderr


def check(result, expect, word=""):
    done = subprocess.run([sys.executable, ROOT / "tests/measure/check_figures.py", result], text=True, capture_output=True)
    assert done.returncode == expect and word in done.stdout, f"{done.returncode}, not {expect}:\n{done.stdout}{done.stderr}"
    return done.stdout


def tampered(result, change):
    copy = result.parent / "tampered"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(result, copy)
    change(copy)
    return copy


def moved_vertex(folder):
    path = folder / "frames/000005.npz"
    arrays = dict(np.load(path))
    arrays["positions"][7, 1] += 1.0
    np.savez(path, **arrays)


def new_checksum(folder, name):
    lines = [line for line in (folder / "checksums.sha256").read_text().splitlines() if not line.endswith(name)]
    lines.append(f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}")
    (folder / "checksums.sha256").write_text("\n".join(lines) + "\n")


def moved_vertex_with_new_checksum(folder):
    moved_vertex(folder)
    new_checksum(folder, "frames/000005.npz")


def scaled_slide(factor):
    """In the last frame, where the arm is fully bent."""
    def change(folder):
        name = f"frames/{ELBOW_FRAMES:06}.npz"
        arrays = dict(np.load(folder / name))
        arrays["slide"] *= factor
        np.savez(folder / name, **arrays)
        new_checksum(folder, name)
    return change


def edit_figure(name, **values):
    def change(folder):
        summary = json.loads((folder / "summary.json").read_text())
        for figure in summary["figures"]:
            if figure["name"] == name:
                figure.update(values)
        (folder / "summary.json").write_text(json.dumps(summary))
    return change


def unsolved(folder):
    """Skin that lies where plain skinning puts it, taut as it is."""
    name = "frames/000001.npz"
    arrays = dict(np.load(folder / name))
    arrays["positions"] = np.load(folder / "mesh.npz")["rest"]
    np.savez(folder / name, **arrays)
    new_checksum(folder, name)


TAUT = """
[body]
make = "head"
clip = "none"
resolution = "10 mm"
[skin]
method = "lagrangian"
[skin.direction]
langer = "male"
prestretch = 0.875
[output]
fields = ["slide_limit", "slide_chord"]
"""

with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    run(folder / "good")
    table = check(folder / "good", 0, "stays near")
    assert table.count("\n") == len(json.loads((folder / "good/summary.json").read_text())["figures"]) == 7 * 26 + 1
    run(folder / "single", "--float32")
    check(folder / "single", 0)
    assert np.load(folder / "single/frames/000001.npz")["positions"].dtype == np.float32
    subprocess.run(["sha256sum", "--check", "--quiet", "checksums.sha256"], cwd=folder / "good", check=True)

    values = {f["name"]: f["value"] for f in json.loads((folder / "good/summary.json").read_text())["figures"]}
    assert values["vertex_count over all"] == 25 * 13 and values["seam_gap over all"] == 0

    run(folder / "bound", "--at-most", "1e-6", expect=1)
    check(folder / "bound", 1, "DOES NOT HOLD")

    good = folder / "good"
    check(tampered(good, moved_vertex), 1, "000005.npz: does not match its checksum")
    check(tampered(good, moved_vertex_with_new_checksum), 1, "travel over all: summary.json says")
    check(tampered(good, lambda f: (f / "frames/000012.npz").unlink()), 1, "000012.npz: is missing")
    value = values["log_area_spread over all"]
    check(tampered(good, edit_figure("log_area_spread over all", value=value * (1 + 1e-7))), 1, "log_area_spread over all")
    check(tampered(good, edit_figure("stays near", holds=False)), 1, "which is not so")
    check(tampered(good, edit_figure("stays near", bound={"at_least": 5.0, "at_most": None})), 1, "out of bounds")

    # Slides are found again from the positions alone.
    shot = (ROOT / "examples/elbow/shot.toml").read_text().replace("[skin]", "[time]\nend = 1\nfps = 4\n[skin]", 1).split("[[figure]]")[0]
    (folder / "elbow.toml").write_text(shot)
    cutis("simulate", "elbow.toml", "--out", "elbow", cwd=folder)
    check(folder / "elbow", 0)
    check(tampered(folder / "elbow", scaled_slide(0.4)), 1, "is less than the straight")
    check(tampered(folder / "elbow", scaled_slide(2.5)), 1, "leads there")

    # So is the balance of forces.
    (folder / "taut.toml").write_text(TAUT)
    cutis("simulate", "taut.toml", "--out", "taut", cwd=folder)
    check(folder / "taut", 0)
    check(tampered(folder / "taut", unsolved), 1, "out of balance")

    # The documents: every measure is defined, and the lines of Python work as they stand.
    words = (ROOT / "docs/figures.md").read_text()
    assert [name for name in MEASURES if f"\n| `{name}` |" not in words] == []
    (folder / "RESULT").symlink_to(good)
    # (run/map_storage_test.py runs those about maps)
    scripts = re.findall(r"```python\n(.*?)```", (ROOT / "docs/results.md").read_text(), re.S)
    scripts = [script for script in scripts if "map_face" not in script]
    assert scripts
    for script in scripts:
        done = subprocess.run([sys.executable, "-c", script], cwd=folder, text=True, capture_output=True)
        assert done.returncode == 0 and "stays near" in done.stdout, done.stderr
    arrays = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/results.md").read_text().split("## mesh.npz")[1].split("## A frame")[0], re.M)
    # The one has regions and strokes, the other a rig; painted attributes are those of a body that has some (run_test).
    arrays.remove("attribute_NAME")
    stored = {re.sub("^region_.*", "region_NAME", name) for result in (good, folder / "elbow") for name in np.load(result / "mesh.npz").files}
    assert sorted(arrays) == sorted(stored)
