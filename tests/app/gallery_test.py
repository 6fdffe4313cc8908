"""The gallery has a picture of every example and every clip of every body that Cutis makes, and no others."""
import re, struct
import testkit

lines = testkit.cutis("list", "bodies").stdout.splitlines()[1:]
wanted = set()
for body, clips in zip(lines[0::2], lines[1::2]):
    names = re.fullmatch(r" +clips: (.+)", clips).group(1).split(", ")
    wanted |= {f"{body.split()[0]}-{clip}.png" for clip in names}
assert len(wanted) >= 22, wanted

examples = {f"example-{path.parent.name}.png" for path in (testkit.ROOT / "examples").glob("*/shot.toml")}

page = (testkit.ROOT / "docs/gallery.md").read_text()
shown = set(re.findall(r"\]\(pictures/([^)]+)\)", page))
remedy = "run scripts/gallery.sh"
everything = wanted | examples
assert shown == everything, f"{remedy}: missing {sorted(everything - shown)}, too many {sorted(shown - everything)}"
# Pictures that other pages show, drawn by the same script.
script = (testkit.ROOT / "scripts/gallery.sh").read_text()
drawn = [("langer-lines.md", "langer-lines"), ("ligaments.md", "slide-limits")]
drawn += [("wrinkle.md", name) for name in ("buckling", "wrinkle-layers", "highlights", "brow-and-belly")]
for page, name in drawn:
    assert f"](pictures/{name}.png)" in (testkit.ROOT / "docs" / page).read_text(), page
    assert f"docs/pictures/{name}.png" in script, name
    everything.add(f"{name}.png")
stored = {path.name for path in (testkit.ROOT / "docs/pictures").glob("*.png")}
assert everything <= stored, f"{remedy}: missing {sorted(everything - stored)}"
for name in sorted(wanted):
    data = (testkit.ROOT / "docs/pictures" / name).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (480, 270), name
    assert len(data) < 60_000, f"{name}: {len(data)} bytes"
print(f"{len(everything)} pictures")
