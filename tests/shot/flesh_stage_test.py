"""flesh.use: what lies on flesh finds all that is painted on the character; samples between frames and the tetrahedra are written where the
shot asks for them, and change no frame; phases stiffen it; plain skinning beside it is the animation."""
import base64, json, pathlib, tempfile
import numpy as np
from testkit import cutis

SHOT = """
[body]
file = "block.gltf"
[time]
fps = 24
[flesh]
use = true
tetrahedra = 300
young = "2 kPa"
{flesh}
[skin]
method = "{method}"
[[skin.region]]
name = "painted"
map = "vertex_color"
[output]
fields = ["body", "flesh", "lag"]
[[figure]]
name = "volume of plain skinning over that at rest"
measure = "volume_ratio"
with = {{ of = "body" }}
[[figure]]
name = "how far from plain skinning"
measure = "field_max"
with = {{ field = "lag" }}
{phases}
"""
FRAMES, SIDE = 5, 6


def block():
    """A cube of 20 cm that is moved up within a frame and then held, its upper half painted white."""
    at = np.linspace(-0.1, 0.1, SIDE)
    points, faces = [], []
    for axis in range(3):
        for side in (-1, 1):
            first = len(points)
            for u in at:
                for v in at:
                    points.append(np.roll([side * 0.1, u, v], axis))
            for i in range(SIDE - 1):
                for j in range(SIDE - 1):
                    a, b, c, d = (first + SIDE * (i + p) + j + q for p, q in ((0, 0), (1, 0), (1, 1), (0, 1)))
                    faces += [[a, b, c], [a, c, d]] if side > 0 else [[a, c, b], [a, d, c]]
    points = np.array(points, "<f4")
    colours = np.repeat((points[:, 1:2] > 0), 4, axis=1).astype("<f4")
    times = np.array([0, 1 / 24, FRAMES / 24], "<f4")
    moved = np.array([[0, 0, 0], [0, 0.05, 0], [0, 0.05, 0]], "<f4")
    parts = [points, colours, np.array(faces, "<u2").ravel(), times, moved]
    data, views, accessors = b"", [], []
    for part, (kind, shape) in zip(parts, [(5126, "VEC3"), (5126, "VEC4"), (5123, "SCALAR"), (5126, "SCALAR"), (5126, "VEC3")]):
        data += b"\0" * (-len(data) % 4)
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": part.nbytes})
        accessors.append({"bufferView": len(views) - 1, "componentType": kind, "count": len(part), "type": shape})
        if part is points or part is times:
            low, high = part.min(axis=0), part.max(axis=0)
            accessors[-1].update(min=np.atleast_1d(low).tolist(), max=np.atleast_1d(high).tolist())
        data += part.tobytes()
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "COLOR_0": 1}, "indices": 2}]}],
        "animations": [{"name": "up", "samplers": [{"input": 3, "output": 4}],
                        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": views, "accessors": accessors})


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "block.gltf").write_text(block())

    def run(method, flesh="", phases=""):
        (folder / "s.toml").write_text(SHOT.format(method=method, flesh=flesh, phases=phases))
        cutis("simulate", "s.toml", cwd=folder)
        return [dict(np.load(path)) for path in sorted((folder / "s-result/frames").iterdir())]

    plain = run("none")
    mesh = np.load(folder / "s-result/mesh.npz")
    assert len(plain) == FRAMES + 1 and mesh["attribute_color"].shape == (len(mesh["rest"]), 4), mesh.files

    # Beside flesh, and beside skin on flesh, plain skinning is the animation: this cube is moved as a whole.
    risen = [0.05 * min(i, 1) for i in range(FRAMES + 1)]
    furthest_flesh = 0
    for method in ("none", "lagrangian"):
        frames = plain if method == "none" else run(method)
        summary = json.loads((folder / "s-result/summary.json").read_text())
        for frame, up in zip(frames, risen):
            body, flesh = frame["body"].reshape(-1, 3), frame["flesh"].reshape(-1, 3)
            assert np.allclose(body, mesh["rest"] + [0, up, 0], atol=1e-7), (method, up)
            assert np.allclose(frame["lag"], np.linalg.norm(frame["positions"] - body, axis=1)), method
            furthest_flesh = max(furthest_flesh, np.abs(flesh - body).max())
        assert all((a["flesh"] == b["positions"].reshape(a["flesh"].shape)).all() for a, b in zip(frames, plain)), method
        figures = {figure["name"]: figure["value"] for figure in summary["figures"]}
        assert abs(figures["volume of plain skinning over that at rest"] - 1) < 1e-6, figures
        assert furthest_flesh > 1e-3, furthest_flesh
    stages = [np.load(folder / "s-result" / stage / "frames/000003.npz") for stage in ("stages/flesh", ".")]
    assert (stages[0]["animation"].ravel() == stages[1]["body"].ravel()).all()

    # Skin on flesh: its region is painted with the colours of the character.
    run("lagrangian")
    regions = [np.load(folder / "s-result" / stage / "mesh.npz")["region_painted"] for stage in ("stages/flesh", ".")]
    assert 0.2 < regions[0].mean() < 0.8 and (regions[0] == regions[1]).all(), regions

    # Tuning the skin uses the flesh again; tuning the flesh does not.
    flesh_frames = lambda: {path.name: path.stat().st_mtime_ns for path in (folder / "s-result/stages/flesh/frames").iterdir()}
    made, skin = flesh_frames(), (folder / "s-result/frames/000003.npz").read_bytes()
    run("lagrangian", phases="[skin.ligament]\nuse = false\n")
    assert flesh_frames() == made and (folder / "s-result/frames/000003.npz").read_bytes() != skin
    run("lagrangian", "density = 900")
    assert not made.items() & flesh_frames().items()

    # Samples and tetrahedra leave the frames as they are.
    more = run("none", 'samples = 2\nlattice_mesh = "vtk"')
    for one, other in zip(plain, more):
        assert (one["positions"] == other["positions"]).all() and (one["velocities"] == other["velocities"]).all()
    assert "sample1_time" not in more[0]
    for before, frame in zip(more, more[1:]):
        assert np.isclose(frame["sample1_time"], (before["time"] + frame["time"]) / 2)
        assert frame["sample1_positions"].shape == frame["sample1_velocities"].shape == frame["positions"].shape
    layers = folder / "s-result/layers"
    assert len(list(layers.glob("flesh_*.vtu"))) == len(more) and (layers / "flesh.pvd").exists()
    text = (layers / "flesh_000003.vtu").read_bytes().split(b"<AppendedData")[0].decode()
    assert all(f'Name="{field}"' in text for field in ("lag", "core", "flesh_stretch", "phase", "types")), text

    # A further phase holds what is stretched far.
    far = lambda frames: max(np.abs(frame["positions"] - frame["positions"].mean(axis=0)).max() for frame in frames)
    soft, held = run("none", "biphasic = false"), run("none", "biphasic = false",
                     '[[flesh.phase]]\nyoung = "20 kPa"\nstart = 0.02\nend = 0.05\n'
                     '[[flesh.phase]]\nyoung = "2 MPa"\nstart = 0.05\nend = 0.1\n')
    assert far(held) < far(soft), (far(held), far(soft))
print("flesh tells what it does, and keeps what is painted")
