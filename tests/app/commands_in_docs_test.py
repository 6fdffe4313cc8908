"""The commands that README and docs show are run as they stand, in an empty folder, in the order they stand in;
the first page shows the picture that they make. Blocks marked ```sh are run; blocks of another kind are not. A ```toml block is checked as a shot file."""
import os, pathlib, re, subprocess, tempfile
import numpy as np
import testkit
from numpy_avatar import make_model, make_motion

# The reference of shot files is made from the spec, whose own test tries every example in it.
documents = [testkit.ROOT / "README.md", *sorted(set((testkit.ROOT / "docs").glob("*.md")) -
                                                 {testkit.ROOT / "docs/shot-reference.md"})]
ran = checked = 0
for document in documents:
    text = document.read_text()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if document.name != "README.md":  # whose commands make it
            testkit.cutis("make", "arm", "--out", folder / "hero.glb")
        rng = np.random.default_rng(1)
        np.savez(folder / "SMPL_NEUTRAL.npz", **make_model(rng))  # stands for the licensed one
        np.savez(folder / "walk_poses.npz", **make_motion(rng))
        environment = dict(os.environ, PATH=f"{testkit.CUTIS.parent}:{os.environ['PATH']}")
        for kind, block in re.findall(r"^```(sh|toml)\n(.*?)^```", text, re.M | re.S):
            if kind == "toml":
                (folder / "block.toml").write_text(block)
                testkit.cutis("simulate", "block.toml", "--out", folder / "block", cwd=folder)
                checked += 1
                continue
            for line in block.splitlines():
                if line.startswith("cutis "):
                    done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, text=True, capture_output=True)
                    assert done.returncode == 0, f"{document.name}: {line}\n{done.stdout}{done.stderr}"
                    ran += 1
        if document.name == "README.md":
            off = testkit.picture_difference(folder / "hero-result/pictures/still.png", testkit.ROOT / "docs/pictures/first-page.png")
            print(f"the first page's picture differs by {off:.2f} of 255 from what its commands made")
            assert off < 1, "run scripts/gallery.sh first-page"
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if "://" not in target:
            assert (document.parent / target).exists(), f"{document.name}: points to {target}, which is not there"
print(f"{ran} commands run, {checked} shot files checked")
assert ran >= 5 and checked >= 1
