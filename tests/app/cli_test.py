"""The command line as its users meet it: help whose examples work, clear errors, exit codes, interruption."""
import json, os, pathlib, re, shlex, shutil, signal, subprocess, sys, tempfile, time
import numpy
import testkit
from testkit import cutis

COMMANDS = re.findall(r"^  ([a-z]+) ", cutis("--help").stdout.split("Subcommands:")[1], re.M)


def frames(result):
    return {path.name: path.read_bytes() for path in sorted((result / "frames").glob("*.npz"))}


def make_hero(folder):
    """hero.glb: the arm of the cast, written and read back as a stranger's character would be."""
    cutis("demo", "arm-bend", "--no-pictures", "--out", folder / "arm")
    shutil.move(folder / "arm/skin.glb", folder / "hero.glb")


def help_examples_work(folder):
    seen = 0
    for command in [None, "make", "info", "new", "simulate", "export", "picture", "demo", "explain", "list"]:
        text = cutis(*([command] if command else []), "--help").stdout
        for line in re.findall(r"^  (cutis .*?)(?:   .*)?$", text.split("Examples:")[1], re.M):
            words = shlex.split(line)[1:]
            if words[0] in ("picture", "demo"):
                words += ["--no-animation", "--size", "160x90"] if words[0] == "picture" else ["--no-pictures"]
            if words[:2] == ["picture", "before"]:
                for name in ("before", "after"):
                    shutil.copytree(folder / "hero-result", folder / name)
            for name in ("shots", "made"):
                (folder / name).mkdir(exist_ok=True)
            if words[0] == "new":
                (folder / (words[3] if len(words) > 2 else "hero.toml")).unlink(missing_ok=True)
            cutis(*words, cwd=folder / "made" if words[0] == "make" else folder)
            seen += 1
    assert set(COMMANDS) >= {"simulate", "demo", "make", "new", "info", "explain", "list", "picture", "export"}, COMMANDS
    assert seen >= 15, seen


def mistakes_are_answered(folder):
    (folder / "bad.toml").write_text('[body]\nmake = "arm"\n[skin]\nmethod = "none"\nthicknes = 1\n[tim]\nfps = "3 kg"\n')
    (folder / "nonsense.glb").write_bytes(b"glTF nonsense")
    (folder / "empty.obj").write_text("# nothing\n")
    cases = [
        (["simulate", "bad.toml"], r'bad\.toml:5: skin\.thicknes.*did you mean "thickness"'),
        (["simulate", "bad.toml"], r"bad\.toml:6: tim"),
        (["simulate", "missing.toml"], r"missing\.toml: no such file"),
        (["simulate", "nonsense.glb"], r"nonsense\.glb"),
        (["info", "empty.obj"], r"empty\.obj"),
        (["info", "missing.glb"], r"missing\.glb"),
        (["info", "picture.jpg"], r"picture\.jpg"),
        (["new", "hero.glb"], r"hero\.toml: is there already"),
        (["demo", "arm-bent"], r'did you mean "arm-bend"'),
        (["explain", "skin.thicknes"], r"skin\.thickness"),
        (["picture", "shots"], r"shots"),
        (["picture", "hero-result", "--field", "fear"], r"fear.*log_area"),
        (["picture", "hero-result", "--size", "12"], r"--size"),
        (["export", "hero-result", "--to", "abc"], r"abc.*glb"),
        (["simulate", "hero.glb", "--out", "shots"], r"shots"),
        (["simulate"], r"SHOT"),
        (["dance"], r"dance|subcommand"),
        (["--threads", "0", "list"], r"threads"),
    ]
    (folder / "hero.toml").touch()
    (folder / "shots/keep.txt").write_text("mine")
    for words, expected in cases:
        said = cutis(*words, expect=2, cwd=folder)
        assert re.search(expected, said.stderr), f"{words}: expected {expected!r}, said {said.stderr!r}"
        assert "terminate" not in said.stderr and len(said.stderr) < 2000
    assert (folder / "shots/keep.txt").read_text() == "mine"


def a_figure_that_fails_exits_with_1(folder):
    shot = (testkit.ROOT / "examples/arm-bend/shot.toml").read_text()
    (folder / "examples/never").mkdir(parents=True)
    (folder / "examples/never/shot.toml").write_text(
        shot + '\n[[figure]]\nname = "impossible"\nmeasure = "travel"\nat_least = 100\n')
    said = cutis("demo", "never", "--no-pictures", "--out", folder / "never", expect=1,
                 env=dict(os.environ, CUTIS_EXAMPLES=str(folder / "examples")))
    assert "FAIL impossible" in said.stdout, said.stdout
    figures = json.loads((folder / "never/summary.json").read_text())["figures"]
    assert [f["holds"] for f in figures if f["name"] == "impossible"] == [False]


def long_shot(folder):
    (folder / "long.toml").write_text('[body]\nmake = "arm"\nresolution = "4 mm"\n[time]\nfps = "200 fps"\n')
    cutis("simulate", "long.toml", "--out", "whole", cwd=folder)
    return frames(folder / "whole")


def interrupted(folder, wanted, how, expect, delay):
    process = subprocess.Popen([testkit.CUTIS, "simulate", "long.toml", "--out", "part"], cwd=folder,
                               stderr=subprocess.PIPE, text=True)
    # Ctrl-C is answered from the first frame on; a kill may come at any moment.
    while how == signal.SIGINT and process.poll() is None and not (folder / "part/frames/000001.npz").exists():
        time.sleep(0.01)
    time.sleep(delay)
    process.send_signal(how)
    said = process.communicate()[1]
    finished = process.returncode == 0
    assert finished or process.returncode == expect, (process.returncode, said)
    if how == signal.SIGINT and not finished:
        assert "--resume" in said, said
        summary = json.loads((folder / "part/summary.json").read_text())
        assert summary["complete"] is False
    cutis("simulate", "long.toml", "--out", "part", "--resume", cwd=folder)
    assert frames(folder / "part") == wanted, f"{how.name} after {delay} s: the resumed frames differ"
    shutil.rmtree(folder / "part")
    return not finished


def interruptions_lose_nothing(folder):
    wanted = long_shot(folder)
    assert len(wanted) == 401, len(wanted)
    cut = sum(interrupted(folder, wanted, signal.SIGKILL, -signal.SIGKILL, 0.02 + 0.09 * i) for i in range(6))
    cut += sum(interrupted(folder, wanted, signal.SIGINT, 130, 0.15 * i) for i in range(3))
    assert cut >= 3, f"only {cut} of 9 runs were interrupted before their end"


def threads_do_not_matter(folder):
    results = []
    for threads in (1, 2, 3):
        cutis("--threads", threads, "demo", "--no-pictures", "--out", folder / f"threads{threads}")
        results.append(frames(folder / f"threads{threads}"))
    assert results[0] == results[1] == results[2]


def a_changed_input_is_not_resumed(folder):
    (folder / "change.toml").write_text('[body]\nfile = "hero.glb"\n')
    cutis("simulate", "change.toml", cwd=folder)
    before = frames(folder / "change-result")
    (folder / "change.toml").write_text('[body]\nfile = "hero.glb"\n[time]\nfps = 30\n')
    said = cutis("simulate", "change.toml", "--resume", expect=2, cwd=folder)
    assert frames(folder / "change-result") == before, said.stderr
    (folder / "hero.glb").rename(folder / "gone.glb")
    said = cutis("simulate", "change.toml", "--resume", expect=2, cwd=folder)
    assert "hero.glb" in said.stderr and frames(folder / "change-result") == before
    (folder / "gone.glb").rename(folder / "hero.glb")


def results_open_in_numpy(folder):
    result = folder / "hero-result"
    mesh = numpy.load(result / "mesh.npz")
    frame = numpy.load(result / "frames/000001.npz")
    assert frame["positions"].shape == mesh["rest"].shape and frame["positions"].dtype == numpy.float64
    assert json.loads((result / "summary.json").read_text())["complete"] is True


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    make_hero(folder)
    for check in (help_examples_work, mistakes_are_answered, a_figure_that_fails_exits_with_1, results_open_in_numpy,
                  a_changed_input_is_not_resumed, threads_do_not_matter, interruptions_lose_nothing):
        start = time.time()
        check(folder)
        print(f"{check.__name__}: ok, {time.time() - start:.1f} s", flush=True)
