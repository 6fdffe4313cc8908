"""wrinkle.use: wrinkles are one more stage, on the skin, the flesh or the body, and change nothing below them; what lies
below is re-used. Its result has a finer mesh, in every format."""
import json, pathlib, re, tempfile
import numpy as np
from testkit import cutis

BODY = """
[body]
make = "arm"
clip = "bend"
resolution = "20 mm"
[time]
fps = 8
end = 0.25
"""
SKIN = '[skin]\nmethod = "lagrangian"\n'
REGION = '[[skin.region]]\nname = "pressed"\nuse = "name"\nmap = "compressive_strain"\nabove = 0.05\n'
WRINKLES = """
[wrinkle]
use = true
output_level = 2
edge = 0.25
load_step = 0.1
adaptive = false
{}
[[wrinkle.layer]]
young = "4 MPa"
thickness = "5 mm"
wavelength = "4 cm"
[output]
formats = ["obj", "pc2"]
"""


def times(result):
    return {path.name: path.stat().st_mtime_ns for path in (result / "frames").iterdir()}


def frames(result):
    return [np.load(path)["positions"] for path in sorted((result / "frames").iterdir())]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    shot, result = folder / "s.toml", folder / "s-result"

    def run(text, expect=0):
        shot.write_text(text)
        return cutis("simulate", "s.toml", cwd=folder, expect=expect).stderr

    # Straight on the body.
    said = run(BODY + '[skin]\nmethod = "none"\n' + WRINKLES.format(""))
    assert not (result / "stages").exists()
    assert re.search(r"wrinkles of 40 mm and more are given on \d+ vertices", said), said
    whole = frames(result)
    assert len(whole) > 2 and np.isfinite(whole[-1]).all()
    assert (result / "skin.pc2").stat().st_size > 12 * len(whole) * len(whole[0])
    assert len(list((result / "obj").glob("*.obj"))) == len(whole)
    cutis("picture", "s-result", cwd=folder)

    # On skin, where it is pressed together: the region is painted with a field of the stage below.
    text = BODY + SKIN + REGION + WRINKLES.format('region = "pressed"')
    run(text)
    stage = result / "stages/skin"
    below, above = frames(stage), frames(result)
    assert len(below) == len(above) and len(below[0]) < len(above[0]) < len(whole[0])
    (folder / "plain.toml").write_text(BODY + SKIN)
    cutis("simulate", "plain.toml", cwd=folder)
    for plain, skin in zip(frames(folder / "plain-result"), below):
        assert (plain == skin).all()
    said = cutis("export", "s-result", "--to", "st", cwd=folder, expect=2).stderr
    assert "wrinkled skin has a finer mesh than its body; take the skin below it, s-result/stages/skin" in said, said
    cutis("export", "s-result/stages/skin", "--to", "st", cwd=folder)
    first = times(stage)
    said = run(text.replace("output_level = 2", "output_level = 1\nseed = 2"))
    assert "stage skin: nothing changed" in said and times(stage) == first, said
    assert len(frames(result)[0]) < len(above[0])
    said = run(text.replace('"lagrangian"\n', '"lagrangian"\nthickness = "2 mm"\n'))
    assert "stage skin: begins again" in said and times(stage) != first, said

    # Fields and figures of skin that slides are those of the stage below.
    slid = 'fields = ["height", "slide"]\n[[figure]]\nname = "slide"\nmeasure = "field_max"\nwith = { field = "slide" }\n'
    run(text + slid)
    summaries = [json.loads((folder / "summary.json").read_text()) for folder in (stage, result)]
    assert [len(summary["figures"]) for summary in summaries] == [1, 0], summaries
    assert 'fields = ["height"]' in summaries[1]["shot"] and "slide" in summaries[0]["shot"], summaries

    # A region that is painted on the character's vertices: the skin below, a result, knows it by its name.
    painted = '[[skin.region]]\nname = "lower"\nuse = "name"\nmap = "forearm"\n'
    run(BODY + '[skin]\nmethod = "none"\n' + painted + WRINKLES.format('region = "lower"'))
    on_body = frames(result)[0]
    run(BODY + SKIN + painted + WRINKLES.format('region = "lower"'))
    assert len(below[0]) < len(on_body) == len(frames(result)[0]) < len(whole[0])

    # What is wrong names the place and what to do.
    said = run(BODY + "[wrinkle]\nseed = 2\n")
    assert "s.toml:10: wrinkle.seed: there are no wrinkles: it is ignored" in said, said
    said = run(BODY + SKIN + "[wrinkle]\nuse = true\n", expect=2)
    assert re.search(r"wrinkle.max_vertices: layer \d would have about \S+ vertices, more than 100000", said), said
    said = run(BODY + SKIN + '[wrinkle]\nuse = true\nregion = "brow"\n', expect=2)
    assert 's.toml:13: wrinkle.region: no [[skin.region]] has this name ("brow")' in said, said
    assert json.loads((result / "summary.json").read_text())["complete"]
print("wrinkles run on what lies below them")
