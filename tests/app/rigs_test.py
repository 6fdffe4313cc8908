"""Characters as other people would have made them: joints under other names or none, other units, no UVs, damaged weights, loose parts.
Names that a person can still read give the limits of the original; a rig without names agrees with it at 90 % of its vertices to within
a factor of two; each variant is understood by info, new and simulate with no option, and is said to be what it is."""
import json, pathlib, re, subprocess, tempfile

import numpy as np

import testkit
from gltf_variants import READABLE, UNREADABLE, Editable, renamed, scaled, shortened, with_loose_parts, with_stray_joints, without_uvs

data = testkit.data_folder()
# What each is made of, and the least share of its vertices whose limits stay within a factor of two without readable names.
CHARACTERS = {
    "khronos-unit/RiggedFigure.glb": ("2 arms, 2 legs, spine, neck, head, 2 toes", 0.99),
    "khronos-fox/Fox.glb": ("2 arms, 2 legs, spine, neck, head, 2 toes, tail", 0.99),
    "khronos-cesium-man/CesiumMan.glb": ("2 arms, 2 legs, spine, neck, head, 2 toes", 0.99),
    "godot-xr-hand/hand_l.gltf": ("hand, 5 fingers", 0.99),
    "webxr-hand/webxr_hand_left_animated.glb": ("hand, fingers", 0.99),
    "babylon-alien-head/babylon_alien_head.glb": ("neck, head, 2 eyes", 0.9),
    "makehuman-young-male/makehuman_young_male_cmu.glb": ("2 arms, 2 legs, spine, neck, head, 4 fingers, 2 toes", 0.99),
    "makehuman-young-male/makehuman_young_male_default_rig.glb":
        ("2 arms, 2 legs, spine, neck, head, 2 eyes, 10 fingers, 10 toes", 0.95),
}
# A head of six joints has too few names to tell which half of them is wrong.
TOO_FEW_NAMES = {"babylon-alien-head/babylon_alien_head.glb": {"half wrong"}}
# Those that are simulated; with --long all are.
SIMULATED = ["khronos-unit/RiggedFigure.glb", "khronos-fox/Fox.glb"]
SECONDS = 0.13
UNITS = {"khronos-fox/Fox.glb": 0.01}  # metres; 1 for the others

folder = pathlib.Path(tempfile.mkdtemp())


def limits(file):
    done = subprocess.run([testkit.BUILD / "tests/slide_limits", file, folder / "limits"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return np.fromfile(folder / "limits")


def agreement(a, b):
    """The share of vertices whose limits differ by a factor of two at most, or are stuck in both."""
    return np.mean((np.maximum(a, b) <= 2 * np.minimum(a, b)))


def said_by_all(file, may_fail=False):
    """info, new and simulate with no option: all that they say."""
    said = [testkit.cutis("info", file, expect=None if may_fail else 0)]
    if not may_fail:
        said.append(testkit.cutis("new", file, "--out", folder / "shot.toml", "--force"))
        said.append(testkit.cutis("simulate", file, "--out", folder / f"{file.stem}-result"))
        summary = json.loads((folder / f"{file.stem}-result/summary.json").read_text())
        assert summary["complete"], file
        last = np.load(max((folder / f"{file.stem}-result/frames").iterdir()))
        assert np.isfinite(last["positions"]).all(), file
    return "\n".join(done.stdout + done.stderr for done in said)


def check_names(name, gltf, original, parts, least):
    for what, rename in (READABLE | UNREADABLE).items():
        file = folder / "renamed.glb"
        renamed(gltf, rename).save(file)
        got = limits(file)
        said = testkit.cutis("info", file).stdout
        recognised = re.search(r".*recognised.*", said)[0].strip()
        share = agreement(got, original)
        print(f"  {what}: {100 * share:.1f} % within a factor of two; {recognised}")
        if what in READABLE:
            assert np.array_equal(got, original), (name, what)
            assert recognised.endswith(parts), (name, what, recognised)
        elif what not in TOO_FEW_NAMES.get(name, {}):
            assert share >= least, (name, what, share)


def check_simulated(name, gltf):
    """Limits that are equal give skin that is equal: one rig with readable names and one without will do for the larger characters."""
    names = READABLE | UNREADABLE
    for what in names if name in SIMULATED else ("prefixed", "unnamed"):
        renamed(gltf, names[what]).save(folder / "renamed.glb")
        assert "recognised" in said_by_all(folder / "renamed.glb"), (name, what)


def check_other_variants(name, gltf, original):
    file = folder / f"{pathlib.Path(name).stem}.glb"
    for unit, metres in {"cm": 0.01, "in": 0.0254}.items():
        factor = UNITS.get(name, 1) / metres
        scaled(gltf, factor).save(file)
        assert agreement(limits(file), factor * original) > 0.99, (name, unit)
        assert re.search(r"looks like \w+ \([0-9.]+ m\)", said_by_all(file)), (name, unit)

    without_uvs(gltf).save(file)
    assert np.array_equal(limits(file), original), name
    assert "no UVs" in said_by_all(file), name

    with_stray_joints(gltf).save(file)
    assert re.search("hangs? on joint", said_by_all(file, may_fail=True)), name

    with_loose_parts(gltf, 2).save(file)
    assert agreement(limits(file)[:len(original)], original) > 0.99, name
    assert "3 parts" in said_by_all(file), name


for name, (parts, least) in CHARACTERS.items():
    gltf = Editable(data / name)
    original = limits(data / name)
    print(name)
    check_names(name, gltf, original, parts, least)
    if testkit.LONG or name in SIMULATED:
        check_simulated(name, shortened(gltf, SECONDS))
        check_other_variants(name, shortened(gltf, SECONDS), original)

# A rig that is not understood says so, and slides by a share of its size.
simple = data / "khronos-unit/RiggedSimple.glb"
assert "the rig is not understood" in testkit.cutis("info", simple).stdout
assert np.ptp(limits(simple)) == 0
