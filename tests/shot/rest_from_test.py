"""skin.rest_from, from the shot file to the figure: the elastic stretches in the written frames are those from the rest
shapes that fit the body's poses best, worked out here by other means, and they are smaller than from the body's own rest."""
import pathlib, tempfile
import numpy as np
import testkit
from testkit import cutis

FEW = "rest shapes are fitted to 5 poses only"
folder = pathlib.Path(tempfile.mkdtemp(prefix="cutis-rest-from-"))
shot = (testkit.ROOT / "examples/finger-rest/shot.toml").read_text()
assert 'rest_from = ["shot"]\n' in shot and 'fps = "48 fps"' in shot
(folder / "fitted.toml").write_text(shot)
(folder / "straight.toml").write_text(shot.replace('rest_from = ["shot"]\n', "").split("[[figure]]")[0])


def run(name):
    said = cutis("simulate", f"{name}.toml", "--out", name, cwd=folder)
    mesh = np.load(folder / name / "mesh.npz")
    return said.stderr, mesh, [np.load(path) for path in sorted((folder / name / "frames").iterdir())]


def metric(points, triangles):
    """Products of the two sides of each triangle: EᵀE."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    sides = np.stack([b - a, c - a], axis=2)
    return np.swapaxes(sides, 1, 2) @ sides


def best_inverse(poses):
    """ViSkin, Eq. 9, by its normal equations: with S the inverse of the rest shape's metric, |FᵀF - I|² = tr(CSCS) - 2 tr(CS) + 2
    is quadratic in S, and its sum over the poses is least where the sum of C S C is that of C."""
    basis = np.array([[[1, 0], [0, 0]], [[0, 1], [1, 0]], [[0, 0], [0, 1]]], float)
    system = np.zeros((len(poses[0]), 3, 3))
    right = np.zeros((len(poses[0]), 3))
    for C in poses:
        scaled = C / scale[:, None, None]
        columns = [scaled @ B @ scaled for B in basis]
        system += np.stack([np.stack([M[:, 0, 0], M[:, 0, 1], M[:, 1, 1]], axis=1) for M in columns], axis=2)
        right += np.stack([scaled[:, 0, 0], scaled[:, 0, 1], scaled[:, 1, 1]], axis=1)
    s = np.linalg.solve(system, right[:, :, None])[:, :, 0]
    return np.einsum("ti,ijk->tjk", s, basis) / scale[:, None, None]


said, mesh, frames = run("fitted")
assert "poses only" not in said, said
triangles, faces = mesh["triangles"], mesh["triangle_faces"]
rest = metric(mesh["rest"], triangles)
scale = rest[:, 0, 0]
areas = np.sqrt(np.linalg.det(rest)) / 2
poses = [metric(frame["body"], triangles) for frame in frames[::10]]
assert len(poses) == 10
inverse = best_inverse(poses)
worst = 0
for frame in frames:
    squares = np.linalg.eigvals(inverse @ metric(frame["positions"], triangles))
    assert np.abs(squares.imag).max() < 1e-9
    stretches = np.sqrt(np.sort(squares.real, axis=1))
    for k, name in enumerate(("face_elastic_stretch_min", "face_elastic_stretch_max")):
        of_faces = np.bincount(faces, areas * stretches[:, k]) / np.bincount(faces, areas)
        worst = max(worst, np.abs(of_faces - frame[name]).max())
assert worst < 1e-10, f"stretches differ by {worst}"


def largest(frames):
    return max(frame["elastic_stretch_max"].max() for frame in frames)


def spread(frames):
    logs = np.log([[frame["face_elastic_stretch_min"], frame["face_elastic_stretch_max"]] for frame in frames])
    return np.sqrt(np.mean(logs**2))


straight = run("straight")[2]
assert largest(frames) - 1 < 0.5 * (largest(straight) - 1), (largest(frames), largest(straight))
# Over all frames, too: strain moves from the bent finger to the straight one, but there is less of it.
assert spread(frames) < 0.75 * spread(straight), (spread(frames), spread(straight))

(folder / "few.toml").write_text(shot.replace("48 fps", "24 fps").replace("3 mm", "6 mm").split("[[figure]]")[0])
said = run("few")[0]
assert FEW in said and "few.toml:13: skin.rest_from" in said and "time.fps" in said, said
print(f"stretches from the written positions to {worst:.1e}; largest {largest(frames):.3f} against {largest(straight):.3f}, "
      f"ln stretch {spread(frames):.3f} against {spread(straight):.3f} (root mean square)")
