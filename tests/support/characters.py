"""Characters and the five methods, with the lines that `cutis new` offers: run, and measured from the frames with NumPy. What the tests of
tests/characters and scripts/characters.py share."""
import dataclasses, json, pathlib, re, tempfile, time

import numpy as np

import testkit
from testkit import cutis

METHODS = ("lagrangian", "eulerian", "tracked", "force_density", "flesh")
SKIN = ("lagrangian", "eulerian", "tracked")


@dataclasses.dataclass(frozen=True)
class Character:
    file: str
    start: float = 0
    end: float = 1
    clip: str = ""  # where it is not the first one
    short: float = None  # [s] of the clip in ./test; None where it takes too long there


CHARACTERS = {
    "man": Character("khronos-cesium-man/CesiumMan.glb", 0.0417, 1.0417, short=1),
    "hand": Character("webxr-hand/webxr_hand_left_animated.glb", short=1),
    "fox": Character("khronos-fox/Fox.glb", clip="Run", short=1),
    "elephant": Character("songs-elephant/elephant.glb", 0, 1, short=1),
    "young man": Character("makehuman-young-male/makehuman_young_male_cmu.glb", 3.0, 3.5),
    "old woman": Character("makehuman-old-heavy-female/makehuman_old_heavy_female.glb", 1, 1.5),
    "yeti": Character("babylon-yeti/babylon_yeti.glb", 1, 1.5),
    "alien": Character("babylon-alien-head/babylon_alien_head.glb", 1, 1.5),
    "face": Character("ict-face-neutral/ict_face_neutral_14expr.glb", 6.25, 6.75),
    "other face": Character("ict-face-sample-identity/ict_face_sample_identity.glb", 6.25, 6.75),
}

STIFF = ("head", "hands", "feet")


def edited(text, **keys):
    """The starter shot with `key = value` in place of its line, or of the comment that offers it."""
    for key, value in keys.items():
        text, count = re.subn(rf"^#?{key} = .*$", f"{key} = {value}", text, count=1, flags=re.M)
        assert count == 1, (key, text)
    return text


def starter(folder, file):
    cutis("new", file, "--out", folder / "starter.toml", "--force")
    return (folder / "starter.toml").read_text()


def without_skin_figures(text):
    """Flesh alone has no skin that slides: of the fields and figures, those that are left."""
    fields = '["body", "lag", "flesh"]'
    text = edited(text, fields=fields)
    return re.sub(r"\[\[figure\]\]\n(?:(?!\n\n).)*slide(?:(?!\n\n).)*(\n\n|\Z)", "", text, flags=re.S)


def shot(folder, character, method, start, end):
    text = starter(folder, testkit.data_folder() / character.file)
    if character.clip:
        text = edited(text, clip=json.dumps(character.clip))
    text = edited(text, start=float(start), end=float(end), method=json.dumps("none" if method == "flesh" else method))
    text = re.sub(r"^formats = .*\n", "", text, flags=re.M)
    if method == "flesh":
        text = without_skin_figures(text) + "\n[flesh]\nuse = true\n"
    return text


class Result:
    """A finished result, as NumPy reads it."""

    def __init__(self, folder):
        self.folder = folder
        self.summary = json.loads((folder / "summary.json").read_text())
        self.mesh = np.load(folder / "mesh.npz")
        self.frames = [dict(np.load(path)) for path in sorted((folder / "frames").iterdir())]
        self.rest, self.triangles, self.welded = (self.mesh[name] for name in ("rest", "triangles", "welded"))

    def positions(self):
        return np.array([frame["positions"] for frame in self.frames])

    def body(self):
        return np.array([frame["body"].reshape(-1, 3) for frame in self.frames])

    def size(self):
        return np.linalg.norm(np.ptp(self.rest, axis=0))

    def joints(self):
        return bytes(self.mesh["joint_names"]).decode().splitlines() if "joint_names" in self.mesh else []

    def joint(self, name):
        return self.mesh["joint_positions"][self.joints().index(name)]

    def figure(self, words):
        return next((figure["value"] for figure in self.summary["figures"] if words in figure["name"]), None)


def normals(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def neighbours(mesh):
    """Pairs of triangles that share an edge."""
    corners = mesh.welded[mesh.triangles]
    edges = np.concatenate([np.sort(corners[:, [k, (k + 1) % 3]], axis=1) for k in range(3)])
    of = np.tile(np.arange(len(corners)), 3)
    order = np.lexsort(edges.T)
    same = (edges[order][1:] == edges[order][:-1]).all(axis=1)
    return np.stack([of[order][:-1][same], of[order][1:][same]], axis=1)


def is_turned(points, triangles, pairs):
    """Triangles that lie the other way round than those around them: against the mean of its neighbours' normals."""
    n = normals(points, triangles)
    length = np.linalg.norm(n, axis=1, keepdims=True)
    n = n / np.where(length > 0, length, 1)
    mean = np.zeros_like(n)
    np.add.at(mean, pairs[:, 0], n[pairs[:, 1]])
    np.add.at(mean, pairs[:, 1], n[pairs[:, 0]])
    return (n * mean).sum(axis=1) < 0


def grown(chosen, mesh, rings):
    """With the triangles at their corners."""
    corners = mesh.welded[mesh.triangles]
    for _ in range(rings):
        touched = np.zeros(mesh.welded.max() + 1, bool)
        touched[corners[chosen]] = True
        chosen = touched[corners].any(axis=1)
    return chosen


def nearest(point, corners):
    """The barycentrics, in each of these triangles, of the point of it that is nearest, and how far that is."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = point - a
    d00, d01, d11 = (ab * ab).sum(1), (ab * ac).sum(1), (ac * ac).sum(1)
    d20, d21 = (p * ab).sum(1), (p * ac).sum(1)
    area = np.maximum(d00 * d11 - d01 * d01, 1e-300)
    inner = np.stack([(d11 * d20 - d01 * d21) / area, (d00 * d21 - d01 * d20) / area], axis=1)
    best = np.where((inner >= 0).all(1) & (inner.sum(1) <= 1), 1.0, 0.0)[:, None] * inner
    far = np.where(best.any(1) | (inner == 0).all(1), np.linalg.norm(p - best[:, :1] * ab - best[:, 1:] * ac, axis=1), np.inf)
    for start, along in ((np.zeros(2), np.array([1, 0])), (np.zeros(2), np.array([0, 1])), (np.array([1, 0]), np.array([-1, 1]))):
        begin, side = start[0] * ab + start[1] * ac, along[0] * ab + along[1] * ac
        t = np.clip(((p - begin) * side).sum(1) / np.maximum((side * side).sum(1), 1e-300), 0, 1)[:, None]
        away = np.linalg.norm(p - begin - t * side, axis=1)
        best, far = np.where((away < far)[:, None], start + t * along, best), np.minimum(far, away)
    return np.concatenate([1 - best.sum(1, keepdims=True), best], axis=1), far


class Placement:
    """Where skin lies on the body at rest, found from positions alone: the nearest point of the body around it, not further over the body
    at rest than it has slid."""

    def __init__(self, result):
        self.result = result
        self.corners = result.rest[result.triangles]
        self.reach = np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=1), axis=2).max(1)
        self.centres = self.corners.mean(1)
        sums = np.zeros((result.welded.max() + 1, 3))
        for k in range(3):
            np.add.at(sums, result.welded[result.triangles[:, k]], normals(result.rest, result.triangles))
        self.normals = (sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-300))[result.welded[result.triangles]]

    def __call__(self, vertex, frame):
        """The place at rest and the normal there."""
        slid = frame["slide_chord"][vertex] if "slide_chord" in frame else 0.0
        near = np.linalg.norm(self.centres - self.result.rest[vertex], axis=1) <= slid + self.reach
        body = frame["body"].reshape(-1, 3)[self.result.triangles[near]]
        weights, far = nearest(frame["positions"][vertex], body)
        best = far.argmin()
        return weights[best] @ self.corners[near][best], weights[best] @ self.normals[near][best]

    def is_turned(self, triangle, frame):
        (a, of_a), (b, of_b), (c, of_c) = (self(vertex, frame) for vertex in self.result.triangles[triangle])
        return np.cross(b - a, c - a) @ (of_a + of_b + of_c) < 0


def turned_over(result):
    """The most inverted triangles of a frame where the body has none within two rings, in that frame or at rest: they lie
    against their neighbours, and skin also against the normals of the body at rest where it lies on it."""
    pairs = neighbours(result)
    of_rest = is_turned(result.rest, result.triangles, pairs)
    place = Placement(result)
    most = 0
    for frame in result.frames:
        of_body = of_rest | is_turned(frame["body"].reshape(-1, 3), result.triangles, pairs)
        found = np.flatnonzero(is_turned(frame["positions"], result.triangles, pairs) & ~grown(of_body, result, 2))
        if "slide_chord" in frame:
            found = [triangle for triangle in found if place.is_turned(triangle, frame)]
        most = max(most, len(found))
    return most


def tensile_p99(points, result):
    """The 99th percentile of tensile strain, weighted by area at rest: docs/figures.md."""
    def sides(at):
        a, b, c = (at[result.triangles[:, k]] for k in range(3))
        return b - a, c - a

    u, v = sides(result.rest)
    length = np.linalg.norm(u, axis=1)
    length = np.where(length > 0, length, np.inf)
    along = (u * v).sum(1) / length
    height = np.linalg.norm(v - (along / length)[:, None] * u, axis=1)
    flat = height < 1e-12 * np.maximum(length, np.linalg.norm(v, axis=1))
    height = np.where(flat, np.inf, height)
    u, v = sides(points)
    first = u / length[:, None]
    second = (v - along[:, None] * first) / height[:, None]
    uu, vv, uv = (first * first).sum(1), (second * second).sum(1), (first * second).sum(1)
    strain = np.log(np.maximum((uu + vv) / 2 + np.hypot((uu - vv) / 2, uv), 1)) / 2
    area = np.where(flat, 0, length * height / 2)
    order = np.argsort(strain, kind="stable")
    weight = np.cumsum(area[order])
    return strain[order][np.searchsorted(weight, 0.99 * weight[-1])]


def strain_by_frame(result):
    """Of the skin and of plain skinning."""
    return (np.array([tensile_p99(frame["positions"], result) for frame in result.frames]),
            np.array([tensile_p99(frame["body"].reshape(-1, 3), result) for frame in result.frames]))


def lag_by_part(result):
    """99th percentile over the vertices of a part and all frames [m], as the summary has it."""
    return {part: lag["p99_mm"] / 1000 for part, lag in result.summary["lag"].items()}


def measured(result):
    """The figures of one run, by name."""
    frames = len(result.frames)
    offset = result.positions() - result.body()
    out = {
        "frames": frames,
        "unconverged": len(result.summary["unconverged"]),
        "limit": result.figure("slide over its limit"),
        "strain": result.figure("tensile strain"),
        "turned": turned_over(result),
        "step": result.figure("furthest slide"),
        "seconds": result.summary["timings"]["frame"]["mean"],
    }
    skin, plain = strain_by_frame(result)
    out["strain at its peak"] = skin[plain.argmax()] / plain.max()
    out["strain in the worst frame"] = (skin / np.maximum(plain, 1e-9)).max()
    if out["step"] is None:
        out["step"] = float(np.linalg.norm(np.diff(offset, axis=0), axis=2).max()) if frames > 1 else 0.0
    if result.figure("slide over its limit") is None:
        out["lag"] = lag_by_part(result)
    return out


class Runs:
    """Runs what is asked for once, in one folder."""

    def __init__(self, folder=None, seconds=None):
        """`seconds`: of each clip at most."""
        self.folder = pathlib.Path(folder or tempfile.mkdtemp(prefix="cutis-characters-"))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seconds = seconds
        self.made = {}

    def __call__(self, name, method):
        if (name, method) not in self.made:
            self.made[name, method] = self._run(name, method)
        return self.made[name, method]

    def _run(self, name, method):
        character = CHARACTERS[name]
        end = character.end if self.seconds is None else min(character.end, character.start + self.seconds)
        place = self.folder / f"{name.replace(' ', '-')}-{method}"
        place.with_suffix(".toml").write_text(shot(self.folder, character, method, character.start, end))
        begun = time.time()
        done = cutis("simulate", place.with_suffix(".toml"), "--out", place, expect=None)
        assert done.returncode in (0, 1), f"{name}, {method}: exit {done.returncode}\n{done.stderr[-2000:]}"
        print(f"{name}, {method}: {time.time() - begun:.1f} s", flush=True)
        return measured(Result(place))
