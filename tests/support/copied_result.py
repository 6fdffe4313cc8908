"""A result as NumPy copies it: moved, mirrored, in other units, its vertices and faces in another order. As the body of a shot it is one and the
same character in another place, in double precision, with its rig: what depends on the place is no physics."""
import hashlib, re

import numpy as np

SIDES = {"Left": "Right", "left": "right", "L": "R"}
SIDES |= {right: left for left, right in SIDES.items()}


def _affine(matrices, linear, shift):
    """The motions x -> A x + b of joints, seen from the other place: y = L x + s."""
    turned = linear @ matrices[:, :, :3] @ np.linalg.inv(linear)
    moved = matrices[:, :, 3] @ linear.T + shift - (turned @ shift)
    return np.concatenate([turned, moved[:, :, None]], axis=2)


def other_side(names):
    """What a mirrored character calls its joints."""
    swap = lambda match: SIDES[match[0]]
    return re.sub(r"Left|Right|left|right|(?<![A-Za-z])[LR](?![a-z])", swap, names)


def copied(source, target, linear=np.eye(3), shift=np.zeros(3), order=None, faces=None, roll=0):
    """`order`: the vertex that becomes the i-th; `faces`: the face that does; `roll`: by how many its corners
    are counted on. The source must be a result of plain skinning."""
    (target / "frames").mkdir(parents=True)
    mesh = dict(np.load(source / "mesh.npz"))
    frames = [(path.name, dict(np.load(path))) for path in sorted((source / "frames").iterdir())]
    place = lambda points: points @ linear.T + shift
    order = np.arange(len(mesh["rest"])) if order is None else order
    faces = np.arange(len(mesh["face_offsets"]) - 1) if faces is None else faces

    mesh["rest"] = place(mesh["rest"])[order]
    if "joint_positions" in mesh:
        mesh["joint_positions"] = place(mesh["joint_positions"])
    mirrored = np.linalg.det(linear) < 0
    if mirrored and "joint_names" in mesh:
        mesh["joint_names"] = np.frombuffer(other_side(bytes(mesh["joint_names"]).decode()).encode(), "u1")
    _reorder(mesh, order, faces, reverse=mirrored, roll=roll)
    sums = {"mesh.npz": _save(target / "mesh.npz", mesh)}
    for name, frame in frames:
        frame["positions"] = place(frame["positions"])[order]
        for rates, matrices in ((0, "joint_transforms"), (1, "joint_velocities")):
            if matrices in frame:
                frame[matrices] = _affine(frame[matrices], linear, 0 * shift if rates else shift)
        if "joint_velocities" in frame:  # of b: the rate of A takes the shift along
            frame["joint_velocities"][:, :, 3] -= frame["joint_velocities"][:, :, :3] @ shift
        kept = {key: frame[key] for key in ("frame", "time", "residual", "barrier", "positions", "joint_transforms", "joint_velocities")
                if key in frame}
        sums[f"frames/{name}"] = _save(target / "frames" / name, kept)
    (target / "checksums.sha256").write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()))
    (target / "summary.json").write_text((source / "summary.json").read_text())


def _reorder(mesh, order, faces, reverse, roll):
    new = np.empty(len(order), int)
    new[order] = np.arange(len(order))
    offsets, corners = mesh["face_offsets"], mesh["face_corners"]
    ranges = [np.roll(np.arange(offsets[f], offsets[f + 1])[:: -1 if reverse else 1], roll) for f in faces]
    taken = np.concatenate(ranges)
    mesh["face_offsets"] = np.concatenate([[0], np.cumsum([len(r) for r in ranges])]).astype("<i4")
    mesh["face_corners"] = new[corners[taken]].astype("<i4")
    if "uvs" in mesh:
        mesh["uvs"] = mesh["uvs"][taken]
    welded = mesh["welded"][order]
    numbers = {}  # in the order in which vertices first appear
    mesh["welded"] = np.array([numbers.setdefault(w, len(numbers)) for w in welded], "<i4")
    turned = new[mesh["triangles"]]
    mesh["triangles"] = (turned[:, ::-1] if reverse else turned).astype("<i4")
    if "influence_offsets" in mesh:
        first = mesh["influence_offsets"]
        spans = [np.arange(first[v], first[v + 1]) for v in order]
        for what in ("influence_joints", "influence_weights"):
            mesh[what] = mesh[what][np.concatenate(spans)]
        mesh["influence_offsets"] = np.concatenate([[0], np.cumsum([len(s) for s in spans])]).astype("<i4")
    for name in ("material_faces", "part_faces"):
        if name in mesh:
            mesh[name] = mesh[name][faces]
    for name in [name for name in mesh if name.startswith("attribute_") or name.startswith("region_")]:
        mesh[name] = mesh[name][order]


def _save(path, arrays):
    np.savez(path, **arrays)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def random_orders(vertices, faces, seed):
    """Random orders of vertices and faces, the same for a seed."""
    random = np.random.default_rng(seed)
    return random.permutation(vertices), random.permutation(faces)


def turned_by(degrees, axis):
    """A rotation about an axis that is no axis of the world."""
    x, y, z = np.asarray(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
