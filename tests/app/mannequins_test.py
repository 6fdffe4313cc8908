"""The first steps of the mannequins' walk with the skin that a user gets: what a real human's must keep to, at 18 mm an edge. No
triangle is turned over, armpits included."""
import pathlib, tempfile
import skin_clip

# On triangles of this size the strain of a crease is that of a few of them, which differ more, and ways over them go around corners
# that the smooth surface has not.
FIGURES = skin_clip.figures(roughness=0.45, jump=0.15 / 24, geodesic=1.2)

with tempfile.TemporaryDirectory() as name:
    for mannequin in ("male", "female", "heavy"):
        body = f'make = "{mannequin}"\nclip = "walk"\nresolution = "18 mm"'
        result = skin_clip.simulate(pathlib.Path(name), mannequin, body, 0, 4 / 24, FIGURES)
        turned = skin_clip.inverted(result)
        assert not turned, f"{mannequin}: {turned}"
