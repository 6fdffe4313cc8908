"""The check for intersections finds what passes through, and nothing else, in every format, quickly."""
import pathlib, subprocess, sys, tempfile, time
import numpy as np
from testkit import ROOT

sys.path.insert(0, str(ROOT / "tests/measure"))
import intersections as check


def grid(n, m, jitter=0.0, seed=1):
    """n by m cells of width 1/n in z = 0."""
    random = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(n + 1) / n, np.arange(m + 1) / n, indexing="ij")
    points = np.stack([x, y, np.zeros_like(x)], axis=2).reshape(-1, 3)
    points[:, :2] += jitter / n * random.uniform(-1, 1, (len(points), 2))
    corner = np.arange((n + 1) * (m + 1)).reshape(n + 1, m + 1)
    a, b, c, d = corner[:-1, :-1].ravel(), corner[1:, :-1].ravel(), corner[1:, 1:].ravel(), corner[:-1, 1:].ravel()
    return points, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def meanders(points, steepest, wavelength):
    """Rolled along x without stretch: the angle of the slope is `steepest` times a sine of the way along."""
    s = np.linspace(0, points[:, 0].max(), 20001)
    angle = steepest * np.sin(2 * np.pi * (s[1:] + s[:-1]) / 2 / wavelength)
    x, z = (np.concatenate([[0], np.cumsum(f(angle) * np.diff(s))]) for f in (np.cos, np.sin))
    return np.stack([np.interp(points[:, 0], s, x), points[:, 1], np.interp(points[:, 0], s, z)], axis=1)


def by_brute_force(points, triangles):
    """Each pair by itself, by solving for where edges meet planes."""
    found = set()
    corners = points[triangles]
    for i in range(len(triangles)):
        for j in range(i + 1, len(triangles)):
            if set(triangles[i]) & set(triangles[j]):
                continue
            for one, other in ((corners[i], corners[j]), (corners[j], corners[i])):
                for k in range(3):
                    p, way = one[k], one[(k + 1) % 3] - one[k]
                    system = np.stack([way, other[0] - other[1], other[0] - other[2]], axis=1)
                    if abs(np.linalg.det(system)) < 1e-14:
                        continue
                    t, u, v = np.linalg.solve(system, other[0] - p)
                    if 0 < t < 1 and u > 0 and v > 0 and u + v < 1:
                        found.add((i, j))
    return found


def pairs_set(pairs):
    return {tuple(pair) for pair in pairs.tolist()}


# Random triangles, most of which meet some other: the same pairs as one by one.
random = np.random.default_rng(3)
soup = random.uniform(-1, 1, (90, 1, 3)) + 0.4 * random.uniform(-1, 1, (90, 3, 3))
soup_triangles = np.arange(270).reshape(-1, 3)
through, touching = check.find_intersections(soup.reshape(-1, 3), soup_triangles)
assert pairs_set(through) == by_brute_force(soup.reshape(-1, 3), soup_triangles) and len(through) > 30 and len(touching) == 0, len(through)
# Of very different sizes.
sizes = np.exp(random.uniform(-4, 0, (90, 1, 1)))
soup = 0.3 * random.uniform(-1, 1, (90, 1, 3)) + sizes * random.uniform(-1, 1, (90, 3, 3))
through, _ = check.find_intersections(soup.reshape(-1, 3), soup_triangles)
assert pairs_set(through) == by_brute_force(soup.reshape(-1, 3), soup_triangles) and len(through) > 100, len(through)

# A sheet is clean flat and in folds, and is not when the folds have passed through each other.
points, triangles = grid(100, 12, 0.3)
for steepest, meets in ((0, False), (1.5, False), (2.1, False), (2.5, True)):
    through, touching = check.find_intersections(meanders(points, steepest, 0.25), triangles)
    assert (len(through) > 0) == meets and len(touching) == 0, (steepest, len(through), len(touching))

# Pairs that touch are not taken for more, pairs in one plane are seen.
base = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float)
for other, expected in (([[0.2, 0.2, 0], [0.2, 0.2, 1], [0.4, 0.2, 1]], (0, 1)),  # a corner on the triangle
                        ([[0.2, 0.2, -1e-9], [0.2, 0.2, 1], [0.4, 0.2, 1]], (1, 0)),  # just through it
                        ([[0.2, 0.2, 1e-9], [0.2, 0.2, 1], [0.4, 0.2, 1]], (0, 0)),  # just above
                        ([[0.5, -0.5, -1], [0.5, -0.5, 1], [0.5, 0.5, 0]], (1, 0)),  # across an edge
                        ([[0.1, 0.1, 0], [0.9, 0.9, 0], [0.1, 0.9, 0]], (1, 0)),  # in its plane
                        ([[1, 0, 0], [1, 1, 0], [0, 1, 0]], (0, 0)),  # beside it, sharing an edge's place
                        ([[2, 2, 0], [3, 2, 0], [2, 3, 0]], (0, 0))):  # apart in its plane
    through, touching = check.find_intersections(np.concatenate([base, other]), np.arange(6).reshape(2, 3))
    assert (len(through), len(touching)) == expected, (other, len(through), len(touching))
# Sheets that cross exactly along edges of both.
flat, _ = grid(100, 12)
upright = flat[:, [2, 1, 0]] + [0.505, 0, -0.505]
assert len(check.find_intersections_between(flat, triangles, upright, triangles)[0])

# Two layers: clean one above the other, and where one dips through.
upper = points + [0, 0, 0.01]
assert not len(check.find_intersections_between(points, triangles, upper, triangles)[0])
upper[600, 2] = -0.001
found = check.find_intersections_between(points, triangles, upper, triangles)[0]
assert len(found) and all(600 in triangles[j] for _, j in found)

# Triangles that are turned over, and a crease at rest that is not.
assert not len(check.find_inverted(points, meanders(points, 2.1, 0.25), triangles))
turned = points.copy()
turned[600, :2] += [0.025, 0]
inverted = check.find_inverted(points, turned, triangles)
assert len(inverted) and all(600 in triangles[i] for i in inverted), inverted
assert not len(check.find_inverted(turned, turned, triangles))

# Each format gives the same, with the exit code of a check.
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)

    def write_obj(path, points, triangles):
        path.write_text("".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())
                        + "".join(f"f {a}/1 {b}/2 {c}/3\n" for a, b, c in (triangles + 1).tolist()))

    def write_ply(path, points, triangles, order):
        name = {None: "ascii", "<": "binary_little_endian", ">": "binary_big_endian"}[order]
        header = (f"ply\nformat {name} 1.0\nelement vertex {len(points)}\nproperty double x\nproperty double y\nproperty double z\n"
                  f"property uchar red\nelement face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n").encode()
        if order is None:
            body = ("".join(f"{x!r} {y!r} {z!r} 7\n" for x, y, z in points.tolist())
                    + "".join(f"3 {a} {b} {c}\n" for a, b, c in triangles.tolist())).encode()
        else:
            vertex = np.zeros(len(points), [("p", order + "f8", 3), ("red", "u1")])
            vertex["p"] = points
            face = np.zeros(len(triangles), [("n", "u1"), ("v", order + "i4", 3)])
            face["n"], face["v"] = 3, triangles
            body = vertex.tobytes() + face.tobytes()
        path.write_bytes(header + body)

    def run(expect, word, *arguments):
        done = subprocess.run([sys.executable, ROOT / "tests/measure/intersections.py", *arguments], text=True, capture_output=True)
        assert done.returncode == expect and word in done.stdout, f"{done.returncode}, not {expect}:\n{done.stdout}{done.stderr}"

    crossed = meanders(points, 2.5, 0.25)
    count = len(check.find_intersections(crossed, triangles)[0])
    write_obj(folder / "a.obj", crossed, triangles)
    for name, order in (("text", None), ("little", "<"), ("big", ">")):
        write_ply(folder / f"{name}.ply", crossed, triangles, order)
    np.savez(folder / "a.npz", positions=crossed, triangles=triangles)
    for name in ("a.obj", "text.ply", "little.ply", "big.ply", "a.npz"):
        run(1, f"{count} intersections", folder / name)
    np.savez(folder / "rest.npz", rest=points, triangles=triangles)
    np.savez(folder / "turned.npz", positions=turned, triangles=triangles)
    run(0, "0 intersections, 0 that touch\n0 inverted", folder / "rest.npz", "--rest", folder / "rest.npz")
    run(1, f"{len(inverted)} inverted", folder / "turned.npz", "--rest", folder / "rest.npz")
    np.savez(folder / "upper.npz", positions=upper, triangles=triangles)
    run(1, f"{len(found)} intersections", folder / "rest.npz", folder / "upper.npz")

# 50,000 triangles in folds.
points, triangles = grid(360, 70, 0.3)
points = meanders(points, 2.1, 0.1)
start = time.perf_counter()
through, _ = check.find_intersections(points, triangles)
took = time.perf_counter() - start
print(f"{len(triangles)} triangles in {took:.1f} s")
assert len(through) == 0 and len(triangles) > 50000 and took < 30
