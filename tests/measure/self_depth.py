"""self_depth.py RESULT CELL [--frames A-B]: how deep vertices lie in other parts of their surface, in the world, with NumPy and nothing of Cutis.

A vertex lies in another part where the surface winds around the point just outside of it. Its depth is the distance to the nearest point of
the surface that is no nearer to it at rest than 2.5 cells (CELL [m]): what is nearer is the part that it belongs to, so that depths up to
about as much are told. Printed is by how much more than in the animation's own pose (the field `body`) that is, at the worst vertex of each
frame."""
import argparse, functools, pathlib
import numpy as np

SAME_PART = 2.5  # cells
OUTSIDE = 1e-3  # cells from the surface: as near as makes no difference to a depth


def vertex_normals(points, triangles):
    corners = points[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    out = np.zeros_like(points)
    for k in range(3):
        np.add.at(out, triangles[:, k], normal)
    length = np.linalg.norm(out, axis=1, keepdims=True)
    return out / np.where(length > 0, length, 1)


def candidates(points, low, high):
    """Pairs of a point and a box in the plane that holds it."""
    size = max((high - low).mean(), 1e-12)
    origin = low.min(axis=0)
    place = lambda x: np.floor((x - origin) / size).astype(np.int64)
    width = place(high.max(axis=0))[1] + 1
    first, counts = place(low), place(high) - place(low) + 1
    total = counts.prod(axis=1)
    box = np.repeat(np.arange(len(low)), total)
    rank = np.arange(len(box)) - np.repeat(np.cumsum(total) - total, total)
    cell = (first[box, 0] + rank // counts[box, 1]) * width + first[box, 1] + rank % counts[box, 1]
    order = np.argsort(cell, kind="stable")
    cell, box = cell[order], box[order]
    at = place(points)
    held = ((points >= origin) & (points <= high.max(axis=0))).all(axis=1)
    number = np.where(held, at[:, 0] * width + at[:, 1], -1)
    begin, end = np.searchsorted(cell, number, "left"), np.searchsorted(cell, number, "right")
    point = np.repeat(np.arange(len(points)), end - begin)
    rank = np.arange(len(point)) - np.repeat(np.cumsum(end - begin) - (end - begin), end - begin)
    box = box[begin[point] + rank]
    inside = ((points[point] >= low[box]) & (points[point] <= high[box])).all(axis=1)
    return point[inside], box[inside]


def winding(points, positions, triangles, axis):
    """How often the surface winds around each point, by what a ray along an axis passes on its way out, forwards and backwards."""
    across = [(axis + 1) % 3, (axis + 2) % 3]
    corners = positions[triangles]
    flat = corners[:, :, across]
    i, t = candidates(points[:, across], flat.min(axis=1), flat.max(axis=1))
    p, c = points[i][:, across], flat[t]
    cross = lambda u, v: u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    # Shares of the corners; an edge belongs to the side that its lower end is met from.
    shares = np.stack([cross(c[:, (k + 1) % 3] - p, c[:, (k + 2) % 3] - p) for k in range(3)], axis=1)
    area = shares.sum(axis=1)
    hit = ((shares > 0).all(axis=1) | (shares < 0).all(axis=1)) & (area != 0)
    i, t, shares, area = i[hit], t[hit], shares[hit], area[hit]
    along = (shares * corners[t][:, :, axis]).sum(axis=1) / area
    ahead = along > points[i][:, axis]
    out = np.zeros((2, len(points)), np.int64)
    np.add.at(out[0], i[ahead], np.where(area[ahead] > 0, 1, -1))
    np.add.at(out[1], i[~ahead], np.where(area[~ahead] > 0, -1, 1))
    return out


def solid_angles(point, corners):
    """Under which a point sees triangles, negative from outside (Van Oosterom and Strackee 1983)."""
    a, b, c = (corners[:, k] - point for k in range(3))
    la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
    dot = lambda u, v: np.einsum("ij,ij->i", u, v)
    return 2 * np.arctan2(dot(a, np.cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb)


def distance_to_triangles(point, corners):
    """From one point to the nearest point of each triangle (Ericson, Real-Time Collision Detection, 5.1.5, by its edges and its plane)."""
    best = np.full(len(corners), np.inf)
    for k in range(3):
        a, e = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
        s = np.clip(np.einsum("ij,ij->i", point - a, e) / np.maximum(np.einsum("ij,ij->i", e, e), 1e-300), 0, 1)
        best = np.minimum(best, np.linalg.norm(point - a - s[:, None] * e, axis=1))
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normal, axis=1)
    above = np.einsum("ij,ij->i", point - corners[:, 0], normal) / np.maximum(length, 1e-300)
    sides = [np.einsum("ij,ij->i", np.cross(corners[:, (k + 1) % 3] - corners[:, k], point - corners[:, k]), normal) for k in range(3)]
    inside = (np.array(sides) >= 0).all(axis=0) & (length > 0)
    return np.where(inside, np.minimum(best, np.abs(above)), best)


def turns(points, positions, triangles):
    """How often the surface winds around each point. Rays that graze an edge may be wrong, and the least of the six counts."""
    out = np.full(len(points), 2 ** 30)
    for axis in range(3):
        some = np.flatnonzero(out > 0)
        out[some] = np.minimum(out[some], winding(points[some], positions, triangles, axis).min(axis=0))
    return out


def depths(positions, rest, triangles, vertices, cell, same_part=SAME_PART):
    """How deep each of the vertices lies in another part, as its distance to what is no nearer than SAME_PART at rest; 0 where it lies in
    nothing that is no nearer than `same_part`."""
    outside = positions[vertices] + OUTSIDE * cell * vertex_normals(positions, triangles)[vertices]
    out = np.zeros(len(vertices))
    corners, columns = positions[triangles], triangles.T.copy()
    middle = corners.mean(axis=1)
    reach = np.linalg.norm(corners - middle[:, None], axis=2).max(axis=1)
    around = turns(outside, positions, triangles)
    for i in np.flatnonzero(around > 0):
        v = vertices[i]
        away = functools.reduce(np.minimum, (np.linalg.norm(rest - rest[v], axis=1) / cell)[columns])
        # Its own part is seen from outside, which is half a turn, so that all others have half a turn where it lies in none of them.
        own = solid_angles(outside[i], corners[away < same_part]).sum() / (4 * np.pi)
        if around[i] - own < 1:
            continue
        other = np.flatnonzero(away >= SAME_PART)
        off = np.linalg.norm(middle[other] - positions[v], axis=1)
        near = other[off - reach[other] <= (off + reach[other]).min()]
        out[i] = distance_to_triangles(positions[v], corners[near]).min()
    return out


def beyond(frame, rest, triangles, cell):
    """By how many cells each vertex lies deeper than in the animation; 0 where it lies in nothing. Where the animation folds the surface at a
    vertex there is no telling which part that is in: what it has there counts whatever it lies in."""
    vertices = np.unique(triangles)
    now = depths(frame["positions"], rest, triangles, vertices, cell)
    vertices, now = vertices[now > 0], now[now > 0]
    out = np.zeros(len(rest))
    out[vertices] = (now - depths(frame["body"], rest, triangles, vertices, cell, same_part=0)) / cell
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("cell", type=float)
    parser.add_argument("--frames", default="1-1000000")
    options = parser.parse_args()
    mesh = np.load(options.result / "mesh.npz")
    first, last = map(int, options.frames.split("-"))
    worst = 0
    for path in sorted((options.result / "frames").glob("*.npz")):
        if first <= int(path.stem) <= last:
            deeper = beyond(np.load(path), mesh["rest"], mesh["triangles"].astype(np.int64), options.cell)
            worst = max(worst, deeper.max())
            print(f"frame {int(path.stem)}: {deeper.max():.3f} cells deeper than in the animation, at vertex {deeper.argmax()}", flush=True)
    print(f"deepest beyond the animation: {worst:.3f} cells")


if __name__ == "__main__":
    main()
