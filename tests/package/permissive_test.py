"""With CUTIS_WITH_CHOLMOD=OFF nothing of CHOLMOD, whose supernodal module is GPL, is compiled or linked."""
import pathlib, subprocess, tempfile
import testkit

with tempfile.TemporaryDirectory() as folder:
    run = lambda *command: subprocess.run(list(map(str, command)), check=True, text=True, capture_output=True).stdout
    run("cmake", "-G", "Ninja", "-S", testkit.ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
        "-DCUTIS_WITH_CHOLMOD=OFF", "-DCUTIS_WITH_TESTS=OFF")
    rules = (pathlib.Path(folder) / "build.ninja").read_text()
    assert "libcholmod" not in rules and "CUTIS_HAS_CHOLMOD" not in rules
    objects = [f"src/CMakeFiles/cutis.dir/cutis/solve/{name}.cpp.o" for name in ("sparse_cholesky", "cholmod_cholesky")]
    run("ninja", "-C", folder, *objects)
    for name in objects:
        symbols = run("nm", "--undefined-only", pathlib.Path(folder) / name)
        assert "cholmod" not in symbols, symbols
    print("no trace of CHOLMOD")
