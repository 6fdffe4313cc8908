"""check_figures.py RESULT: measures the written frames again, with NumPy and nothing of Cutis.

Recomputes every figure of summary.json from mesh.npz and frames/*.npz, compares the values, judges the bounds
anew and prints a table. Exits with 1 when a value differs, a bound does not hold, or a frame is missing or
does not match its checksum. docs/figures.md defines the words."""
import hashlib, json, math, pathlib, sys
import numpy as np

TOLERANCE = 1e-9
COLLAPSED = 1e-12
FLAT = 1e-12


class Rest:
    def __init__(self, mesh):
        self.points = mesh["rest"].astype(np.float64)
        self.triangles = mesh["triangles"]
        self.welded = mesh["welded"]
        self.size = np.linalg.norm(np.ptp(self.points, axis=0)) if len(self.points) else 0.0
        self.areas = areas(self.points, self.triangles)


def corners(points, triangles):
    return points[triangles[:, 0]], points[triangles[:, 1]], points[triangles[:, 2]]


def areas(points, triangles):
    a, b, c = corners(points, triangles)
    return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)


def volume(points, triangles):
    a, b, c = corners(points - points.mean(axis=0), triangles)
    return np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6


def log_areas(rest, x):
    real = rest.areas > 0
    ratios = areas(x, rest.triangles)[real] / rest.areas[real]
    return np.log(np.maximum(ratios, COLLAPSED)), rest.areas[real]


def spread(rest, x):
    values, weights = log_areas(rest, x)
    if not len(values):
        return 0.0
    mean = np.average(values, weights=weights)
    return math.sqrt(np.average((values - mean) ** 2, weights=weights))


def percentile(share):
    def measure(rest, x, before):
        values, weights = log_areas(rest, x)
        if not len(values):
            return 0.0
        order = np.argsort(values, kind="stable")
        reached = np.cumsum(weights[order]) >= share * weights.sum() * (1 - 1e-12)
        return values[order][np.argmax(reached)]
    return measure


def roughness(rest, x):
    """Integral of |grad u|² by the gradients themselves: grad u = sum of u_i (n x e_i) / (2 A)."""
    a, b, c = corners(rest.points, rest.triangles)
    edges = np.stack([c - b, a - c, b - a], axis=1)
    normal = np.cross(b - a, c - a)
    twice = np.linalg.norm(normal, axis=1)
    real = twice > FLAT * (edges**2).sum(axis=2).max(axis=1, initial=0)
    basis = np.cross((normal / np.where(twice > 0, twice, 1)[:, None])[:, None, :], edges)
    basis = basis[real] / twice[real][:, None, None]
    u = (x - rest.points)[rest.triangles[real]]
    gradients = np.einsum("tik,til->tkl", u, basis)
    return ((gradients**2).sum(axis=(1, 2)) * 0.5 * twice[real]).sum()


def furthest(a, b):
    return np.linalg.norm(a - b, axis=1).max(initial=0)


def seam_gap(rest, x):
    _, first = np.unique(rest.welded, return_index=True)
    return furthest(x, x[first[rest.welded]])


def over(a, b):
    return a / b if b != 0 else 0.0


MEASURES = {
    "area_ratio": lambda rest, x, before: over(areas(x, rest.triangles).sum(), rest.areas.sum()),
    "displacement_roughness": lambda rest, x, before: roughness(rest, x),
    "frame_step": lambda rest, x, before: 0.0 if before is None else over(furthest(x, before), rest.size),
    "log_area_p05": percentile(0.05),
    "log_area_p50": percentile(0.50),
    "log_area_p95": percentile(0.95),
    "log_area_spread": lambda rest, x, before: spread(rest, x),
    "not_finite": lambda rest, x, before: float((~np.isfinite(x)).sum()),
    "seam_gap": lambda rest, x, before: over(seam_gap(rest, x), rest.size),
    "travel": lambda rest, x, before: over(furthest(x, rest.points), rest.size),
    "vertex_count": lambda rest, x, before: float(len(x)),
    "volume_ratio": lambda rest, x, before: over(volume(x, rest.triangles), volume(rest.points, rest.triangles)),
}


def check_triangles(mesh):
    """The triangles cover the polygons: the area vectors of those cut from a face sum up to the face's."""
    points, offsets, face_corners = mesh["rest"], mesh["face_offsets"], mesh["face_corners"]
    # Polygons may use any of the vertices welded together; the triangles use the first of them.
    _, first = np.unique(mesh["welded"], return_index=True)
    at = points[first[mesh["welded"]]][face_corners]
    following = np.arange(len(face_corners)) + 1
    following[offsets[1:] - 1] = offsets[:-1]
    face_of_corner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    origin = at[offsets[:-1]][face_of_corner]
    polygons = np.zeros((len(offsets) - 1, 3))
    np.add.at(polygons, face_of_corner, np.cross(at - origin, at[following] - origin))
    a, b, c = corners(points, mesh["triangles"])
    cut = np.zeros_like(polygons)
    np.add.at(cut, mesh["triangle_faces"], np.cross(b - a, c - a))
    scale = np.linalg.norm(polygons, axis=1).max(initial=0)
    return np.abs(polygons - cut).max(initial=0) <= TOLERANCE * scale


def selected(selection, values):
    if selection == "all":
        return max(values)
    if selection == "least":
        return min(values)
    if selection == "first":
        return values[0]
    if selection == "last":
        return values[-1]
    return values[int(selection) - 1]


def holds(value, bound):
    if not math.isfinite(value):
        return False
    low, high = (bound["at_least"], bound["at_most"]) if bound else (None, None)
    return (low is None or value >= low) and (high is None or value <= high)


def read_frames(folder, count):
    """Positions of all frames, and what is wrong with the files."""
    problems, frames = [], []
    sums = dict(reversed(line.split("  ", 1)) for line in (folder / "checksums.sha256").read_text().splitlines())
    for name in ["mesh.npz"] + [f"frames/{i:06}.npz" for i in range(1, count + 1)]:
        if not (folder / name).is_file():
            problems.append(f"{name}: is missing")
        elif hashlib.sha256((folder / name).read_bytes()).hexdigest() != sums.get(name):
            problems.append(f"{name}: does not match its checksum")
    if not problems:
        for i in range(1, count + 1):
            with np.load(folder / f"frames/{i:06}.npz", allow_pickle=False) as frame:
                if frame["frame"] != i:
                    problems.append(f"frames/{i:06}.npz: says it is frame {frame['frame']}")
                frames.append(frame["positions"].astype(np.float64))
    return frames, problems


def check(folder):
    """A row for each figure, and a list of what is wrong."""
    summary = json.loads((folder / "summary.json").read_text())
    frames, problems = read_frames(folder, summary["frames"])
    if not summary["complete"]:
        problems.append("summary.json: the run is not complete")
    if problems:
        return [], problems
    mesh = dict(np.load(folder / "mesh.npz", allow_pickle=False))
    if not check_triangles(mesh):
        problems.append("mesh.npz: triangles do not cover the faces")
    rest, rows, cache = Rest(mesh), [], {}
    for figure in summary["figures"]:
        name = figure["measure"]
        if name not in cache:
            cache[name] = [MEASURES[name](rest, x, frames[i - 1] if i else None) for i, x in enumerate(frames)]
        value, stated = float(selected(figure["frames"], cache[name])), figure["value"]
        right = holds(value, figure["bound"])
        # A figure that is a difference of equal things is zero up to rounding: hence the absolute part.
        if stated is None or not abs(value - stated) <= TOLERANCE * max(abs(value), 1e-3):
            problems.append(f"{figure['name']}: summary.json says {stated}, the frames say {value!r}")
        elif figure["holds"] != right:
            problems.append(f"{figure['name']}: summary.json says holds = {figure['holds']}, which is not so")
        if not right:
            problems.append(f"{figure['name']}: {value!r} is out of bounds {figure['bound']}")
        rows.append((figure["name"], value, figure["unit"], figure["bound"], right))
    return rows, problems


def bound_text(bound):
    if not bound:
        return ""
    parts = [("≥ ", bound["at_least"]), ("≤ ", bound["at_most"])]
    return ", ".join(f"{sign}{value:g}" for sign, value in parts if value is not None)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rows, problems = check(pathlib.Path(sys.argv[1]))
    width = max([len(row[0]) for row in rows], default=0)
    for name, value, unit, bound, right in rows:
        print(f"{name:{width}}  {value:12.6g} {unit:12} {bound_text(bound):24} {'holds' if right else 'DOES NOT HOLD'}")
    for problem in problems:
        print("WRONG:", problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
