"""Body models of the SMPL family, written here with every key, in motion: each frame and moments between frames
against the NumPy evaluation; and converted from the usual pickles."""
import pathlib, pickle, subprocess, sys, tempfile, types

import numpy as np

from numpy_avatar import evaluate, in_between, make_model, make_motion
from testkit import BUILD, ROOT

BOUND = 1e-9  # of a body about 10 units across
rng = np.random.default_rng(11)


def positions(folder, shot, times, expect=0):
    (folder / "shot.toml").write_text("[body]\n" + shot)
    done = subprocess.run([BUILD / "tests/evaluate_shot", folder / "shot.toml", folder / "out", *map(repr, map(float, times))],
                          text=True, capture_output=True)
    assert done.returncode == expect, (done.returncode, done.stderr)
    return np.fromfile(folder / "out", "<f8").reshape(1 + len(times), -1, 3) if expect == 0 else done.stderr


def y_up(points):
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], 1)


def expected(model, motion, betas, joint_of, time, fps, up=y_up):
    """joint_of[j]: the motion's joint that moves the model's joint j, or None."""
    frames = len(motion["trans"])
    at = np.clip(time * fps, 0, frames - 1)
    a = min(int(at), frames - 2)
    t = at - a
    poses = motion["poses"].reshape(frames, -1, 3)
    turns = [np.zeros(3) if k is None else in_between(poses[a, k], poses[a + 1, k], t) for k in joint_of]
    return up(evaluate(model, betas, turns, (1 - t) * motion["trans"][a] + t * motion["trans"][a + 1]))


def times_of(frames, fps):
    return [*(np.arange(frames) / fps), *((np.arange(frames - 1) + rng.random(frames - 1)) / fps), -1, frames / fps + 1]


def check(folder, name, model, motion, joint_of, shapes, extra="", fps=120.0, up=y_up, betas=None):
    np.savez(folder / "model.npz", **model)
    np.savez(folder / "motion.npz", **motion)
    betas = motion["betas"][:shapes] if betas is None else betas
    times = times_of(len(motion["trans"]), fps)
    ours = positions(folder, f'file = "model.npz"\ncache = "motion.npz"\n{extra}', times)
    rest = evaluate(model, betas, np.zeros((len(joint_of), 3)), np.zeros(3))
    theirs = [rest] + [expected(model, motion, betas, joint_of, t, fps, up) for t in times]
    error = max(np.abs(a - b).max() for a, b in zip(ours, theirs))
    assert error < BOUND, f"{name}: off by {error:.2e}"
    assert np.abs(ours[1] - ours[2]).max() > 0.1, "the body should move: the comparison would mean little"
    print(f"{name}: {len(times)} moments, error {error:.1e}")


def models_against_numpy(folder):
    body = list(range(22))
    smpl, motion = make_model(rng), make_motion(rng)
    # The hands of 24-joint models follow the first joints of the index fingers, 22 and 37 of 52.
    check(folder, "SMPL", smpl, motion, body + [22, 37], 10)
    star = make_model(rng, star=True)
    check(folder, "STAR", star, motion, body + [22, 37], 10)
    check(folder, "SMPL-H", make_model(rng, 52, 16), motion, list(range(52)), 16)
    # SMPL-X keeps 10 shapes and 10 expressions; its fingers come after the jaw and the eyes.
    check(folder, "SMPL-X", make_model(rng, 55, 20), motion, body + [None] * 3 + list(range(22, 52)), 10)
    check(folder, "SMPL-X motion", make_model(rng, 55, 20), make_motion(rng, 55), list(range(55)), 10)
    check(folder, "body alone", smpl, make_motion(rng, 22), body + [None, None], 10)

    # The other spelling, other kinds of numbers, rows the other way around, betas a frame, bytes for text.
    other = {k: v for k, v in motion.items() if k != "mocap_framerate"}
    other |= {"mocap_frame_rate": np.int64(30), "gender": np.array(b"male"), "betas": np.tile(motion["betas"], (5, 1))}
    odd = {k: np.asfortranarray(v) if v.ndim > 1 else v for k, v in smpl.items()}
    odd |= {"f": smpl["f"].astype("i8"), "kintree_table": np.where(smpl["kintree_table"] == 2**32 - 1, -1, smpl["kintree_table"].astype("i8"))}
    check(folder, "other kinds", odd, other, body + [22, 37], 10, fps=30.0, betas=motion["betas"][:10])
    single = {k: v.astype("f4").astype("f8") if v.dtype == float else v for k, v in smpl.items()}
    np.savez(folder / "single.npz", **{k: v.astype("f4") if v.dtype == float else v for k, v in smpl.items()})
    check(folder, "single", single, motion, body + [22, 37], 10)
    one = positions(folder, 'file = "single.npz"\ncache = "motion.npz"', [0.01])
    assert np.abs(one - positions(folder, 'file = "model.npz"\ncache = "motion.npz"', [0.01])).max() == 0

    # What the shot says wins; y up; a rest that moves.
    check(folder, "shot", star, motion, body + [22, 37], 10, "betas = [2.5, -1]\ncache_fps = 60\ncache_up = \"y\"", 60.0,
          lambda p: p, np.array([2.5, -1] + [0] * 8))
    first = positions(folder, 'file = "model.npz"\ncache = "motion.npz"\nrest = "first"', [0])
    assert (first[0] == first[1]).all()
    still = positions(folder, 'file = "model.npz"\nscale = "1 cm"', [0, 3])
    assert np.abs(still - 0.01 * evaluate(star, np.zeros(10), np.zeros((24, 3)), np.zeros(3))).max() < BOUND

    for extra, word in [("clip = \"Run\"", "no clip"), ("rest = \"@9s\"", "runs from 0 s"), ("rest = \"Run@0s\"", "one motion")]:
        message = positions(folder, f'file = "model.npz"\ncache = "motion.npz"\n{extra}', [0], expect=1)
        assert word in message and message.count("\n") == 1, message
    message = positions(folder, 'file = "model.npz"\ncache = "model.npz"', [0], expect=1)
    assert "no array named poses" in message, message


def pickled(model):
    """The model as the old files have it: chumpy's numbers, SciPy's sparse matrix. Neither package is needed."""
    def stub(module, name):
        for k in range(1, module.count(".") + 2):
            sys.modules.setdefault(".".join(module.split(".")[:k]), types.ModuleType("stub"))
        made = type(name, (), {"__module__": module})
        setattr(sys.modules[module], name, made)
        return made
    Ch, Csc, Select = stub("chumpy.ch", "Ch"), stub("scipy.sparse.csc", "csc_matrix"), stub("chumpy.reordering", "Select")
    shapes, regressor, template = Ch(), Csc(), Select()
    shapes.__dict__ = {"x": model["shapedirs"], "_dirty_vars": set()}
    turned = Ch()
    turned.__dict__ = {"x": model["v_template"][::-1]}
    n = len(model["v_template"])
    template.__dict__ = {"a": turned, "idxs": np.arange(3 * n).reshape(n, 3)[::-1].ravel(), "preferred_shape": (n, 3)}
    dense = model["J_regressor"]
    columns = [np.flatnonzero(c) for c in dense.T]
    regressor.__dict__ = {"_shape": dense.shape, "indices": np.concatenate(columns).astype("i4"),
                          "indptr": np.r_[0, np.cumsum([len(c) for c in columns])].astype("i4"),
                          "data": np.concatenate([dense[c, j] for j, c in enumerate(columns)]), "maxprint": 50}
    data = pickle.dumps({**model, "shapedirs": shapes, "J_regressor": regressor, "v_template": template}, 2)
    for name in [m for m in sys.modules if m.split(".")[0] in ("chumpy", "scipy")]:
        del sys.modules[name]
    return data


def convert(source, target, expect=0):
    done = subprocess.run([sys.executable, ROOT / "scripts/convert_smpl.py", source, target], text=True, capture_output=True)
    assert done.returncode == expect, done.stderr
    return done.stderr


class Evil:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return pathlib.Path.touch, (self.path,)


def converted_pickles(folder):
    model = make_model(rng)
    (folder / "old.pkl").write_bytes(pickled(model))
    convert(folder / "old.pkl", folder / "new.npz")
    np.savez(folder / "model.npz", **model)
    ours, theirs = (positions(folder, f'file = "{f}"\nbetas = [1, 2]', []) for f in ("new.npz", "model.npz"))
    assert (ours == theirs).all()

    # Objects in an NPZ: refused with the remedy, and the remedy works.
    holder = np.empty((), object)
    holder[()] = model["shapedirs"]
    np.savez(folder / "objects.npz", **{**model, "shapedirs": holder, "joint2num": np.array({"a": 1}, object)})
    message = positions(folder, 'file = "objects.npz"', [], expect=1)
    assert "objects.npz" in message and "shapedirs" in message and "convert_smpl.py" in message, message
    convert(folder / "objects.npz", folder / "new.npz")
    assert (positions(folder, 'file = "new.npz"\nbetas = [1, 2]', []) == theirs).all()

    # Nothing is run that a file asks for.
    trap = folder / "sprung"
    (folder / "evil.pkl").write_bytes(pickle.dumps({**model, "weights": Evil(trap)}))
    message = convert(folder / "evil.pkl", folder / "bad.npz", expect=2)
    assert not trap.exists() and not (folder / "bad.npz").exists() and "evil.pkl" in message and "pathlib" in message, message
    for data in (b"", b"\x80\x02", pickle.dumps([1]), pickle.dumps({"f": 1}), (folder / "old.pkl").read_bytes()[:500]):
        (folder / "broken.pkl").write_bytes(data)
        message = convert(folder / "broken.pkl", folder / "bad.npz", expect=2)
        assert message.startswith(str(folder / "broken.pkl")) and message.count("\n") == 1, message


with tempfile.TemporaryDirectory() as name:
    models_against_numpy(pathlib.Path(name))
    converted_pickles(pathlib.Path(name))
