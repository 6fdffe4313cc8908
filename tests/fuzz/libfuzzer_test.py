"""Every reader under libFuzzer with clang's sanitizers: a few thousand inputs each, always the same ones; with ./test --long
for a minute each, with all sanitizers. The targets' own damaged samples (fuzz.NAME) run without clang, too."""
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
tried = fuzz("60" if testkit.LONG else f"--runs={RUNS}")
assert len(tried) == targets and min(tried) >= RUNS, tried
print(sum(tried), "inputs tried")
