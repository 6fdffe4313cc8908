"""Every mesh of every real character, in every clip, at keys and between them, against the NumPy evaluator."""
import sys, tempfile

import numpy as np

from numpy_gltf import Gltf, characters, evaluate_body, size
from testkit import data_folder

BOUND = 1e-10  # of the size: both sides work in double precision


def times_of(gltf, clip):
    """Some keys, some moments between keys, and one before and one after the clip."""
    keys = gltf.key_times(clip)
    picked = keys[np.unique(np.linspace(0, len(keys) - 1, 5).astype(int))]
    between = keys[0] + (keys[-1] - keys[0]) * np.array([0.0713, 0.2391, 0.5127, 0.7719, 0.9861])
    return np.concatenate([picked, between, [keys[0] - 1, keys[-1] + 1]])


def main():
    worst, still, moving = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for file in characters(data_folder()):
            gltf = Gltf(file)
            worst_here = 0.0
            for mesh, instance in enumerate(gltf.instances):
                for clip in list(range(len(gltf.clips))) or [None]:
                    times = [0.0] if clip is None else times_of(gltf, clip)
                    ours = evaluate_body(file, mesh, clip, times, folder)[1:]
                    theirs = np.stack([gltf.evaluate(instance, clip, t) for t in times])
                    assert ours.shape == theirs.shape, (file, mesh, ours.shape, theirs.shape)
                    error = np.linalg.norm(ours - theirs, axis=2).max() / size(theirs[0])
                    assert error < BOUND, f"{file.name}, mesh {mesh}, clip {clip}: off by {error:.2e} of the size"
                    worst_here = max(worst_here, error)
                    # The bound must be able to fail: another moment of the same clip is far outside it.
                    if clip is not None and np.linalg.norm(theirs - theirs[0], axis=2).max() > 1e-3 * size(theirs[0]):
                        moving += 1
                        assert np.linalg.norm(ours - theirs[0], axis=2).max() > BOUND * size(theirs[0])
                    else:
                        still += 1
            print(f"{file.name}: {len(gltf.instances)} meshes, {len(gltf.clips)} clips, error {worst_here:.1e} of the size")
            worst = max(worst, worst_here)
    print(f"largest error {worst:.2e} of the size; {moving} mesh-clip pairs move, {still} hold still")
    assert moving >= 20, "the characters should move: the comparison would mean little"


if __name__ == "__main__":
    sys.exit(main())
