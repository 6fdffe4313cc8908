"""Fields that a shot stores are what NumPy makes of the frames; a field that is not is found out."""
import pathlib, re, subprocess, sys, tempfile
import numpy as np
import testkit
from testkit import ROOT, cutis

listed = re.findall(r"^  (\w+) ", cutis("list", "fields").stdout, re.M)
geometric = [name for name in listed if not re.match("elastic_|stress_|tension_|slack|pressure|body|lag|height|flesh|phase|slide_limit|All", name)]
names = geometric + [f"face_{name}" for name in geometric if name not in ("displacement", "slide", "slide_chord", "jump")]
assert len(names) == 22, names


def shot(folder, name, **output):
    lines = [f"{key} = {value}" for key, value in output.items()]
    (folder / name).write_text('[body]\nmake = "arm"\n[time]\nfps = 6\n[output]\n' + "\n".join(lines) + "\n")
    return name


def check(result, expect, word=""):
    done = subprocess.run([sys.executable, ROOT / "tests/measure/check_fields.py", result], text=True, capture_output=True)
    assert done.returncode == expect and word in done.stdout, f"{done.returncode}, not {expect}:\n{done.stdout}{done.stderr}"
    return done.stdout


def tamper(result, name, change):
    path = result / "frames/000004.npz"
    arrays = dict(np.load(path))
    arrays[name] = change(arrays[name])
    np.savez(path, **arrays)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    wanted = "[" + ", ".join(f'"{name}"' for name in names) + "]"
    cutis("simulate", shot(folder, "double.toml", fields=wanted), "--out", "double", cwd=folder)
    cutis("simulate", shot(folder, "single.toml", fields=wanted, precision='"float32"'), "--out", "single", cwd=folder)
    table = check(folder / "double", 0, "slide                            passed over")
    print(table)
    assert len(table.splitlines()) == len(names)
    print(check(folder / "single", 0))
    frame = np.load(folder / "single/frames/000004.npz")
    assert all(frame[name].dtype == np.float32 for name in names)
    assert not any(np.load(folder / "double/frames/000004.npz")[name].any() for name in ("slide", "slide_chord", "jump"))

    # Each field is one that moves, or the check above would say nothing.
    for name in set(names) - {"slide", "slide_chord", "jump"}:
        values = np.load(folder / "double/frames/000004.npz")[name]
        assert np.ptp(values) > 1e-3, name

    def bump(values):
        values = values.copy()
        values.flat[values.size // 2] += 1e-6
        return values
    tamper(folder / "double", "face_green_strain", bump)
    check(folder / "double", 1, "frame 4: face_green_strain is off")

    cutis("simulate", shot(folder, "none.toml"), "--out", "none", cwd=folder)
    check(folder / "none", 1, "no field to check")
    said = cutis("simulate", shot(folder, "bad.toml", fields='["strech_max", "stress_max"]'), expect=2, cwd=folder).stderr
    assert 'did you mean "stretch_max"' in said and "material" in said, said

    # Pictures show what is stored and what is not, by the same names.
    for name in ("green_strain", "face_stretch_min", "displacement"):
        cutis("picture", "none", "--no-animation", "--size", "160x90", "--field", name, "--out", name, cwd=folder)
        assert (folder / name / "still.png").stat().st_size > 1000
    cutis("picture", "double", "--no-animation", "--size", "160x90", "--field", "slide", "--out", "slide", cwd=folder)
    for name, word in (("stretch_max_direction", "direction"), ("stress_max", "no such field"), ("slide", "no such field")):
        assert word in cutis("picture", "none", "--field", name, expect=2, cwd=folder).stderr
