"""body.shot: a shot on the skin of another runs both, with the bits of two runs by hand; the earlier one is re-used,
gone on with or run again, as what it is made from and what is there of it ask for."""
import json, os, pathlib, re, shutil, signal, subprocess, tempfile, time
import numpy as np
from testkit import CUTIS, cutis

INNER = """
[body]
make = "arm"
clip = "bend"
resolution = "20 mm"
[time]
fps = 8
[skin]
method = "lagrangian"
[output]
fields = ["green_strain"]
"""
OUTER = """
[body]
shot = "shots/inner.toml"
[skin]
method = "lagrangian"
slide_limit = { map = "green_strain", low = 0, high = "5 cm" }
[output]
fields = ["slide"]
"""


def bits(result):
    """The files that have the same bits whenever and wherever the run is made."""
    return {path.name: path.read_bytes() for path in [result / "mesh.npz", *sorted((result / "frames").iterdir())]}


def times(result):
    return {path.name: path.stat().st_mtime_ns for path in (result / "frames").iterdir()}


def killed_after(frames, watched, *arguments):
    """Kills the program once the folder has so many frames."""
    process = subprocess.Popen([CUTIS, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(list((folder / watched / "frames").glob("*.npz"))) < frames:
        assert process.poll() is None, "ended before it could be killed"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()


def outer(*arguments, **options):
    return cutis("simulate", "outer.toml", "--out", "outer", *arguments, cwd=folder, **options)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "shots").mkdir()
    inner_shot, stage = folder / "shots/inner.toml", folder / "outer/stages/inner"
    inner_shot.write_text(INNER)
    (folder / "outer.toml").write_text(OUTER)

    # Two runs by hand, in the folders that the pipeline would choose.
    cutis("simulate", "shots/inner.toml", "--out", "by-hand/inner", cwd=folder)
    (folder / "by-hand.toml").write_text(OUTER.replace('shot = "shots/inner.toml"', 'file = "by-hand/inner"'))
    cutis("simulate", "by-hand.toml", "--out", "by-hand/outer", cwd=folder)
    by_hand_inner, by_hand_outer = bits(folder / "by-hand/inner"), bits(folder / "by-hand/outer")
    assert by_hand_inner != by_hand_outer

    # A kill in the middle of the first stage, which begins a folder that holds nothing else yet; then in the second.
    killed_after(3, "outer/stages/inner", "simulate", "outer.toml", "--out", "outer")
    early = {name: at for name, at in times(stage).items() if name <= "000002.npz"}
    killed_after(3, "outer", "simulate", "outer.toml", "--out", "outer", "--resume")
    assert early.items() <= times(stage).items(), "the frames of the first session were made again"
    first = times(stage)
    said = outer("--resume").stderr
    assert "stage inner: nothing changed" in said and re.search(r"going on after frame [23] of", said), said
    assert times(stage) == first
    assert bits(stage) == by_hand_inner and bits(folder / "outer") == by_hand_outer

    # Again, from the beginning: the first stage is re-used. A comment in its shot changes nothing.
    inner_shot.write_text("# for the arm\n" + INNER)
    last = times(folder / "outer")
    outer()
    assert times(stage) == first and not last.items() & times(folder / "outer").items()
    assert bits(folder / "outer") == by_hand_outer

    # A damaged frame is made again.
    (stage / "frames/000002.npz").write_bytes(b"")
    said = outer().stderr
    assert "does not match its checksum" in said, said
    assert bits(stage) == by_hand_inner and bits(folder / "outer") == by_hand_outer

    # What it is made from changed: it runs again, and with it what lies on it; that cannot be gone on with.
    inner_shot.write_text(INNER.replace("fps = 8", "fps = 6"))
    said = outer("--resume", expect=2).stderr
    assert 'stage inner: begins again: the shot changed: line' in said and "fps" in said, said
    assert "the input stages/inner/checksums.sha256 changed" in said, said
    first = times(stage)
    assert not re.search("stage inner: frame", outer().stderr) and times(stage) == first
    assert json.loads((folder / "outer/summary.json").read_text())["fps"] == 6

    # Both are in one folder: it can be moved whole, and info tells of both.
    map_shot = OUTER + 'storage = "map"\n'
    (folder / "outer.toml").write_text(map_shot)
    outer()
    shutil.move(folder / "outer", folder / "moved")
    cutis("export", "moved", "--to", "pc2", cwd=folder)
    said = cutis("info", "moved", cwd=folder).stdout
    assert re.search(r"moved/stages/inner: result, (\d+) of \1 frames", said), said
    (folder / "moved/stages/inner/checksums.sha256").unlink()
    assert "stages/inner/checksums.sha256" in cutis("export", "moved", "--to", "mdd", cwd=folder, expect=2).stderr

    # Chains of three, two of the same name; the shot's own time is a part of what the earlier ones compute.
    (folder / "shots/outer.toml").write_text('[body]\nshot = "deep/outer.toml"\n')
    (folder / "shots/deep").mkdir()
    (folder / "shots/deep/outer.toml").write_text('[body]\nshot = "../inner.toml"\n')
    (folder / "chain.toml").write_text('[body]\nshot = "shots/outer.toml"\n[time]\nstart = 0.5\n[output]\nstorage = "map"\n')
    said = cutis("simulate", "chain.toml", cwd=folder).stderr
    assert said.index("stage inner: frame") < said.index("stage outer: frame") < said.index("stage outer-2: frame"), said
    result = folder / "chain-result"
    inner = [np.load(path) for path in sorted((result / "stages/inner/frames").iterdir())]
    last = [np.load(path) for path in sorted((result / "frames").iterdir())]
    assert last[0]["time"] == 0.5 and inner[0]["time"] == 0 and last[-1]["time"] == inner[-1]["time"]
    shutil.move(result, folder / "elsewhere")
    cutis("export", "elsewhere", "--to", "pc2", cwd=folder)

    # What goes wrong names the file: a cycle, a mistake in the first shot, keys that belong there.
    inner_shot.write_text('[body]\nshot = "../chain.toml"\n')
    said = cutis("simulate", "chain.toml", cwd=folder, expect=2).stderr
    assert re.search(r"inner\.toml:2: body\.shot: a cycle.*chain\.toml -> .*outer\.toml -> .*outer\.toml -> "
                     r".*inner\.toml -> .*chain\.toml\n", said), said
    assert not (folder / "chain-result").exists()
    inner_shot.write_text("[body]\nmake = \"arm\"\n[skin]\nthicknes = 1\n")
    assert "inner.toml:4: skin.thicknes: unknown key" in outer(expect=2).stderr
    inner_shot.write_text(INNER)
    (folder / "bad.toml").write_text('[body]\nshot = "shots/inner.toml"\nclip = "bend"\nmake = "arm"\n')
    said = cutis("simulate", "bad.toml", cwd=folder, expect=2).stderr
    assert "body.shot: cannot stand beside body.make" in said and "bad.toml:3: body.clip: belongs in the shot" in said, said
    # A folder with something else in it is refused before anything runs.
    (folder / "mine").mkdir()
    (folder / "mine/thesis.tex").write_text("years of work")
    assert "not a Cutis result" in cutis("simulate", "outer.toml", "--out", "mine", cwd=folder, expect=2).stderr
    assert os.listdir(folder / "mine") == ["thesis.tex"]
    # A figure of an earlier stage is told of.
    inner_shot.write_text(INNER + '[[figure]]\nname = "never"\nmeasure = "residual"\nat_most = 0\n')
    assert 'stage inner: the figure "never" does not hold' in outer().stderr
print("stages run one after the other")
