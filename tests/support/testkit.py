"""What the Python tests share: where things are, how to run the program, how to skip with a word."""
import os, pathlib, subprocess, sys

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


def cutis(*arguments, expect=0, **keywords):
    """Runs the command line and returns the finished process; fails loudly when it exits with another code."""
    done = subprocess.run([str(CUTIS), *map(str, arguments)], text=True, capture_output=True, **keywords)
    if expect is not None and done.returncode != expect:
        raise AssertionError(f"cutis {' '.join(map(str, arguments))}: exit {done.returncode}, expected {expect}\n"
                             f"{done.stdout}\n{done.stderr}")
    return done
