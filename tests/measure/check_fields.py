"""check_fields.py RESULT: computes the stored fields again from the frames, with NumPy and nothing of Cutis.

Prints for each field the largest difference over all frames. Exits with 1 when one is beyond rounding, or when
there is no field to check. Fields that positions alone do not give (slide, elastic, stress) are passed over and
named. docs/fields.md defines them."""
import json, pathlib, sys
import numpy as np

FLAT = COLLAPSED = 1e-12
NO_FIELDS = {"frame", "time", "residual", "barrier", "positions", "velocities", "joint_transforms", "joint_velocities"}
ROUND = 1e-9


class Triangles:
    """All triangles that have a shape at rest, from rest to now."""
    def __init__(self, mesh, now):
        rest, t = mesh["rest"], mesh["triangles"]
        sides = np.stack([rest[t[:, 1]] - rest[t[:, 0]], rest[t[:, 2]] - rest[t[:, 0]]], axis=2)
        twice = np.linalg.norm(np.cross(sides[:, :, 0], sides[:, :, 1]), axis=1)
        longest = np.maximum((sides**2).sum(axis=1).max(axis=1), ((sides[:, :, 1] - sides[:, :, 0]) ** 2).sum(axis=1))
        self.real = twice > FLAT * longest
        self.area = 0.5 * twice[self.real]
        self.corners, self.faces = mesh["welded"][t[self.real]], mesh["triangle_faces"][self.real]
        moved = np.stack([now[t[:, 1]] - now[t[:, 0]], now[t[:, 2]] - now[t[:, 0]]], axis=2)[self.real]
        # A 3x3 gradient that is blind along the normal has the stretches of the 3x2 one, and then a zero.
        gradient = moved @ np.linalg.pinv(sides[self.real])
        self.left, stretches, _ = np.linalg.svd(gradient)
        self.max, self.min = stretches[:, 0], stretches[:, 1]
        self.mesh = mesh

    def _sum(self, values, face):
        shape = values.shape[1:]
        if face:
            total = np.zeros((len(self.mesh["face_offsets"]) - 1, *shape))
            np.add.at(total, self.faces, values)
            return total
        total = np.zeros((len(self.mesh["rest"]), *shape))
        for k in range(3):
            np.add.at(total, self.corners[:, k], values)
        return total[self.mesh["welded"]]

    def mean(self, values, face, at_rest):
        total, weight = self._sum(self.area * values, face), self._sum(self.area, face)
        return np.where(weight > 0, total / np.where(weight > 0, weight, 1), at_rest)

    def direction(self, column, face):
        n = self.left[:, :, column]
        vote = np.where(self.max - self.min > ROUND * self.max, self.area * (self.max - self.min), 0)
        total = self._sum(vote[:, None, None] * n[:, :, None] * n[:, None, :], face)
        trace = np.trace(total, axis1=1, axis2=2)
        values, vectors = np.linalg.eigh(total / np.where(trace > 0, trace, 1)[:, None, None])
        direction = vectors[:, :, 2]
        largest = np.take_along_axis(direction, np.abs(direction).argmax(axis=1)[:, None], axis=1)
        clear = (trace > 0) & (values[:, 2] - values[:, 1] > ROUND)
        # A direction is as sure as the two stretches of its triangles differ, and as they agree on it.
        apart = self._sum(vote, face) / np.maximum(self._sum(np.where(vote > 0, self.area * self.max, 0), face), 1e-300)
        return np.where(clear[:, None], direction * np.sign(largest), 0), (values[:, 2] - values[:, 1]) * apart


SCALARS = {
    "stretch_max": (lambda t: t.max, 1),
    "stretch_min": (lambda t: t.min, 1),
    "tensile_strain": (lambda t: np.log(np.maximum(t.max, 1)), 0),
    "compressive_strain": (lambda t: -np.log(np.clip(t.min, COLLAPSED, 1)), 0),
    "green_strain": (lambda t: 0.5 * np.hypot(t.max**2 - 1, t.min**2 - 1), 0),
    "area_ratio": (lambda t: t.max * t.min, 1),
}


def expected(mesh, triangles, positions, name):
    """The field's values and by how much rounding may change them; None when positions do not give it."""
    if name == "displacement":
        return np.linalg.norm(positions - mesh["rest"], axis=1), 1
    face = name.startswith("face_")
    what = name.removeprefix("face_")
    if what in SCALARS:
        value, at_rest = SCALARS[what]
        return triangles.mean(value(triangles), face, at_rest), 1
    if what == "log_area":
        return np.log(np.maximum(triangles.mean(triangles.max * triangles.min, face, 1), COLLAPSED)), 1
    if what in ("stretch_max_direction", "stretch_min_direction"):
        direction, sure = triangles.direction(0 if "max" in what else 1, face)
        return direction, 1 / np.maximum(sure, 1e-12)[:, None]
    return None


def difference(stored, value):
    """Directions have no sign: where two components are equally large, rounding chooses it."""
    if stored.ndim == 2:
        return np.minimum(np.abs(stored - value), np.abs(stored + value))
    return np.abs(stored - value)


def check(folder):
    summary = json.loads((folder / "summary.json").read_text())
    mesh = dict(np.load(folder / "mesh.npz", allow_pickle=False))
    # In single precision positions are off by 6e-8 of their size, and triangles are small.
    tolerance = 1e-11 if summary["precision"] == "float64" else 1e-4
    worst, passed_over, problems = {}, set(), []
    for i in range(1, summary["frames_written"] + 1):
        frame = dict(np.load(folder / f"frames/{i:06}.npz", allow_pickle=False))
        if "positions" not in frame:
            return {}, set(), ["the frames hold no positions: export the result or store positions"]
        positions = frame["positions"].astype(np.float64)
        triangles = Triangles(mesh, positions)
        for name, stored in frame.items():
            if name in NO_FIELDS:
                continue
            known = expected(mesh, triangles, positions, name)
            if known is None:
                passed_over.add(name)
                continue
            value, slack = known
            if stored.shape != value.shape:
                problems.append(f"frame {i}: {name} has the shape {stored.shape}, not {value.shape}")
                continue
            off = (difference(stored.astype(np.float64), value) / slack).max(initial=0)
            worst[name] = max(worst.get(name, 0), off)
            if not off <= tolerance:
                problems.append(f"frame {i}: {name} is off by {off:.3g}")
    if not worst:
        problems.append("there is no field to check")
    return worst, passed_over, problems


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    worst, passed_over, problems = check(pathlib.Path(sys.argv[1]))
    for name, off in sorted(worst.items()):
        print(f"{name:32} {off:.3g}")
    for name in sorted(passed_over):
        print(f"{name:32} passed over: positions do not give it")
    for problem in problems[:20]:
        print("WRONG:", problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
