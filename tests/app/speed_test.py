"""The speed that the documents claim, as ratios taken in one run each, with room for a machine that does other things: with --long."""
import json, subprocess
import testkit

if not testkit.LONG:
    testkit.skip("takes minutes; ./test --long runs it")
bench = testkit.BUILD / "bench/cutis_bench"
if not bench.exists():
    testkit.skip("the benchmarks are not built (CUTIS_WITH_BENCH)")


def counters(name):
    said = subprocess.run([bench, f"--benchmark_filter=^{name}(/|$)", "--benchmark_format=json"], text=True, capture_output=True, check=True)
    return {run["name"].split("/iterations")[0]: run for run in json.loads(said.stdout)["benchmarks"]}


lagrangian, = counters("lagrangian_frame").values()
# docs/lagrangian.md: 8 times as fast as written down straightforwardly, 12 times one factorisation and solve.
assert lagrangian["straightforward_per_frame"] > 4, lagrangian
assert lagrangian["per_floor"] < 20, lagrangian

# docs/force-density.md, at 5,000 vertices: a frame against the paper's solves from nothing, and against a fresh factorisation.
warm = counters("force_density_frame/cotangent/5000")["force_density_frame/cotangent/5000"]
direct = counters("force_density_frame/cotangent_direct/5000")["force_density_frame/cotangent_direct/5000"]
assert warm["cold_rebuilt"] > 2, warm
assert direct["warm_ms"] / warm["warm_ms"] > 1.5, (direct["warm_ms"], warm["warm_ms"])

# docs/wrinkle.md: a frame against Newton's method on the whole matrix with multipliers, 27 to 85 times, with the same answer; a factor
# with constraints against that of the shell alone, 1.1 times, and with wide supports.
for name, least in (("54", 6), ("89", 10), ("109", 10)):
    frame = counters(f"wrinkle_frame/{name}")[f"wrinkle_frame/{name}"]
    assert frame["ratio"] > least and frame["difference"] < 1e-4, frame
    print(f"wrinkles of {frame['vertices']:.0f} vertices: straightforward / frame {frame['ratio']:.0f}")
factors = counters("wrinkle_factor")
for size in (54, 89, 109):
    alone, narrow, wide = (factors[f"wrinkle_factor/{kind}/{size}"]["real_time"] for kind in ("shell_alone", "with_constraints", "with_wide_constraints"))
    assert narrow < 2 * alone and narrow < wide, (size, alone, narrow, wide)
    print(f"factor of a layer: constraints / shell alone {narrow / alone:.2f}, wide supports / narrow ones {wide / narrow:.2f}")
print(f"straightforward / frame {lagrangian['straightforward_per_frame']:.1f}, frame / floor {lagrangian['per_floor']:.1f}; force density: "
      f"cold / warm {warm['cold_rebuilt']:.1f}, direct / warm {direct['warm_ms'] / warm['warm_ms']:.1f}")
