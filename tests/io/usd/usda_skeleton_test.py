"""USD skeletons, written here in all the ways that are read, against a NumPy evaluation of what UsdSkel says."""
import pathlib, subprocess, sys, tempfile

import numpy as np

from numpy_gltf import evaluate_body, size
from testkit import BUILD

BOUND = 1e-12  # of the size: both sides work in double precision
FPS = 30.0
JOINTS = ["hip", "hip/chest", "hip/chest/arm", "hip/leg", "hip/chest/arm/hand"]
MOVED = ["hip/chest/arm", "hip", "hip/leg", "tail"]  # another order, one joint not there, two left at rest
OWN = ["hip/leg", "hip/chest/arm/hand"]
random = np.random.default_rng(7)


def rotation(q):
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def matrix(t, q, s):
    m = np.eye(4)
    m[:3, :3] = rotation(q) * np.asarray(s)
    m[:3, 3] = t
    return m


def random_matrix():
    return matrix(random.normal(size=3), random.normal(size=4), random.uniform(0.5, 2, 3))


def usd(value):
    """Numbers as USD writes them: matrices by rows that multiply from the left."""
    value = np.asarray(value)
    if value.ndim == 0:
        return repr(value.item())
    return "(" + ", ".join(map(usd, value)) + ")"


def array(values):
    return "[" + ", ".join(map(usd, values)) + "]"


def matrices(values):
    return array([np.transpose(m) for m in values])


def names(words):
    return "[" + ", ".join(f'"{w}"' for w in words) + "]"


class Mesh:
    def __init__(self, name, joints=None, each=3, rigid=False, bound=True):
        self.name, self.joints, self.rigid, self.bound = name, joints or JOINTS, rigid, bound
        self.own = joints is not None
        self.points = random.normal(size=(12, 3))
        rows = 1 if rigid else len(self.points)
        self.indices = random.integers(0, len(self.joints), (rows, each))
        self.weights = random.uniform(0.1, 1, (rows, each))
        self.bind = random_matrix()

    def text(self, extra=""):
        faces = random.permutation(12)
        text = f"""
        def Mesh "{self.name}"
        {{
            int[] faceVertexCounts = [3, 3, 3, 3]
            int[] faceVertexIndices = [{", ".join(map(str, faces))}]
            point3f[] points = {array(self.points)}
            double3 xformOp:translate = (1, 2, 3)
            uniform token[] xformOpOrder = ["xformOp:translate"]
            {extra}"""
        if self.bound:
            how = "constant" if self.rigid else "vertex"
            text += f"""
            matrix4d primvars:skel:geomBindTransform = {usd(self.bind.T)}
            int[] primvars:skel:jointIndices = {array(self.indices.ravel())} (
                elementSize = {self.indices.shape[1]}
                interpolation = "{how}"
            )
            float[] primvars:skel:jointWeights = {array(self.weights.ravel())} (
                elementSize = {self.indices.shape[1]}
                interpolation = "{how}"
            )"""
            if self.own:
                text += f"\n            uniform token[] skel:joints = {names(self.joints)}"
        return text + "\n        }\n"


class Rig:
    def __init__(self):
        self.root = [random.normal(size=3), random.normal(size=4)]
        self.bind = [random_matrix() for _ in JOINTS]
        self.rest = [random_matrix() for _ in JOINTS]
        n = len(MOVED)
        self.translations = {c: random.normal(size=(n, 3)) for c in (3.0, 12.0, 15.5)}
        self.rotations = {c: random.normal(size=(n, 4)) for c in (0.0, 6.0, 12.0, 24.0)}
        self.scales = random.uniform(0.5, 2, (n, 3))  # holds still
        self.meshes = [Mesh("Body"), Mesh("Gloves", OWN, 2), Mesh("Helmet", each=1, rigid=True), Mesh("Floor", bound=False)]

    def text(self, root_extra="", mesh_extra="", skeleton="/World/Rig/Bones"):
        def samples(keys):
            return "{" + ", ".join(f"{code}: {array(values)}" for code, values in keys.items()) + "}"

        return f"""#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Z"
    timeCodesPerSecond = {FPS}
)
def Xform "World"
{{
    def SkelRoot "Rig"
    {{
        rel skel:skeleton = <{skeleton}>
        rel skel:animationSource = </World/Rig/Walk>
        double3 xformOp:translate = {usd(self.root[0])}
        quatd xformOp:orient = {usd(self.root[1])}
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
        {root_extra}
        def Skeleton "Bones"
        {{
            uniform token[] joints = {names(JOINTS)}
            uniform matrix4d[] bindTransforms = {matrices(self.bind)}
            uniform matrix4d[] restTransforms = {matrices(self.rest)}
        }}
        def SkelAnimation "Walk"
        {{
            uniform token[] joints = {names(MOVED)}
            float3[] translations.timeSamples = {samples(self.translations)}
            quatf[] rotations.timeSamples = {samples(self.rotations)}
            half3[] scales = {array(self.scales)}
        }}
        {"".join(mesh.text(mesh_extra) for mesh in self.meshes)}
    }}
}}
"""

    def at(self, keys, code, m, slerp=False):
        codes = np.array(list(keys))
        code = np.clip(code, codes[0], codes[-1])
        k = min(np.searchsorted(codes, code, side="right") - 1, len(codes) - 2)
        share = (code - codes[k]) / (codes[k + 1] - codes[k])
        a, b = keys[codes[k]][m], keys[codes[k + 1]][m]
        if not slerp:
            return (1 - share) * a + share * b
        a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
        b = b if a @ b >= 0 else -b
        angle = np.arccos(min(a @ b, 1))
        return (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle)

    def positions(self, mesh, time):
        to_metres = 0.01 * np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
        root = matrix(*self.root, [1, 1, 1])
        points = np.c_[mesh.points, np.ones(len(mesh.points))]
        if not mesh.bound:
            return (points + [1, 2, 3, 0]) @ root.T[:, :3] @ to_metres.T
        joint = {}
        for name, rest in zip(JOINTS, self.rest):
            local = rest
            if name in MOVED:
                m = MOVED.index(name)
                local = matrix(self.at(self.translations, time * FPS, m), self.at(self.rotations, time * FPS, m, True),
                               self.scales[m])
            parent = name.rpartition("/")[0]
            joint[name] = joint[parent] @ local if parent else local
        skinning = np.stack([root @ joint[n] @ np.linalg.inv(self.bind[JOINTS.index(n)]) @ mesh.bind for n in mesh.joints])
        weights = mesh.weights / mesh.weights.sum(axis=1, keepdims=True)
        moved = np.einsum("vk,vkij->vij", weights, skinning[mesh.indices])
        moved = np.broadcast_to(moved, (len(points), 4, 4))
        return np.einsum("vij,vj->vi", moved, points)[:, :3] @ to_metres.T


def refusal(folder, text):
    file = pathlib.Path(folder) / "bad.usda"
    file.write_text(text)
    done = subprocess.run([BUILD / "tests/evaluate_body", file, "/dev/null", "0", "-1"], capture_output=True, text=True)
    assert done.returncode == 1 and "bad.usda:" in done.stderr, (done.returncode, done.stderr)
    return done.stderr


def main():
    rig = Rig()
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "rig.usda"
        file.write_text(rig.text())
        codes = [0, 3, 6, 12, 15.5, 24, 1.7, 9.1, 20, -5, 40]
        times = np.array(codes) / FPS
        worst = 0.0
        for m, mesh in enumerate(rig.meshes):
            ours = evaluate_body(file, m, 0, times, folder)[1:]
            theirs = np.stack([rig.positions(mesh, t) for t in times])
            error = np.abs(ours - theirs).max() / size(theirs[0])
            assert error < BOUND, f"{mesh.name}: off by {error:.2e} of the size"
            assert (np.abs(theirs[1] - theirs[2]).max() > 1e-3 * size(theirs[0])) == mesh.bound, mesh.name
            worst = max(worst, error)
        print(f"largest error {worst:.2e} of the size, at keys and between them")

        moved = ("double3 xformOp:translate.timeSamples = {0: (0, 0, 0), 1: (1, 0, 0)}")
        assert "moved as a whole" in refusal(folder, rig.text(root_extra=moved))
        assert "no Skeleton at /World/Elsewhere" in refusal(folder, rig.text(skeleton="/World/Elsewhere"))
        text = rig.text()
        assert "no SkelAnimation at" in refusal(folder, text.replace('def SkelAnimation "Walk"', 'def Xform "Walk"'))
        assert "16 each expected" in refusal(folder, text.replace('joints = ["hip", ', "joints = ["))
        assert "is there twice" in refusal(folder, text.replace('"hip/leg", "hip/chest/arm/hand"]\n            uniform matrix4d[] bind',
                                                                '"hip", "hip/chest/arm/hand"]\n            uniform matrix4d[] bind'))
        assert "finite numbers for each of 3 joints" in refusal(folder, text.replace(', "tail"]', "]"))
        assert "is no joint of its skeleton" in refusal(folder, text.replace('skel:joints = ["hip/leg"', 'skel:joints = ["knee"'))
        weights = text.index("primvars:skel:jointWeights = [") + len("primvars:skel:jointWeights = [")
        assert "as many of both" in refusal(folder, text[:weights] + "0.5, " + text[weights:])
        assert "where 5 are there" in refusal(folder, text.replace("primvars:skel:jointIndices = [", "primvars:skel:jointIndices = [7, ", 1)
                                              .replace("primvars:skel:jointWeights = [", "primvars:skel:jointWeights = [1, ", 1)
                                              .replace('"vertex"', '"constant"'))


if __name__ == "__main__":
    sys.exit(main())
