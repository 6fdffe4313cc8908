"""Hostile and damaged input through the command line: exit code 2, one clear line that names the file, no crash, and no
memory beyond what the bytes in the file can mean."""
import io, json, os, pathlib, random, re, resource, shutil, struct, tempfile, time, zipfile, zlib
import numpy
from testkit import cutis

MEMORY = 1 << 30  # bytes of address space a run may take; a run on a small file takes a third of it
NAN = float("nan")


def limited():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def refused(folder, words, *expected):
    """Runs the command and checks that it refuses, with one line that matches every pattern."""
    done = cutis(*words, expect=None, cwd=folder, preexec_fn=limited, timeout=60)
    said = [line for line in done.stderr.splitlines() if not re.match("warning:|info:|frame ", line)]
    what = f"cutis {' '.join(map(str, words))}: exit {done.returncode}, said {done.stderr[:2000]!r}"
    assert done.returncode == 2, what
    assert len(said) == 1 and len(said[0]) < 700, what
    assert all(c.isprintable() for c in said[0]), what
    for pattern in expected:
        assert re.search(pattern, said[0]), f"{what}, expected {pattern!r}"


def square():
    """A glTF of one square: its JSON and its binary chunk."""
    points = numpy.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "<f4")
    corners = numpy.array([0, 1, 2, 0, 2, 3], "<u2")
    binary = points.tobytes() + corners.tobytes()
    return {"asset": {"version": "2.0"}, "buffers": [{"byteLength": len(binary)}],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48},
                            {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
            "meshes": [{"name": "square", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "nodes": [{"mesh": 0}]}, binary


def glb(document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    return (struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(binary), len(text), b"JSON") + text +
            struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def pc2(points, rate=1.0):
    points = numpy.asarray(points, "<f4")
    return struct.pack("<12siiffi", b"POINTCACHE2", 1, points.shape[1], 0, rate, points.shape[0]) + points.tobytes()


def mdd(points):
    points = numpy.asarray(points, ">f4")
    return (struct.pack(">ii", *points.shape[:2]) + numpy.arange(len(points), dtype=">f4").tobytes() + points.tobytes())


def png(width, height, packed):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", packed) + chunk(b"IEND", b""))


OBJ = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"
STILL = [[[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]] * 3


def gltf_that_lies(folder):
    def change(edit, *expected, binary=None):
        document, bytes_ = square()
        edit(document)
        (folder / "hero.glb").write_bytes(glb(document, bytes_ if binary is None else binary))
        refused(folder, ["info", "hero.glb"], "hero.glb", *expected)

    def nowhere(d):
        del d["accessors"][0]["bufferView"], d["meshes"][0]["primitives"][0]["indices"]
        d["accessors"][0]["count"] = 100_000_000

    def empty_shapes(d):
        d["meshes"][0]["primitives"][0]["targets"] = [{}] * 300_000
        d["accessors"][0]["count"] = 1000
        d["bufferViews"][0].update(byteStride=4, byteLength=4008)
        d["buffers"][0]["byteLength"] = 4100

    points = lambda *p: numpy.array(p, "<f4").tobytes() + square()[1][48:]
    change(lambda d: None, "not a finite number", binary=points([NAN, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]))
    change(lambda d: None, "beyond", binary=points([1e30, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]))
    change(lambda d: None, "below 4", binary=square()[1][:48] + numpy.array([0, 1, 9, 0, 2, 3], "<u2").tobytes())
    change(lambda d: d["meshes"][0]["primitives"].clear(), "triangles|primitives")
    change(lambda d: d["nodes"].extend([{"children": [2]}, {"children": [1]}]), "own ancestor")
    change(lambda d: d["bufferViews"][0].update(byteOffset=1 << 31), "past its buffer")
    change(lambda d: d["bufferViews"][0].update(byteLength=(1 << 63) - 1), "past its buffer")
    change(lambda d: d["accessors"][0].update(count=1 << 40), "many vertices|fit")
    change(lambda d: d["buffers"][0].update(byteLength=1 << 40), "byteLength")
    change(lambda d: d["meshes"][0].update(name="a\n\x1b[2J" + "b" * 5000) or
           d["accessors"][0].update(type="VEC2"), "3 expected")
    # Few bytes that unfold into much: numbers that are nowhere, blend shapes without offsets, copies of a chunk.
    change(nowhere, "more than can be read")
    change(empty_shapes, "more than can be read", binary=bytes(4100))
    change(lambda d: d["buffers"].extend(d["buffers"] * 5000), "binary chunk", binary=square()[1] + bytes(1 << 20))


def gltf_that_reaches_out(folder):
    """A buffer is read from below the folder of its file and from nowhere else."""
    document, binary = square()
    (folder / "asset").mkdir()
    for place in ("secret.bin", "data.bin", "asset/inside.bin"):
        (folder / place).write_bytes(binary)
    os.mkfifo(folder / "asset/pipe.bin")

    def uri(text, *expected):
        document["buffers"][0]["uri"] = text
        (folder / "asset/hero.gltf").write_text(json.dumps(document))
        refused(folder, ["info", "asset/hero.gltf"], "hero.gltf", *expected)

    for text in ("../secret.bin", "%2e%2e/secret.bin", "..\\secret.bin", "x/../../secret.bin", str(folder / "secret.bin"),
                 "../../../../../../../etc/passwd", "/etc/passwd"):
        uri(text, "leaves the folder")
    for text in ("http://localhost/data.bin", "file:///etc/passwd", "smb://host/data.bin"):
        uri(text, "address on a network")
    uri("data.bin", "data.bin")  # which lies in the working folder
    uri("pipe.bin", "pipe.bin")
    uri("data:text/plain;base64,AAAA", "hero.gltf")
    document["buffers"] = [{"byteLength": len(binary), "uri": "inside.bin"}] * 2
    (folder / "asset/hero.gltf").write_text(json.dumps(document))
    refused(folder, ["info", "asset/hero.gltf"], "two buffers at once")
    document["buffers"] = document["buffers"][:1]
    (folder / "asset/hero.gltf").write_text(json.dumps(document))
    cutis("info", "asset/hero.gltf", cwd=folder)


def obj_that_lies(folder):
    for text, expected in [("v 0 0 nan\n" + OBJ, ":1: .*nan"), ("v 1e300 0 0\n" + OBJ, ":1: .*beyond"),
                           (OBJ + "f 1 2 9\n", ":6: vertex 9"), (OBJ + "f 1 2 99999999999\n", ":6: "),
                           ("v 0 0 0\n", "no faces"), ("", "no faces"), (OBJ + "f 1 2\n", ":6: .*three"),
                           (OBJ + "f \x1b[2J 1 2\n", ":6: ")]:
        (folder / "a.obj").write_text(text)
        refused(folder, ["info", "a.obj"], "a.obj" + expected if expected[0] == ":" else expected, "a.obj")


def caches_that_lie(folder):
    (folder / "a.obj").write_text(OBJ)
    bad = numpy.array(STILL, float)
    for name, write in (("a.pc2", pc2), ("a.mdd", mdd)):
        (folder / "a.toml").write_text(f'[body]\nfile = "a.obj"\ncache = "{name}"\n')
        run = ["simulate", "a.toml", "--out", "cache-result"]
        for value, expected in ((NAN, "vertex 2.*nan"), (float("inf"), "inf"), (1e30, "1e\\+30")):
            bad[1, 2, 1] = value
            (folder / name).write_bytes(write(bad))
            refused(folder, run, name, "frame 1", expected)
        (folder / name).write_bytes(write([frame[:3] for frame in STILL]))
        refused(folder, run, name, "3 vertices.*a.obj has 4")
        (folder / name).write_bytes(write(STILL)[:-1])
        refused(folder, run, name, "cut short")
    (folder / "a.pc2").write_bytes(struct.pack("<12siiffi", b"POINTCACHE2", 1, 2**31 - 1, 0, 1, 2**31 - 1))
    refused(folder, ["info", "a.pc2"], "a.pc2", "cut short")
    (folder / "a.mdd").write_bytes(struct.pack(">ii", 2**31 - 1, 2**31 - 1))
    refused(folder, ["info", "a.mdd"], "a.mdd", "cut short")
    (folder / "a.pc2").write_bytes(pc2(STILL, rate=1e30))
    (folder / "a.toml").write_text('[body]\nfile = "a.obj"\ncache = "a.pc2"\n')
    refused(folder, ["simulate", "a.toml", "--out", "cache-result"], "frames")


def results_that_lie(folder):
    good = folder / "good"
    bad = folder / "bad"

    def change(file, edit, *expected, words=("export", "bad", "--to", "pc2")):
        shutil.rmtree(bad, ignore_errors=True)
        shutil.copytree(good, bad)
        edit(bad / file)
        refused(folder, list(words), re.escape(file), *expected)

    def arrays(**changed):
        def edit(path):
            stored = dict(numpy.load(path), **changed)
            numpy.savez(path, **{name: value for name, value in stored.items() if value is not None})
        return edit

    def summary(**changed):
        return lambda path: path.write_text(json.dumps(dict(json.loads(path.read_text()), **changed)))

    frame = "frames/000001.npz"
    for value in (NAN, float("inf"), 1e300):
        change(frame, arrays(positions=numpy.full((4, 3), value)), "positions", "row 0")
        change("mesh.npz", arrays(rest=numpy.full((4, 3), value)), "rest")
    change(frame, arrays(positions=numpy.zeros((3, 3))), "as many as mesh.npz")
    change(frame, arrays(positions=None), "positions")
    change(frame, arrays(frame=numpy.float64(1e300)), "frame")
    change(frame, arrays(time=numpy.float64(NAN)), "time")
    change("mesh.npz", arrays(face_corners=numpy.array([0, 1, 2, 4], "<i4")), "face_corners: 4")
    change("mesh.npz", arrays(face_offsets=numpy.array([0, 2, 4], "<i4")), "three corners")
    change("mesh.npz", arrays(triangle_faces=numpy.array([0, -1], "<i4")), "triangle_faces: -1")
    change("mesh.npz", arrays(rest=numpy.array(["a"], "U1")), "rows of 3 numbers")
    change(frame, lambda path: path.unlink(), "no such file")
    change("summary.json", summary(frames=1e300), "frames is not a whole number")
    change("summary.json", summary(frames=10**18), "frames is not a whole number")
    change("summary.json", summary(fps=0), "fps")
    change("summary.json", summary(format="cutis result 9"), "cutis result 9")
    change("summary.json", lambda path: path.write_text('{"format": ' + "[" * 1_000_000 + "]" * 1_000_000 + "}"))
    change("summary.json", lambda path: path.write_text("[" * 1_000_000))
    change("summary.json", lambda path: path.write_text("{}"), words=("info", "bad"))

    def bomb(path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
            header = io.BytesIO()
            numpy.lib.format.write_array_header_1_0(
                header, {"descr": "<f8", "fortran_order": False, "shape": (25 << 20,)})
            with file.open("positions.npy", "w", force_zip64=False) as out:
                out.write(header.getvalue())
                for _ in range(200):
                    out.write(bytes(1 << 20))

    change(frame, bomb, "unpack to 2097153")  # 200 MiB from 200 KiB


def pictures_that_lie(folder):
    cases = [("bomb", png(100_000, 100_000, zlib.compress(bytes(1 << 20))), "more than"),
             ("short", png(8000, 8000, zlib.compress(b"")), "pixels"),
             ("torn", png(4, 4, zlib.compress(bytes(52)))[:-30], "damaged|readable"), ("text", b"not a picture", "PNG")]
    for name, data, expected in cases:
        (folder / f"{name}.png").write_bytes(data)
        refused(folder, ["picture", "good", "--no-animation", "--texture", f"{name}.png"], f"{name}.png", expected)


def shots_that_lie(folder):
    for text, expected in [('[skin]\nthicknes = 1\n', r":4: skin\.thicknes: unknown key"), ("[skni]\n", ":3: skni"),
                           ("[time]\nfps = true\n", r":4: time\.fps"), ('[time]\nfps = "3 kg"\n', r":4: time\.fps"),
                           ("[time]\nfps = nan\n", r":4: time\.fps"), ("[time]\nfps = 1e400\n", r":4"),
                           ("[time]\nfps = 0\n", r":4: time\.fps"), ("time = 3\n", ":3: "),
                           ("[time]\nend = 1e300\n", "frames|:4"), ("[skin\n", ":3:"), ("\xff\n", ":3:|not TOML"),
                           ("x = " + "[" * 100_000, ":3"), ("a" + ".a" * 100_000 + " = 1", ":3"),
                           ('body.make = "arm"\n', "a.toml")]:
        (folder / "a.toml").write_bytes(('[body]\nmake = "arm"\n' + text).encode("latin-1"))
        refused(folder, ["simulate", "a.toml", "--out", "shot-result"], "a.toml", expected)
    for body, expected in [('file = "gone.glb"', "no such file.*gone.glb"), ('file = "."', "cannot be read|folder"),
                           ('file = "a.obj"\ncache = "gone.pc2"', "no such file.*gone.pc2"),
                           ('make = "centaur"', r"a\.toml:2: body\.make")]:
        (folder / "a.toml").write_text(f"[body]\n{body}\n")
        refused(folder, ["simulate", "a.toml", "--out", "shot-result"], expected)


def skin_that_cannot_be(folder):
    """Bodies and constraints that the Lagrangian method cannot slide skin on."""
    skin = '[skin]\nmethod = "lagrangian"\nslide_limit = "2 cm"\n'
    (folder / "bad.obj").write_text("v 0 0 0\n" * 4 + "f 1 2 3\nf 1 3 4\n")
    (folder / "a.toml").write_text('[body]\nfile = "bad.obj"\n' + skin)
    refused(folder, ["simulate", "a.toml", "--out", "skin-result"], "bad.obj: ", "no face is left")
    region = '[[skin.region]]\nname = "r"\nuse = "name"\ncenter = [0.38, 0.04, 0]\nradius = "12 cm"\n'
    for kind, points, expected in [("curve", "[[200, 0, 0], [550, 0, 0]]", "199 m away from the body"),
                                   ("curve", "[[0.3, 0, 0], [0.3, 0, 0]]", "two points"),
                                   ("curve", "[[0.3, 0, 0], [0.5, 0, 0], [0.3, 0, 0]]", "three points"),
                                   ("curve", "[[0.05, 0, 0], [0.1, 0, 0]]", "beyond its ends"),
                                   ("path", "[[0.38, 0, 0], [0.38, 0, 50]]", "49.9 m away from the body")]:
        times = "times = [0, 1]\n" if kind == "path" else ""
        (folder / "a.toml").write_text(f'[body]\nmake = "arm"\nresolution = "2 cm"\n{skin}{region}[[skin.constraint]]\n'
                                       f'kind = "{kind}"\nregion = "r"\npoints = {points}\n{times}')
        refused(folder, ["simulate", "a.toml", "--out", "skin-result"], r"a\.toml:12: skin\.constraint\[0\]: ", expected)


def damaged_files(folder):
    """Every format cut short and with bits turned over: read or refused, never a crash; cut binary files never read."""
    (folder / "a.obj").write_text(OBJ)
    document, binary = square()
    whole = {"hero.glb": glb(document, binary), "a.pc2": pc2(STILL), "a.mdd": mdd(STILL), "a.obj": OBJ.encode()}
    for file in ("summary.json", "mesh.npz"):
        whole[f"torn/{file}"] = (folder / "good" / file).read_bytes()
    shutil.copytree(folder / "good", folder / "torn")
    chance = random.Random(5)
    for name, data in whole.items():
        words = ["info", "torn" if "/" in name else name]
        for i in range(6):
            (folder / name).write_bytes(data[:len(data) * i // 6])
            if name == "a.obj" and i > 0:  # what is left of a text may be a whole text
                done = cutis(*words, expect=None, cwd=folder, preexec_fn=limited)
                assert done.returncode in (0, 2), done
            else:
                refused(folder, words, re.escape(name))
        for i in range(8):
            flipped = bytearray(data)
            flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            (folder / name).write_bytes(flipped)
            done = cutis(*words, expect=None, cwd=folder, preexec_fn=limited)
            assert done.returncode in (0, 2), (name, i, done)
        (folder / name).write_bytes(data)
        cutis(*words, cwd=folder)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "good.obj").write_text(OBJ)
    cutis("simulate", "good.obj", "--out", "good", cwd=folder)
    for check in (gltf_that_lies, gltf_that_reaches_out, obj_that_lies, caches_that_lie, results_that_lie,
                  pictures_that_lie, shots_that_lie, skin_that_cannot_be, damaged_files):
        start = time.time()
        check(folder)
        print(f"{check.__name__}: ok, {time.time() - start:.1f} s", flush=True)
