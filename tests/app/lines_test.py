"""`cutis picture --look lines` draws the directions of the skin, and says what is missing where there are none."""
import pathlib, tempfile
import testkit

PICTURE = '[picture]\nsize = [96, 96]\nanimation = false\nstills = 1\n'
SHOT = '[body]\nmake = "sphere"\nclip = "none"\n' + PICTURE
# A fin on the edge between two faces: its vertices are split for the skin.
FIN = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.5 1\nf 1 2 3\nf 1 3 4\nf 1 3 5\n"


def still(result, look, out):
    testkit.cutis("picture", result, "--look", look, "--out", out)
    return (out / "still.png").read_bytes()


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

    # The result has all that the picture needs: the body's file may be gone.
    (folder / "fin.obj").write_text(FIN)
    (folder / "fin.toml").write_text('[body]\nfile = "fin.obj"\n[skin.direction]\naxis = [0, 1, 0]\n' + PICTURE)
    testkit.cutis("simulate", folder / "fin.toml", "--out", folder / "fin")
    (folder / "fin.obj").unlink()
    assert still(folder / "fin", "lines", folder / "a") != still(folder / "fin", "plain", folder / "b"), "no lines are drawn"
