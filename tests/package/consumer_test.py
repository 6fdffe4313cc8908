"""Installs Cutis into an empty folder and builds a small program against the package found there."""
import os, pathlib, re, subprocess, tempfile
import testkit

with tempfile.TemporaryDirectory() as folder:
    prefix, build = pathlib.Path(folder) / "prefix", pathlib.Path(folder) / "build"
    run = lambda *command: subprocess.run(list(map(str, command)), check=True, text=True, capture_output=True).stdout
    run("cmake", "--install", testkit.BUILD, "--prefix", prefix)
    run("cmake", "-G", "Ninja", "-S", testkit.ROOT / "tests/package/consumer", "-B", build,
        f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    run("cmake", "--build", build)
    said = run(build / "consumer")
    print(said, end="")
    assert "vertices" in said
    versions = run(prefix / "bin/cutis", "--version")
    assert versions.startswith("cutis ") and re.search(r"cholesky (CHOLMOD \d|multifrontal)", versions), versions
    leaked = [str(header) for header in prefix.rglob("*.h")
              if any(name in header.read_text() for name in ("tiny_gltf", "toml++", "opensubdiv", "rtcore", "nlohmann", "cholmod.h"))]
    assert not leaked, f"headers that drag a private dependency in: {leaked}"
