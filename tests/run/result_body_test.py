"""A finished result is a body: its positions come back to the bit, another method runs on it, its fields can be painted with."""
import pathlib, re, tempfile
import numpy as np
from testkit import cutis

ARM = """
[body]
make = "arm"
clip = "bend"
resolution = "20 mm"
[time]
fps = 6
start = 0.2
[skin]
method = "lagrangian"
[output]
fields = ["green_strain"]
storage = "{}"
"""


def frames(result):
    return [np.load(path) for path in sorted((result / "frames").glob("*.npz"))]


def run(folder, name, text, **options):
    (folder / f"{name}.toml").write_text(text)
    return cutis("simulate", f"{name}.toml", "--out", name, cwd=folder, **options)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    run(folder, "skin", ARM.format("positions"))
    run(folder, "map", ARM.format("map"))

    # Plain skinning of the result is the result, at its own times and frame rate.
    run(folder, "again", '[body]\nfile = "skin"\n')
    for a, b in zip(frames(folder / "skin"), frames(folder / "again"), strict=True):
        assert a["time"] == b["time"] and np.array_equal(a["positions"], b["positions"]), a["frame"]
    # A map is quantised; it comes back through its own body.
    run(folder, "from_map", '[body]\nfile = "map"\n')
    for a, b in zip(frames(folder / "skin"), frames(folder / "from_map"), strict=True):
        assert 0 < np.abs(a["positions"] - b["positions"]).max() < 1e-5

    # Between its frames it moves on smoothly: a frame in the middle is near the mean of its neighbours, not at either.
    run(folder, "twice", '[body]\nfile = "skin"\n[time]\nfps = 12\n')
    coarse, fine = frames(folder / "skin"), frames(folder / "twice")
    assert len(fine) == 2 * len(coarse) - 1
    mean = (coarse[1]["positions"] + coarse[2]["positions"]) / 2
    off = np.abs(fine[3]["positions"] - mean).max()
    step = np.abs(coarse[2]["positions"] - coarse[1]["positions"]).max()
    assert 0 < off < 0.2 * step, (off, step)

    # Skin on skin, with a field of the first as a painted map; the second slides over the first.
    said = run(folder, "second", '''
[body]
file = "skin"
[skin]
method = "lagrangian"
slide_limit = { map = "green_strain", low = 0, high = "5 cm" }
[output]
fields = ["slide", "slide_limit"]
[[figure]]
name = "residual"
measure = "residual"
at_most = 1e-6
''')
    assert re.search(r"ok +residual", said.stdout), said.stdout
    strain = np.max([frame["green_strain"] for frame in coarse], axis=0)
    last = frames(folder / "second")[-1]
    # Limits are smoothed over the body, so they follow the painted ones closely, not exactly.
    assert np.corrcoef(last["slide_limit"], strain)[0, 1] > 0.99, "painted from the largest strain"
    assert 0.04 * strain.max() < last["slide_limit"].max() < 0.05 * strain.max()
    assert last["slide"].max() > 1e-4

    # Files for other programs are in the unit of the first character, not of the result in between.
    run(folder, "cm", '[body]\nmake = "arm"\nclip = "bend"\nscale = "1 cm"\nresolution = 0.05\n[output]\nformats = ["pc2"]\n')
    run(folder, "on_cm", '[body]\nfile = "cm"\n[output]\nformats = ["pc2"]\n')
    assert (folder / "cm/skin.pc2").read_bytes() == (folder / "on_cm/skin.pc2").read_bytes()

    # What it was made from is recorded: another result in its place is noticed.
    run(folder, "skin", ARM.format("positions").replace("0.2", "0.3"))
    said = cutis("simulate", "second.toml", "--out", "second", "--resume", cwd=folder, expect=2).stderr
    assert "checksums.sha256" in said, said

    (folder / "empty").mkdir()
    assert "without a result" in run(folder, "bad", '[body]\nfile = "empty"\n', expect=2).stderr
    summary = folder / "skin/summary.json"
    summary.write_text(summary.read_text().replace('"complete": true', '"complete": false'))
    assert "not finished" in run(folder, "bad", '[body]\nfile = "skin"\n', expect=2).stderr
print("a result is a body")
