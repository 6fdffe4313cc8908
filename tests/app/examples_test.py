"""Every example runs, its figures hold, and the separate checker finds the same figures in the written frames; layers that wrinkle keep
apart, and none is turned over."""
import pathlib, subprocess, sys, tempfile
import example_checks, layer_meshes, testkit

names = sorted(path.parent.name for path in (testkit.ROOT / "examples").glob("*/shot.toml"))
assert names, "no examples"
listed = testkit.cutis("list", "examples").stdout
with tempfile.TemporaryDirectory() as folder:
    for name in names:
        assert f"  {name} " in listed, f"{name} is not listed"
        out = pathlib.Path(folder) / name
        said = testkit.cutis("demo", name, "--out", out, "--no-pictures")
        print(said.stdout, end="")
        assert "  ok  " in said.stdout, f"{name} states no figures"
        assert "warning:" not in said.stderr, f"{name} is an example to follow, and warns: {said.stderr}"
        subprocess.run([sys.executable, testkit.ROOT / "tests/measure/check_figures.py", out], check=True)
        example_checks.CHECKS.get(name, lambda result: None)(out)
        if "[wrinkle]" in (testkit.ROOT / "examples" / name / "shot.toml").read_text():
            print(f"  {layer_meshes.check_all_apart(out)} meshes of layers keep apart")
        if name == "dancer":  # which ./demo shows, and the first page
            testkit.cutis("picture", out, "--no-animation")
            off = testkit.picture_difference(out / "pictures/still.png", testkit.ROOT / "docs/pictures/example-dancer.png")
            assert off < 1, f"the first page's picture differs by {off:.2f} of 255: run scripts/gallery.sh dancer"
        sums = subprocess.run(["sha256sum", "--check", "--quiet", "checksums.sha256"], cwd=out)
        assert sums.returncode == 0, f"{name}: a checksum does not hold"
