"""Every reader under libFuzzer with clang's sanitizers: a few thousand inputs each, always the same ones; ./test --long
goes on for a minute each besides. The targets' own damaged samples (fuzz.NAME) run without clang, too."""
import re, subprocess, sys
import testkit

RUNS = 3000


def fuzz(length):
    done = subprocess.run([testkit.ROOT / "scripts/fuzz.sh", "all", length], text=True, capture_output=True)
    print(done.stdout, done.stderr)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return [int(tried) for tried in re.findall(r": (\d+) inputs tried, nothing found", done.stdout)]


targets = len(list((testkit.ROOT / "tests/fuzz").glob("*_fuzz.cpp")))
tried = fuzz(f"--runs={RUNS}")
assert len(tried) == targets and min(tried) >= RUNS, tried
if testkit.LONG:
    tried += fuzz("60")
print(sum(tried), "inputs tried")
