"""Texture coordinates that move: the mesh stays on the body and the texture slides over it. Skin that does not slide keeps its
own coordinates; stored maps and stored positions give the same ones; what cannot be done is said."""
import pathlib, re, tempfile
import numpy
from testkit import cutis


def samples(usda, attribute):
    """The time samples of an attribute of a USD file."""
    text = usda.read_text()
    start = text.index(f"{attribute}.timeSamples")
    lines = text[start:text.index("    }", start)].splitlines()[1:]
    return [numpy.array(re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", line.split(":", 1)[1]), float) for line in lines]


def tube(uvs=True, n=24, m=16):
    """A tube along z, cut open along a line, as OBJ."""
    lines = [f"v {numpy.cos(a)} {numpy.sin(a)} {3 * j / m}" for j in range(m + 1) for a in 2 * numpy.pi * numpy.arange(n) / n]
    lines += [f"vt {i / n * 0.8 + 0.1} {j / m * 0.8 + 0.1}" for j in range(m + 1) for i in range(n + 1)] if uvs else []
    for j in range(m):
        for i in range(n):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            lines.append("f " + " ".join(f"{1 + a % n + n * b}" + (f"/{1 + a + (n + 1) * b}" if uvs else "") for a, b in corners))
    return "\n".join(lines) + "\n"


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)

    # Nothing slides: the source's own coordinates, on the source's own corners.
    (folder / "tube.obj").write_text(tube())
    cutis("simulate", folder / "tube.obj", "--out", folder / "still", cwd=folder)
    cutis("export", folder / "still", "--to", "usda", "--moving-uvs")
    mesh = numpy.load(folder / "still/mesh.npz")
    for st in samples(folder / "still/skin.usda", "primvars:st"):
        assert abs(st.reshape(-1, 2) - mesh["uvs"]).max() < 1e-6

    # An arm that bends: the body's own positions, and the same coordinates from maps as from positions.
    for storage in ("map", "positions"):
        (folder / f"{storage}.toml").write_text(
            f'[body]\nmake = "arm"\n[time]\nend = "0.5 s"\nfps = 4\n[skin]\nmethod = "lagrangian"\n'
            f'[output]\nstorage = "{storage}"\nfields = ["body", "slide"]\n')
        cutis("simulate", folder / f"{storage}.toml", "--out", folder / storage)
        cutis("export", folder / storage, "--to", "usda", "--moving-uvs")
    given = [numpy.load(path) for path in sorted((folder / "map/frames").glob("*.npz"))]
    points = samples(folder / "map/skin.usda", "points")
    assert len(points) == len(given)
    for point, frame in zip(points, given):
        assert abs(point.reshape(-1, 3) - frame["body"]).max() < 1e-6
    maps, positions = (samples(folder / storage / "skin.usda", "primvars:st") for storage in ("map", "positions"))
    uvs = numpy.load(folder / "map/mesh.npz")["uvs"].ravel()
    moved = max(abs(st - uvs).max() for st in maps)
    error = max(abs(a - b).max() for a, b in zip(maps, positions))
    print(f"coordinates move by {moved:.3f}; from positions as from maps to {error:.1e}")
    assert moved > 0.003 > 1e-4 > error

    # ST maps, a file a frame.
    cutis("export", folder / "map", "--to", "st", "--size", 64, "--reach", "1 cm")
    assert len(list((folder / "map/st").glob("st_*.exr"))) == len(given)

    # The gutters of a texture, painted from beyond the borders of its chart: around the tube, which its chart is cut along.
    import struct, zlib
    size = 100
    rows = b"".join(b"\0" + bytes(v for x in range(size) for v in (2 * x if 10 <= x < 90 else 255, 0, 7)) for y in range(size))
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    (folder / "skin.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)) +
                                      chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    done = cutis("extend-texture", folder / "skin.png", folder / "tube.obj", "--reach", "5 px", "-o", folder / "out/skin.png")
    assert "pixels beside the charts were filled" in done.stderr, done.stderr
    raw = (folder / "out/skin.png").read_bytes()
    assert raw[24] == 8, "8 bits stay 8 bits"
    said = cutis("extend-texture", folder / "skin.png", folder / "tube.obj", "--reach", "15 px", "-o", folder / "o.png", expect=2).stderr
    assert "too close together" in said and "--force" in said and "--repack" in said, said
    cutis("extend-texture", folder / "skin.png", folder / "tube.obj", "--for", folder / "still", "-o", folder / "o.png")
    for wrong in (["--reach", "5 kg"], [], ["--reach", "-3 px"]):
        said = cutis("extend-texture", folder / "skin.png", folder / "tube.obj", *wrong, "-o", folder / "o.png", expect=2).stderr
        assert "--reach" in said, said

    # Charts laid out anew where they lie too close together: two sheets side by side in the texture, each the other's neighbour in
    # space. The layout is the character's own faces; exports follow it, further textures too.
    sheets = "".join(f"v {x} {y} 0\n" for y in range(5) for x in range(9))
    faces, uvs = "", ""
    for y in range(4):
        for x in range(8):
            for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)):
                uvs += f"vt {0.05 + 0.9 * (x % 4 + dx) / 4} {0.01 + 0.48 * (y + dy) / 4 + (0.5 if x < 4 else 0)}\n"
            faces += "f " + " ".join(f"{v + 1}/{4 * (8 * y + x) + k + 1}" for k, v in enumerate((9 * y + x, 9 * y + x + 1, 9 * y + x + 10, 9 * y + x + 9))) + "\n"
    (folder / "sheets.obj").write_text(sheets + uvs + faces)
    cutis("simulate", folder / "sheets.obj", "--out", folder / "sheets", cwd=folder)
    extend = ["extend-texture", folder / "skin.png", folder / "sheets.obj", "--reach", "12 px"]
    said = cutis(*extend, "-o", folder / "o.png", expect=2).stderr
    assert "too close together" in said, said
    done = cutis(*extend, "--repack", folder / "layout/sheets.obj", "-o", folder / "out/packed.png")
    assert "laid out anew" in done.stderr and "layout/sheets.obj" in done.stdout, done
    cutis(*extend, "--uvs", folder / "layout/sheets.obj", "-o", folder / "out/again.png")
    assert (folder / "out/again.png").read_bytes() == (folder / "out/packed.png").read_bytes()
    def layout(path):
        lines = path.read_text().splitlines()
        vt = [[float(v) for v in line.split()[1:]] for line in lines if line.startswith("vt ")]
        return numpy.array([vt[int(corner.split("/")[1]) - 1] for line in lines if line.startswith("f ") for corner in line.split()[1:]])
    anew = layout(folder / "layout/sheets.obj")
    assert (anew >= 0).all() and (anew <= 1).all() and abs(anew - layout(folder / "sheets.obj")).max() > 0.05
    for moving in (["--moving-uvs"], []):
        cutis("export", folder / "sheets", "--to", "obj", *moving, "--uvs", folder / "layout/sheets.obj", "--out", folder / "objs")
        assert abs(layout(sorted((folder / "objs").glob("*.obj"))[0]) - anew).max() < 1e-9, moving
    said = cutis("export", folder / "still", "--to", "obj", "--uvs", folder / "layout/sheets.obj", expect=2).stderr
    assert "has 32 faces, the character has" in said, said
    said = cutis(*extend, "--repack", folder / "layout.png", "-o", folder / "o.png", expect=2).stderr
    assert ".obj" in said, said

    # What cannot be done.
    said = cutis("export", folder / "map", "--to", "pc2", "--moving-uvs", expect=2).stderr
    assert "no room for texture coordinates that move" in said, said
    said = cutis("export", folder / "map", "--to", "st", "--reach", "2 kg", expect=2).stderr
    assert "--reach" in said, said
    (folder / "bare.obj").write_text(tube(uvs=False))
    cutis("simulate", folder / "bare.obj", "--out", folder / "bare", cwd=folder)
    said = cutis("export", folder / "bare", "--to", "usda", "--moving-uvs", expect=2).stderr
    assert "has no texture coordinates" in said and "unwrap" in said, said
    (folder / "tube.obj").unlink()
    said = cutis("export", folder / "still", "--to", "st", expect=2).stderr
    assert "worked out on its body" in said and "tube.obj" in said and "missing" in said, said
