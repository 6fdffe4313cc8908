"""`cutis picture --look lines` draws the directions of the skin, and says what is missing where there are none."""
import pathlib, tempfile
import testkit

SHOT = '[body]\nmake = "sphere"\nclip = "none"\n[picture]\nsize = [96, 96]\nanimation = false\nstills = 1\n'
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for kind, more in {"with": '[skin.direction]\naxis = [0, 1, 0]\n', "without": ""}.items():
        (folder / f"{kind}.toml").write_text(SHOT + more)
        testkit.cutis("simulate", folder / f"{kind}.toml", "--out", folder / kind)
    testkit.cutis("picture", folder / "with", "--look", "lines")
    testkit.cutis("picture", folder / "with", "--look", "plain", "--out", folder / "plain")
    lines, plain = (folder / "with/pictures/still.png").read_bytes(), (folder / "plain/still.png").read_bytes()
    assert lines != plain, "no lines are drawn"
    refused = testkit.cutis("picture", folder / "without", "--look", "lines", expect=2)
    assert "skin.direction" in refused.stderr, refused.stderr
