"""Every reader under libFuzzer with clang's sanitizers, for a minute each. Compiling the readers once more takes longer
than all other tests, so only ./test --long does it; the targets' own damaged samples (fuzz.NAME) always run."""
import subprocess, sys
import testkit

if not testkit.LONG:
    testkit.skip("only in ./test --long, or by hand: scripts/fuzz.sh all 60")
sys.exit(subprocess.run([testkit.ROOT / "scripts/fuzz.sh", "all", "60"]).returncode)
