"""flesh.contact on a human who squats, with no other option: in the world no vertex comes a quarter of a cell deeper into another part than the
animation has it, and without contact some do; with --long in the whole squat, and for at most a quarter more processor time."""
import pathlib, resource, sys, tempfile
import numpy as np
import testkit

sys.path.insert(0, str(testkit.ROOT / "tests/measure"))
import self_depth

SHOT = """
[body]
file = "{human}"
clip = "cmu_13_29_bend_squats"
[time]
start = "{start} s"
end = "{end} s"
preroll = "0.25 s"
[flesh]
use = true
contact = {contact}
[skin]
method = "none"
[output]
fields = ["body"]
"""
TETRAHEDRA, PER_CELL = 50_000, 12
human = testkit.data_folder() / "makehuman-young-male/makehuman_young_male_cmu.glb"
start, end = (0.8, 1.8) if testkit.LONG else (1.1, 1.4)


def cell_width(rest, triangles):
    """At least: the lattice reaches a little beyond the surface."""
    a, b, c = (rest[triangles[:, k]] for k in range(3))
    return (PER_CELL * abs(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6) / TETRAHEDRA) ** (1 / 3)


def squat(folder, contact):
    """How much deeper than in the animation a vertex lies, at the most [cells], and the processor time [s]."""
    name = f"contact-{contact}"
    (folder / f"{name}.toml").write_text(SHOT.format(human=human, start=start, end=end, contact=contact))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    testkit.cutis("simulate", f"{name}.toml", "--out", name, cwd=folder)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    mesh, worst = np.load(folder / name / "mesh.npz"), 0
    rest, triangles = mesh["rest"], mesh["triangles"].astype(np.int64)
    frames = sorted((folder / name / "frames").iterdir())
    assert len(frames) > 6, frames
    for path in frames:
        worst = max(worst, self_depth.beyond(np.load(path), rest, triangles, cell_width(rest, triangles)).max())
    return worst, seconds


with tempfile.TemporaryDirectory() as name:
    (without, seconds), (deepest, more) = (squat(pathlib.Path(name), contact) for contact in ("false", "true"))
print(f"deeper than in the animation by {deepest:.3f} cells, without contact {without:.3f}; {100 * (more / seconds - 1):.0f} % more processor time")
assert without > 0.25 and deepest < 0.25, (without, deepest)
assert not testkit.LONG or more < 1.25 * seconds, (more, seconds)
