"""What examples show beyond the figures that a shot can ask for, measured in their frames with NumPy alone.
Each takes the folder of a result."""
import sys
import numpy as np
import testkit

sys.path.insert(0, str(testkit.ROOT / "tests/measure"))
from self_depth import vertex_normals

frames = lambda result: [np.load(path) for path in sorted((result / "frames").glob("*.npz"))]
rest_of = lambda result: np.load(result / "mesh.npz")["rest"]


def turned(rest, now):
    """By how much each vertex has turned about the x axis [degrees]."""
    angle = lambda x: np.arctan2(x[:, 2], x[:, 1])
    return np.degrees(np.angle(np.exp(1j * (angle(now) - angle(rest)))))


def cylinder_twist(result):
    rest, last = rest_of(result), frames(result)[-1]
    applied = turned(rest, last["body"]).max()
    along = (rest[:, 0] - rest[:, 0].min()) / np.ptp(rest[:, 0])
    off = abs(turned(rest, last["positions"]) - applied * along).max()
    print(f"  the twist differs from a linear one by {off:.2f} of {applied:.0f} degrees")
    assert off < 0.02 * applied


def cylinder_twist_free(result):
    rest, last = rest_of(result), frames(result)[-1]
    applied, most = turned(rest, last["body"]).max(), abs(turned(rest, last["positions"])).max()
    print(f"  the skin turns by {most:.2f} of {applied:.0f} degrees")
    assert most < 0.02 * applied


def hand_flex(result):
    """The back of the hand, from the wrist to the knuckles; z grows from the little finger to the thumb."""
    rest = rest_of(result)
    back = (rest[:, 0] > 0.03) & (rest[:, 0] < 0.08) & (rest[:, 1] > 0.005)
    sideways = [(f["positions"] - f["body"])[back, 2].mean() for f in frames(result)]
    print(f"  the back of the hand slides by {-1000 * min(sideways):.1f} mm to the little finger, then {1000 * max(sideways):.1f} mm to the index")
    assert min(sideways) < -0.0005 and max(sideways) > 0.0005 and np.argmin(sideways) < np.argmax(sideways)


def log_stretches(rest, now, triangles):
    """Both of each triangle."""
    sides = lambda x: np.stack([x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]]], 2)
    squares = [np.einsum("nij,nik->njk", s, s) for s in (sides(rest), sides(now))]
    return 0.5 * np.log(np.linalg.eigvals(np.linalg.solve(*squares)).real)


def tight_shirt(result):
    """Below the neck and above the wrists, as the arm on the side of positive x is lifted the highest."""
    rest, triangles = rest_of(result), np.load(result / "mesh.npz")["triangles"]
    middle = rest[triangles].mean(1)
    shirt = (middle[:, 1] < 1.5) & (abs(middle[:, 0]) < 0.5)
    all_frames = frames(result)
    frame = all_frames[np.argmax([f["body"][:, 1].max() for f in all_frames])]
    median = lambda now, side: np.median(abs(log_stretches(rest, now, triangles[shirt & (side * middle[:, 0] > 0)])).max(1))
    cloth, plain = (median(frame[name], -1) / median(frame[name], 1) for name in ("positions", "body"))
    print(f"  the far half is stretched {cloth:.2f} times as much as the near one, by plain skinning {plain:.1e}")
    assert cloth > 1 / 3 and plain < 0.02


def after_stop(result, stop=2.2):
    """Times after the stop, and the way of each vertex from where it comes to rest [m]."""
    all_frames = frames(result)
    times = np.array([float(f["time"]) for f in all_frames])
    slid = np.stack([f["positions"] - f["body"] for f in all_frames])[times > stop]
    return times[times > stop], slid - slid[-1]


def swings(way):
    """Of the skin that swings the most often: its turning points [m]."""
    best = []
    for v in np.argsort(-np.linalg.norm(way, axis=2).max(0))[:400]:
        first = way[np.argmax(np.linalg.norm(way[:, v], axis=1)), v]
        x = way[:, v] @ (first / np.linalg.norm(first))
        turns = [i for i in range(1, len(x) - 1) if (x[i] - x[i - 1]) * (x[i + 1] - x[i]) < 0 and abs(x[i]) > 0.0005]
        if len(turns) > len(best):
            best = [x[i] for i in turns]
    return best


def ringing(times, way, calm=0.5):
    """The frequency of what all skin does together (the first principal component) once the stop has calmed down for so long [Hz]."""
    left, sizes, _ = np.linalg.svd(way.reshape(len(times), -1), full_matrices=False)
    x = left[:, 0] / abs(left[:, 0]).max()
    crossings = [times[i] + (times[i + 1] - times[i]) * x[i] / (x[i] - x[i + 1]) for i in range(len(x) - 1)
                 if x[i] * x[i + 1] < 0 and times[i] > times[0] + calm and abs(x[i:]).max() > 0.005]
    return 0.5 * (len(crossings) - 1) / (crossings[-1] - crossings[0])


def beast_stop(result):
    times, way = after_stop(result)
    turns, last = swings(way), np.linalg.norm(way[-4], axis=1).max()
    ways = [abs(b - a) for a, b in zip(turns, turns[1:])]
    print(f"  swings of {', '.join(f'{1000 * w:.1f}' for w in ways)} mm; all skin rings at {ringing(times, way):.2f} Hz; {1000 * last:.2f} mm in the last three frames")
    assert sum(way > 0.001 for way in ways) >= 2 and last < 0.001


def finger(result):
    """Creases that are modelled across the back of the joint at (43, 0, 0) mm, 4 mm apart, over their shoulders."""
    last = frames(result)[-1]
    along, back = last["body"][:, 0] - 0.043, (abs(last["body"][:, 2]) < 0.0025) & (last["body"][:, 1] > 0.004)
    near = lambda place, reach: back & (abs(abs(along - crease) - place) < reach)
    for crease in (-0.004, 0, 0.004):
        depth = {k: last[k][near(0.002, 0.0005), 1].mean() - last[k][near(0, 0.0005), 1].mean() for k in ("body", "positions")}
        print(f"  a crease of {1000 * depth['body']:.2f} mm gets {1000 * depth['positions']:.2f} mm deep")
        assert depth["body"] > 0.0001 and depth["positions"] > 1.5 * depth["body"]


def dewlap(result):
    """How far the skin of the dewlap is from its place on the body, along the body's normals."""
    rest, triangles = rest_of(result), np.load(result / "mesh.npz")["triangles"]
    loose = (rest[:, 2] > 0.35) & (rest[:, 1] < 0.72)
    off = np.stack([((f["positions"] - f["body"]) * vertex_normals(f["body"], triangles)).sum(1)[loose] for f in frames(result)])
    print(f"  the dewlap swings out by {1000 * off.max():.1f} mm and back by {-1000 * off.min():.1f} mm")
    assert off.max() > 0.02 and off.min() < -0.02


CHECKS = {"cylinder-twist": cylinder_twist, "cylinder-twist-free": cylinder_twist_free, "hand-flex": hand_flex, "tight-shirt": tight_shirt,
          "beast-stop": beast_stop, "finger": finger, "dewlap": dewlap}
