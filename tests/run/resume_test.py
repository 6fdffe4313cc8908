"""A run killed at random moments and resumed gives the same bits as one left alone; a full disk and Ctrl-C leave
every finished frame whole."""
import hashlib, json, pathlib, random, resource, shutil, signal, subprocess, tempfile, time
import numpy as np
from testkit import BUILD, LONG

TOOL = str(BUILD / "tests/lagging_run")
FRAMES = "24"
KILLS = 200 if LONG else 16
folder = pathlib.Path(tempfile.mkdtemp(prefix="cutis-resume-"))


def run(out, *arguments, expect=0, **keywords):
    done = subprocess.run([TOOL, out, FRAMES, *arguments], text=True, capture_output=True, **keywords)
    assert done.returncode == expect, f"exit {done.returncode}, not {expect}: {done.stderr}"
    return done


def files(result):
    return {p.relative_to(result): p.read_bytes() for p in result.rglob("*") if p.is_file() and p.name != "summary.json"}


def timeless(result):
    summary = json.loads((result / "summary.json").read_text())
    for key in "timings", "peak_memory_bytes":
        del summary[key]
    return summary


def assert_same(result, reference):
    assert files(result).keys() == files(reference).keys(), sorted(files(result).keys() ^ files(reference).keys())
    for name, content in files(reference).items():
        assert files(result)[name] == content, f"{name} differs"
    assert timeless(result) == timeless(reference)


def finished(result):
    """The frames that count, all of which must be whole and readable; the number of them."""
    lines = (result / "checksums.sha256").read_text().splitlines(keepends=True)
    names = 0
    for line in lines:
        if not line.endswith("\n"):
            continue
        sum_, name = line.rstrip("\n").split("  ")
        assert hashlib.sha256((result / name).read_bytes()).hexdigest() == sum_, name
        if name.startswith("frames/"):
            assert np.isfinite(np.load(result / name)["positions"]).all()
            names += 1
    return names


reference = folder / "reference"
run(reference)
assert timeless(reference)["complete"] and finished(reference) == int(FRAMES)


def killed_again_and_again():
    rng = random.Random(20)
    killed, out = 0, folder / "killed"
    while killed < KILLS:
        # Every few kills one hits a run that begins anew over an older result, which must be just as safe.
        fresh = rng.random() < 0.2
        process = subprocess.Popen([TOOL, out, FRAMES, "--pause", "2", *([] if fresh else ["--resume"])],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(rng.uniform(0.0, 0.2))
        process.kill()
        message = process.communicate()[1]
        assert message == "", message
        if process.returncode == -signal.SIGKILL:
            killed += 1
        if (out / "checksums.sha256").exists():
            finished(out)
        if rng.random() < 0.3 and (out / "checksums.sha256").exists():
            # A machine that loses power may leave half a line.
            with open(out / "checksums.sha256", "a") as sums:
                sums.write("0123456789abcdef")
    run(out, "--resume")
    assert_same(out, reference)


def resumed_at_every_kind_of_damage():
    out = folder / "damaged"

    def damaged(change):
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(reference, out)
        change()
        run(out, "--resume")
        assert_same(out, reference)

    damaged(lambda: None)
    damaged(lambda: (out / "state/slide.npz").unlink())
    damaged(lambda: (out / "state/slide.npz").write_bytes(b"PK"))
    damaged(lambda: (out / "frames/000007.npz").write_bytes(b""))
    damaged(lambda: (out / "mesh.npz").unlink())
    damaged(lambda: (out / "checksums.sha256").unlink())
    damaged(lambda: (out / "frames/000025.npz.part").write_bytes(b"x"))


def refused_when_something_changed():
    message = run(reference, "--resume", "--shot", "method = \"none\"\n", expect=2).stderr
    assert message.count("\n") == 1 and "the shot changed: line 1" in message and "lagging" in message, message
    message = run(reference, "--resume", "--float32", expect=2).stderr
    assert "precision" in message, message
    other = folder / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("years of work")
    for arguments in [], ["--resume"]:
        assert "not a Cutis result" in run(other, *arguments, expect=2).stderr
    assert [p.name for p in other.iterdir()] == ["thesis.tex"]


def interrupted(out, after):
    """Ctrl-C after some frames; the process must end by itself."""
    process = subprocess.Popen([TOOL, out, FRAMES, "--pause", "40"], stdout=subprocess.PIPE, text=True)
    for _ in range(after):
        process.stdout.readline()
    assert "another run is writing" in run(out, "--resume", expect=2).stderr
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == 4, process.returncode


def stopped_by_interrupt():
    out = folder / "stopped"
    interrupted(out, 5)
    summary = timeless(out)
    assert summary["complete"] is False and "stopped as asked" in summary["stopped"] and summary["figures"] == []
    assert 5 <= summary["frames_written"] == finished(out) < int(FRAMES)
    assert not list(out.rglob("*.part"))
    assert run(out, "--resume").stdout.startswith(f"{summary['frames_written'] + 1}/")
    assert_same(out, reference)


def a_disk_that_fills_up():
    """On a small filesystem where one can be mounted."""
    disk = folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", disk], capture_output=True).returncode:
        print("no filesystem can be mounted here: the full disk is left out, the size limit below is not")
        return
    try:
        done = run(disk / "out", expect=3)
        assert done.stderr.count("\n") == 1 and "No space left on device" in done.stderr, done.stderr
        written = finished(disk / "out")
        assert 1 <= written < int(FRAMES) and not list(disk.rglob("*.part")), written
        summary = timeless(disk / "out")
        assert summary["complete"] is False
        subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
        run(disk / "out", "--resume")
        assert_same(disk / "out", reference)
    finally:
        subprocess.run(["umount", disk], check=True)


def a_file_that_may_not_grow():
    """The limit lets a frame through, but not the state that belongs to it."""
    out = folder / "limited"
    interrupted(out, 3)
    before = finished(out)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000))

    done = run(out, "--resume", expect=3, preexec_fn=limit)
    assert done.stderr.count("\n") == 1 and "slide.npz: cannot be written: File too large" in done.stderr, done.stderr
    assert finished(out) == before + 1 and "File too large" in timeless(out)["stopped"]
    run(out, "--resume")
    assert_same(out, reference)


try:
    killed_again_and_again()
    resumed_at_every_kind_of_damage()
    refused_when_something_changed()
    stopped_by_interrupt()
    a_disk_that_fills_up()
    a_file_that_may_not_grow()
finally:
    shutil.rmtree(folder, ignore_errors=True)
