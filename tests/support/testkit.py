"""What the Python tests share: where things are, how to run the program, how to skip with a word."""
import fcntl, json, os, pathlib, shutil, struct, subprocess, sys, time, traceback

ROOT = pathlib.Path(os.environ.get("CUTIS_ROOT", pathlib.Path(__file__).resolve().parents[2]))
BUILD = pathlib.Path(os.environ.get("CUTIS_BUILD", ROOT / "build/release"))
CUTIS = pathlib.Path(os.environ.get("CUTIS", BUILD / "cutis"))
LONG = os.environ.get("CUTIS_LONG") == "1"


def skip(why):
    print("SKIPPED:", why)
    sys.exit(77)


def data_folder():
    """The folder of real characters; skips the test where it is missing."""
    folder = pathlib.Path(os.environ.get("CUTIS_DATA", ROOT.parent / "shared/data"))
    if not folder.is_dir():
        skip(f"no real characters at {folder}")
    return folder.resolve()


def npm_folder(package, version):
    """Where node finds the package: fetched once, offline from then on. Skips the test where it cannot be had."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            skip(f"no {program} here")
    folder = BUILD / "npm"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "node_modules" / package).is_dir():
            done = subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", f"{package}@{version}"],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                skip(f"npm cannot fetch {package}: {done.stderr.strip()[-300:]}")
    return folder


def cutis(*arguments, expect=0, **keywords):
    """Runs the command line and returns the finished process; fails loudly when it exits with another code."""
    done = subprocess.run([str(CUTIS), *map(str, arguments)], text=True, capture_output=True, **keywords)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"cutis {' '.join(map(str, arguments))}: exit {done.returncode}, expected {expect}\n"
                             f"{done.stdout}\n{done.stderr}")
    return done


def picture_difference(a, b):
    """How much two pictures of one shape differ in the mean, of 255 grey levels, both shrunk to a width of 320 pixels."""
    if not shutil.which("ffmpeg"):
        skip("no ffmpeg here")
    greys = [subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-vf", "scale=320:-2:flags=area,format=gray", "-f", "rawvideo", "-"],
                            check=True, capture_output=True).stdout for path in (a, b)]
    assert len(greys[0]) == len(greys[1]) > 0, f"{a} and {b} are not of one shape"
    return sum(abs(x - y) for x, y in zip(*greys)) / len(greys[0])


def edited_glb(source, target, edit):
    """A copy of a GLB with `edit(json, binary)` applied to it."""
    raw = source.read_bytes()
    length = struct.unpack_from("<I", raw, 12)[0]
    document, binary = json.loads(raw[20:20 + length]), bytearray(raw[28 + length:])
    edit(document, binary)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    target.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary)) + struct.pack("<I4s", len(text), b"JSON")
                       + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def run_tests(functions):
    """Runs every test function of a module, as pytest would: each in turn, all that fail named at the end."""
    failed = []
    for name, function in list(functions.items()):
        if not name.startswith("test_") or not callable(function):
            continue
        begun = time.time()
        try:
            function()
            said = "ok"
        except AssertionError:
            traceback.print_exc(file=sys.stdout)
            failed.append(name)
            said = "FAILED"
        print(f"{said} {name} ({time.time() - begun:.1f} s)", flush=True)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
