"""Body models of the SMPL family for tests: small made-up files with every key, and a straightforward evaluation.
Shares nothing with the C++; follows the papers (SMPL, Eqs. 2-10; STAR, Eq. 5) and cares nothing for speed."""
import numpy as np

BODY = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]


def parents(joints):
    """The kinematic trees of the published models."""
    hands = lambda wrist, first: [p for f in range(5) for p in (wrist, first + 3 * f, first + 3 * f + 1)]
    if joints == 24:
        return BODY + [20, 21]
    if joints == 52:
        return BODY + hands(20, 22) + hands(21, 37)
    return BODY + [15, 15, 15] + hands(20, 25) + hands(21, 40)


def make_model(rng, joints=24, shapes=10, star=False, vertices=60):
    """Numbers at random, of the sizes and kinds that the published files have."""
    weights = rng.random((vertices, joints)) * (rng.random((vertices, joints)) < 0.15)
    weights[np.arange(vertices), rng.integers(0, joints, vertices)] += 0.1
    regressor = rng.random((joints, vertices)) * (rng.random((joints, vertices)) < 0.2)
    regressor[:, 0] += 0.1
    features = 4 * (joints - 1) + 1 if star else 9 * (joints - 1)
    tree = np.array([parents(joints), range(joints)])
    return {
        "v_template": rng.normal(size=(vertices, 3)),
        "f": rng.permuted(np.tile(np.arange(vertices), (40, 1)), axis=1)[:, :3].astype("u4"),
        "shapedirs": 0.05 * rng.normal(size=(vertices, 3, shapes)),
        "posedirs": 0.02 * rng.normal(size=(vertices, 3, features)),
        "J_regressor": regressor / regressor.sum(1, keepdims=True),
        "weights": weights / weights.sum(1, keepdims=True),
        "kintree_table": np.where(tree < 0, 2**32 - 1, tree).astype("u4"),
        "bs_style": np.array("lbs"), "bs_type": np.array("lrotmin"),
    }


def make_motion(rng, joints=52, frames=5, betas=16):
    return {"poses": rng.normal(size=(frames, 3 * joints)), "trans": rng.normal(size=(frames, 3)),
            "betas": rng.normal(size=betas), "gender": np.array("female"), "dmpls": rng.normal(size=(frames, 8)),
            "mocap_framerate": np.float64(120.0)}


def rotation(turn):
    """Rodrigues' formula."""
    angle = np.linalg.norm(turn)
    if angle == 0:
        return np.eye(3)
    x, y, z = turn / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def axis_angle(R):
    """The turn of a rotation by less than half a turn."""
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    angle = np.arctan2(np.linalg.norm(w), np.trace(R) - 1)
    return w / np.linalg.norm(w) * angle if np.linalg.norm(w) > 0 else w


def quaternion(turn):
    """x y z w of a turn by less than half a turn."""
    angle = np.linalg.norm(turn)
    return np.r_[np.sin(angle / 2) / angle * turn, np.cos(angle / 2)] if angle > 0 else np.array([0, 0, 0, 1.0])


def evaluate(model, betas, turns, trans):
    """Vertices for shape numbers, a turn for each joint of the model, and a place."""
    shapes = model["shapedirs"][:, :, :len(betas)]
    shaped = model["v_template"] + shapes @ betas[:shapes.shape[2]]
    J = model["J_regressor"] @ shaped
    n = len(J)
    R = [rotation(t) for t in turns]
    if model["posedirs"].shape[2] == 4 * (n - 1) + 1:
        small = [axis_angle(r) for r in R]
        feature = np.concatenate([quaternion(t) - [0, 0, 0, 1] for t in small[1:]] + [betas[1:2]])
    else:
        feature = np.concatenate([(r - np.eye(3)).ravel() for r in R[1:]])
    posed = shaped + model["posedirs"] @ feature
    tree = model["kintree_table"].astype(np.int64)
    G = []
    for j in range(n):
        A = np.eye(4)
        A[:3, :3] = R[j]
        A[:3, 3] = J[j] if j == 0 else J[j] - J[tree[0, j]]
        G.append(A if j == 0 else G[tree[0, j]] @ A)
    out = np.zeros_like(shaped)
    for j in range(n):
        out += model["weights"][:, [j]] * ((posed - J[j]) @ G[j][:3, :3].T + G[j][:3, 3])
    return out + trans


def in_between(a, b, t):
    """The turn from one orientation to another about one axis, a part t of the way."""
    Ra, Rb = rotation(a), rotation(b)
    return axis_angle(Ra @ rotation(t * axis_angle(Ra.T @ Rb)))
