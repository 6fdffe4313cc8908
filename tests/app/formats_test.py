"""What export writes can be a body again: a result goes out as USD and as numbered OBJ files, is run again from each, and
every frame has the same positions."""
import pathlib, tempfile
import numpy
from testkit import cutis


def frames(result):
    return [numpy.load(path) for path in sorted((result / "frames").glob("*.npz"))]


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    cutis("demo", "arm-bend", "--no-pictures", "--out", folder / "arm")
    given = frames(folder / "arm")
    size = numpy.linalg.norm(numpy.ptp(given[0]["positions"], axis=0))
    for kind in ("usda", "obj", "vtk", "mdd"):
        cutis("export", folder / "arm", "--to", kind)
    assert len(list((folder / "arm/vtk").glob("*.vtu"))) == len(given)

    fps = (len(given) - 1) / (given[-1]["time"] - given[0]["time"])
    bodies = {
        "usda": 'file = "arm/skin.usda"',
        "numbered": f'file = "arm/obj/skin_######.obj"\ncache_fps = {fps}',
        "cache": 'file = "arm/obj/skin_000001.obj"\ncache = "arm/skin.mdd"',
    }
    for kind, body in bodies.items():
        (folder / f"{kind}.toml").write_text(f"[body]\n{body}\n[time]\nfps = {fps}\n")
        cutis("simulate", folder / f"{kind}.toml", "--out", folder / kind)
        again = frames(folder / kind)
        assert len(again) == len(given), f"{kind}: {len(again)} frames of {len(given)}"
        error = max(abs(a["positions"] - b["positions"]).max() for a, b in zip(again, given)) / size
        moved = max(abs(frame["positions"] - given[0]["positions"]).max() for frame in given) / size
        print(f"{kind}: {len(again)} frames, off by {error:.1e} of the size in a motion of {moved:.2f}")
        assert error < 1e-6 < 0.1 < moved, f"{kind}: off by {error} in a motion of {moved}"

    # Frames are in metres; what goes back onto the character is in the character's own units.
    (folder / "small.toml").write_text('[body]\nfile = "arm/obj/skin_000001.obj"\nscale = "1 cm"\n')
    cutis("simulate", folder / "small.toml", "--out", folder / "small")
    assert abs(frames(folder / "small")[0]["positions"] - 0.01 * given[0]["positions"]).max() < 1e-15
    cutis("export", folder / "small", "--to", "obj")
    cutis("simulate", folder / "small/obj/skin_000001.obj", "--out", folder / "back")
    assert abs(frames(folder / "back")[0]["positions"] - given[0]["positions"]).max() < 1e-15 * size * 10

    said = cutis("export", folder / "arm", "--to", "exr", expect=2).stderr
    assert "no fields to draw" in said, said
    (folder / "gap.toml").write_text('[body]\nfile = "arm/obj/skin_#####.obj"\n')
    said = cutis("simulate", folder / "gap.toml", expect=2).stderr
    assert "gap.toml:2: body.file" in said and "no file of this kind" in said, said
    (folder / "hero.abc").write_bytes(b"Ogawa")
    (folder / "abc.toml").write_text('[body]\nfile = "hero.abc"\n')
    said = cutis("simulate", folder / "abc.toml", expect=2).stderr
    assert "Alembic is not read" in said, said
