"""Every mesh of every real character and of a body that Cutis makes, in every clip, at the clips' key times, against headless Blender.
Between keys Blender interpolates in its own way, so only moments count at which every track has a key or rests."""
import json, pathlib, shutil, struct, subprocess, sys, tempfile

import numpy as np

from numpy_gltf import Gltf, characters, evaluate_body, names_missing_joints, size
from testkit import ROOT, cutis, data_folder, skip

BOUND = 1e-5  # of the size; Blender works in single precision


def shared_keys(gltf, clip, most=8):
    """Up to `most` times at which every track has a key, or has not begun, or has ended."""
    tracks = [gltf.accessor(s["input"])[:, 0] for s in gltf.clips[clip]["samplers"]]
    times = [t for t in gltf.key_times(clip) if all(t in keys or t <= keys[0] or t >= keys[-1] for keys in tracks)]
    # Spread by the golden ratio: even steps would meet a clip that returns to rest only while it rests.
    picked = {0, len(times) - 1, *(int(k * 0.618034 % 1 * len(times)) for k in range(1, most - 1))}
    return [times[k] for k in sorted(picked)]


def one_clip_a_channel(file, gltf, folder):
    """A copy of a .glb whose tracks have hardly a key in common, with each channel a clip of its own."""
    data = file.read_bytes()
    rest = data[20 + struct.unpack_from("<I", data, 12)[0]:]
    clips = [{"name": f"{a.get('name')} {k}", "channels": [c], "samplers": a["samplers"]}
             for a in gltf.clips for k, c in enumerate(a["channels"])]
    for clip in clips:
        clip["samplers"] = [clip["samplers"][clip["channels"][0]["sampler"]]]
        clip["channels"] = [{**clip["channels"][0], "sampler": 0}]
    text = json.dumps({**gltf.json, "animations": clips}).encode()
    text += b" " * (-len(text) % 4)
    copy = folder / ("channels_of_" + file.name)
    copy.write_bytes(b"glTF" + struct.pack("<III4s", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest)
    return copy


def files_to_play(data, folder):
    made = folder / "male.glb"
    cutis("make", "male", "--resolution", "20 mm", "--out", made)
    for file in (*characters(data), made):
        gltf = Gltf(file)
        if names_missing_joints(gltf):
            print(f"{file.name}: left out: vertices name joints that are missing from their skin, which Blender cannot import")
            continue
        yield file, gltf
        if any(len(shared_keys(gltf, c)) < 3 <= len(gltf.key_times(c)) for c in range(len(gltf.clips))):
            copy = one_clip_a_channel(file, gltf, folder)
            yield copy, Gltf(copy)


def run_blender(jobs, folder):
    listing = folder / "jobs.json"
    listing.write_text(json.dumps(jobs))
    done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "3", "--python",
                           str(ROOT / "tests/support/blender_play.py"), "--", str(listing)],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout


def main():
    data = data_folder()
    if not shutil.which("blender"):
        skip("Blender is not installed")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        files = list(files_to_play(data, folder))
        jobs = []
        for number, (file, gltf) in enumerate(files):
            clips = [[c, shared_keys(gltf, c)] for c in range(len(gltf.clips))] or [[None, [0.0]]]
            jobs.append({"file": str(file), "instances": gltf.instances, "clips": clips, "out": str(folder / str(number))})
        run_blender(jobs, folder)
        worst, moving = 0.0, 0
        for job, (file, gltf) in zip(jobs, files):
            for mesh, instance in enumerate(gltf.instances):
                used = gltf.used_vertices(instance)
                for clip, times in job["clips"]:
                    ours = evaluate_body(file, mesh, clip, times, folder)[1:, used]
                    theirs = np.load(f"{job['out']}_{instance}_{clip}.npy")
                    assert ours.shape == theirs.shape, (file, mesh, ours.shape, theirs.shape)
                    error = np.linalg.norm(ours - theirs, axis=2).max() / size(theirs[0])
                    # The bound must be able to fail: another moment of the same clip is far outside it.
                    travel = np.linalg.norm(ours - theirs[0], axis=2).max() / size(theirs[0])
                    print(f"{file.name}, mesh {mesh}, clip {clip}: {len(times)} times, off by {error:.1e} of the size, "
                          f"moves {travel:.1e}")
                    assert error < BOUND
                    worst = max(worst, error)
                    moving += travel > 100 * BOUND
        print(f"largest error {worst:.2e} of the size; {moving} mesh-clip pairs move")
        assert moving >= 20, "the characters should move: the comparison would mean little"


if __name__ == "__main__":
    sys.exit(main())
