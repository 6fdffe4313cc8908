"""Meshes that are no surface: an edge with three faces, a vertex where two fans meet, faces turned over. They are
mended for the skin with one line that names the places, and the result has the source's own vertices and faces."""
import pathlib, re, struct, tempfile
import numpy
import testkit
from testkit import cutis

N = 12  # vertices along each side of a sheet of a metre


def sheet():
    grid = numpy.linspace(0, 1, N)
    points = [(x, y, 0) for y in grid for x in grid]
    faces = [[i + j * N, i + 1 + j * N, i + 1 + (j + 1) * N, i + (j + 1) * N] for j in range(N - 1) for i in range(N - 1)]
    return points, faces


def broken_sheet():
    points, faces = sheet()
    root, tip = [5 + 5 * N, 6 + 5 * N], len(points)
    points += [(0.5, 0.45, 0.1), (0.2, 0.2, 0.1), (0.25, 0.2, 0.1)]
    faces += [[*root, tip], [2 + 2 * N, tip + 1, tip + 2]]  # a fin on an edge, a flag on a vertex
    faces[30] = faces[30][::-1]
    return numpy.array(points), faces


def write(folder, points, faces):
    (folder / "sheet.obj").write_text("".join("v %g %g %g\n" % tuple(p) for p in points) +
                                      "".join("f " + " ".join(str(v + 1) for v in f) + "\n" for f in faces))
    pulled = [points + t * numpy.outer(points[:, 0] ** 2, [0.3, 0, 0]) for t in (0, 0.5, 1)]
    (folder / "sheet.pc2").write_bytes(struct.pack("<12siiffi", b"POINTCACHE2", 1, len(points), 0, 1, 3) +
                                       numpy.array(pulled, "<f4").tobytes())
    return pulled


def shot(method, storage, extra=""):
    return (f'body.file = "sheet.obj"\nbody.cache = "sheet.pc2"\ntime.fps = 24\nskin.method = "{method}"\n{extra}'
            f'output.storage = "{storage}"\noutput.fields = ["slide"]\n')


def positions(folder, result):
    cutis("export", result, "--to", "pc2", cwd=folder)
    data = (folder / result / "skin.pc2").read_bytes()
    count, frames = struct.unpack("<i", data[16:20])[0], struct.unpack("<i", data[28:32])[0]
    return numpy.frombuffer(data[32:], "<f4").reshape(frames, count, 3)


def skin_of_broken_sheets(folder):
    points, faces = broken_sheet()
    pulled = write(folder, points, faces)
    for method, extra in [("lagrangian", 'skin.slide_limit = "20 cm"\n'), ("force_density", ""),
                          ("lagrangian", 'skin.slide_limit = "20 cm"\nskin.resolution = "12 cm"\n')]:
        for storage in ["positions", "map"]:
            (folder / "a.toml").write_text(shot(method, storage, extra))
            done = cutis("simulate", "a.toml", "--out", "result", cwd=folder)
            said = [line for line in done.stderr.splitlines() if "repaired for the skin" in line]
            assert len(said) == 1, done.stderr
            for place in ["turned.*face 30", "edge 65-66", "vertex 26"]:
                assert re.search(place, said[0]), (place, said)
            skin = positions(folder, "result")[-1]
            assert skin.shape == points.shape
            slid = numpy.linalg.norm(skin - pulled[-1], axis=1)
            assert slid[[65, 66, 26]].max() < 1e-6 and slid.max() > 0.005, (method, storage, slid.max())
            print(method, storage, slid.max())


def a_hand_with_nails(folder):
    hand = testkit.data_folder() / "godot-xr-hand/Hand_Nails_L.gltf"
    (folder / "hand.toml").write_text(f'body.file = "{hand}"\nskin.method = "lagrangian"\ntime.end = 0.1\n')
    done = cutis("simulate", "hand.toml", "--out", "hand", cwd=folder)
    assert "edges with more than two faces: 28" in done.stderr, done.stderr


with tempfile.TemporaryDirectory() as name:
    skin_of_broken_sheets(pathlib.Path(name))
    a_hand_with_nails(pathlib.Path(name))
