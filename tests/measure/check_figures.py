"""check_figures.py RESULT: measures the written frames again, with NumPy and nothing of Cutis.

Recomputes every figure of summary.json from mesh.npz and frames/*.npz, compares the values, judges the bounds
anew and prints a table. Slides are found again from the positions of skin and body, where frames hold them, and the
balance of forces from positions and the shot's law, where that is the default one. Exits with 1 when a value differs, a bound does not hold, or a frame is missing or does not match its checksum. docs/figures.md
defines the words."""
import hashlib, json, math, pathlib, sys
import numpy as np
from balance_again import check_balance
from slide_again import check_slides

TOLERANCE = 1e-9
COLLAPSED = 1e-12
FLAT = 1e-12


class Rest:
    def __init__(self, mesh):
        self.mesh = mesh
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


class Sample:
    """One shape of a frame, skin or body, and which part of it counts."""
    def __init__(self, rest, x, before, frame, inside, settings):
        self.rest, self.x, self.before, self.frame, self.settings = rest, x, before, frame, settings
        self.inside = np.ones(len(x), bool) if inside is None else inside
        self.weights = np.where(self.inside[rest.triangles].all(axis=1), rest.areas, 0)

    def log_areas(self):
        real = self.rest.areas > 0
        ratios = areas(self.x, self.rest.triangles)[real] / self.rest.areas[real]
        return np.log(np.maximum(ratios, COLLAPSED)), self.weights[real]


def spread(s):
    values, weights = s.log_areas()
    if not weights.sum() > 0:
        return 0.0
    mean = np.average(values, weights=weights)
    return math.sqrt(np.average((values - mean) ** 2, weights=weights))


def weighted_percentile(values, weights, share):
    if not weights.sum() > 0:
        return 0.0
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order]) >= share * weights.sum() * (1 - 1e-12)
    return values[order][np.argmax(reached)]


def gradients(rest, triangles, u):
    """Gradient of u (linear on each triangle) by grad u = sum of u_i (n x e_i) / (2 A), and the area."""
    a, b, c = corners(rest.points, triangles)
    edges = np.stack([c - b, a - c, b - a], axis=1)
    normal = np.cross(b - a, c - a)
    twice = np.linalg.norm(normal, axis=1)
    real = twice > FLAT * (edges**2).sum(axis=2).max(axis=1, initial=0)
    basis = np.cross((normal / np.where(twice > 0, twice, 1)[:, None])[:, None, :], edges)
    basis = basis[real] / twice[real][:, None, None]
    return np.einsum("tik,til->tkl", u[triangles[real]], basis), 0.5 * twice[real]


def roughness(rest, triangles, u):
    g, area = gradients(rest, triangles, u)
    return ((g**2).sum(axis=(1, 2)) * area).sum()


def strains(s, tensile):
    """By the singular values of a gradient that is blind along the normal: the two stretches, and a zero."""
    def sides(points):
        a, b, c = corners(points, s.rest.triangles)
        return np.stack([b - a, c - a], axis=2)
    rest = sides(s.rest.points)
    twice = np.linalg.norm(np.cross(rest[:, :, 0], rest[:, :, 1]), axis=1)
    longest = np.maximum((rest**2).sum(axis=1).max(axis=1), ((rest[:, :, 1] - rest[:, :, 0]) ** 2).sum(axis=1))
    real = twice > FLAT * longest
    stretches = np.linalg.svd(sides(s.x)[real] @ np.linalg.pinv(rest[real]), compute_uv=False)
    values = np.zeros(len(rest))
    values[real] = np.log(np.maximum(stretches[:, 0], 1)) if tensile else -np.log(np.clip(stretches[:, 1], COLLAPSED, 1))
    return values


def strain_percentile(s, tensile):
    return weighted_percentile(strains(s, tensile), s.weights, s.settings.get("share", 0.99))


def strain_roughness(s, tensile):
    strain, counted = strains(s, tensile), s.weights > 0
    total, weight = np.zeros(len(s.x)), np.zeros(len(s.x))
    for k in range(3):
        np.add.at(total, s.rest.triangles[counted, k], (s.weights * strain)[counted])
        np.add.at(weight, s.rest.triangles[counted, k], s.weights[counted])
    return roughness(s.rest, s.rest.triangles[counted], (total / np.where(weight > 0, weight, 1))[:, None])


def field_percentile(s):
    values = s.frame[s.settings["field"]].astype(np.float64)
    over = s.frame[s.settings["over"]].astype(np.float64) if "over" in s.settings else np.ones(len(values))
    counted = (over > 0) & np.isfinite(over)
    if len(values) == len(s.x):
        counted &= s.inside
    return weighted_percentile(values[counted] / over[counted], np.ones(counted.sum()), s.settings.get("share", 0.99))


def furthest(a, b, inside):
    return np.linalg.norm(a - b, axis=1)[inside].max(initial=0)


def seam_gap(s):
    _, first = np.unique(s.rest.welded, return_index=True)
    return np.linalg.norm(s.x - s.x[first[s.rest.welded]], axis=1).max(initial=0)


def over(a, b):
    return a / b if b != 0 else 0.0


def motion_share(s):
    axis = "xyz".index(s.settings.get("axis", "y"))
    across = lambda v: np.linalg.norm(np.delete(v, axis, axis=-1), axis=-1)
    body = s.frame["body"].astype(np.float64)
    top = body[np.argmax(body[:, axis])]
    plain = across(body - s.rest.points)
    near = s.inside & (across(body - top) <= s.settings.get("radius", s.rest.size)) & (plain > 1e-3 * s.rest.size)
    shares = across(s.x - s.rest.points)[near] / plain[near]
    return weighted_percentile(shares, np.ones(len(shares)), s.settings.get("share", 0.5))


def field_values(s):
    values = s.frame[s.settings["field"]].astype(np.float64)
    return values[s.inside] if len(values) == len(s.x) else values


def field_waves(s):
    """Integrals of (f - mean)^2, of |grad f|^2 and of 1 over the triangles that count, f^2 by the corners."""
    counted = s.weights > 0
    values, triangles = s.frame[s.settings["field"]].astype(np.float64), s.rest.triangles[counted]
    area, corner = s.weights[counted], values[triangles]
    mean = over((area * corner.mean(axis=1)).sum(), area.sum())
    return (area * ((corner - mean) ** 2).mean(axis=1)).sum(), roughness(s.rest, triangles, values[:, None]), area.sum()


def field_spread(s):
    square, _, area = field_waves(s)
    return np.sqrt(over(square, area))


def field_wavelength(s):
    square, gradient, area = field_waves(s)
    return 0.0 if not np.sqrt(over(square, area)) > 1e-12 else 2 * np.pi * np.sqrt(over(square, gradient))


def line_angle(a, b):
    return np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.abs((a * b).sum(axis=1))))


def direction_turn(s, lines, share, pair_counts=lambda left, right: True):
    """Each line in the axes of its edge: along it, and across it in the plane of its triangle."""
    x, triangles = s.rest.points, s.rest.triangles
    a, b, c = corners(x, triangles)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    start, end = triangles.T.reshape(-1), np.roll(triangles, -1, axis=1).T.reshape(-1)
    _, edge, count = np.unique(np.sort(np.stack([start, end]), axis=0), axis=1, return_inverse=True, return_counts=True)
    order = np.argsort(edge, kind="stable")
    left, right = order[count[edge[order]] == 2].reshape(-1, 2).T
    both_ways = (start[left] == end[right]) & (end[left] == start[right])
    counted = (s.weights[left % len(triangles)] > 0) & (s.weights[right % len(triangles)] > 0)
    counted &= both_ways & pair_counts(left % len(triangles), right % len(triangles))
    left, right = left[counted], right[counted]
    along = x[end[left]] - x[start[left]]
    lengths = np.linalg.norm(along, axis=1)
    along /= lengths[:, None]

    def flat(side):
        triangle = side % len(triangles)
        across = np.cross(normals[triangle], along)
        return np.stack([(lines[triangle] * along).sum(axis=1), (lines[triangle] * across).sum(axis=1), 0 * lengths], axis=1)
    return weighted_percentile(line_angle(flat(left), flat(right)), lengths, share)


def stroke_angle(s):
    """From the triangles with strokes to those beside them, where nothing holds the lines."""
    mesh = s.rest.mesh
    lines, has_stroke = mesh["directions"].copy(), np.zeros(len(mesh["triangles"]), bool)
    for triangle, direction in zip(mesh["stroke_triangles"], mesh["stroke_directions"]):
        lines[triangle], has_stroke[triangle] = direction, True
    return direction_turn(s, lines, 0.95, lambda left, right: has_stroke[left] != has_stroke[right])


def log_area_percentile(share):
    return lambda s: weighted_percentile(*s.log_areas(), share)


MEASURES = {
    "area_ratio": lambda s: over(areas(s.x, s.rest.triangles)[s.weights > 0].sum(), s.weights.sum()),
    "direction_turn_p99": lambda s: direction_turn(s, s.rest.mesh["directions"], 0.99),
    "displacement_roughness": lambda s: roughness(s.rest, s.rest.triangles, s.x - s.rest.points),
    "field_max": lambda s: max(field_values(s), default=0.0),
    "field_min": lambda s: min(field_values(s), default=0.0),
    "frame_step": lambda s: 0.0 if s.before is None else over(furthest(s.x, s.before, s.inside), s.rest.size),
    "log_area_p05": log_area_percentile(0.05),
    "log_area_p50": log_area_percentile(0.50),
    "log_area_p95": log_area_percentile(0.95),
    "log_area_spread": spread,
    "motion_share": motion_share,
    "not_finite": lambda s: float((~np.isfinite(s.x)).sum()),
    "barrier_share": lambda s: float(s.frame["barrier"]),
    "compressive_strain": lambda s: strain_percentile(s, False),
    "compressive_roughness": lambda s: strain_roughness(s, False),
    "field_percentile": field_percentile,
    "field_spread": field_spread,
    "field_wavelength": field_wavelength,
    "tensile_strain": lambda s: strain_percentile(s, True),
    "tensile_roughness": lambda s: strain_roughness(s, True),
    "residual": lambda s: float(s.frame["residual"]),
    "seam_gap": lambda s: over(seam_gap(s), s.rest.size),
    "stroke_angle": stroke_angle,
    "travel": lambda s: over(furthest(s.x, s.rest.points, s.inside), s.rest.size),
    "vertex_count": lambda s: float(len(s.x)),
    "volume_ratio": lambda s: over(volume(s.x, s.rest.triangles), volume(s.rest.points, s.rest.triangles)),
}


def inside_of(mesh, frame, settings):
    """Which vertices count; None: all."""
    inside = None
    if "where" in settings:
        inside = frame[settings["where"]].astype(np.float64) > settings.get("above", 0)
    if "region" in settings:
        region = mesh["region_" + settings["region"]].astype(bool)
        inside = region if inside is None else inside & region
    return inside


def measured(figure, rest, mesh, frame, before, shape_name):
    settings, measure = figure.get("with", {}), MEASURES[figure["measure"]]
    inside = inside_of(mesh, frame, settings)
    shape = lambda f, name: None if f is None or name not in f else f[name].astype(np.float64)
    value = lambda name: measure(Sample(rest, shape(frame, name), shape(before, name), frame, inside, settings))
    return value("body" if "of" in settings else shape_name)


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
    """The arrays of all frames, and what is wrong with the files."""
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
                frames.append(dict(frame))
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
    if frames and "body" in frames[0] and "positions" in frames[0]:
        problems += check_slides(mesh, frames)
    if "shot" in summary and frames:
        problems += check_balance(summary["shot"], mesh, frames)
    rest, rows, cache = Rest(mesh), [], {}
    for figure in summary["figures"]:
        def of(shape):
            key = json.dumps([figure["measure"], figure.get("with"), shape])
            if key not in cache:
                cache[key] = [measured(figure, rest, mesh, f, frames[i - 1] if i else None, shape)
                              for i, f in enumerate(frames)]
            return float(selected(figure["frames"], cache[key]))
        value, stated = of("positions"), figure["value"]
        if "against" in figure.get("with", {}):
            value = over(value, of("body"))
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
