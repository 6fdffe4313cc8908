#include "cutis/io/array/smpl_model.h"

#include <functional>

#include <gmock/gmock.h>

#include "cutis/core/error.h"
#include "cutis/io/array/npz.h"
#include "cutis/io/cache/amass.h"
#include "support/support.h"

namespace cutis {
namespace {

using testing::HasSubstr;

NpyArray doubles(std::vector<double> values, std::vector<std::size_t> shape) {
  return npy_array(values.data(), values.size(), std::move(shape));
}

/// Four vertices on two joints.
Npz model() {
  Npz m;
  m["v_template"] = doubles({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {4, 3});
  m["f"] = doubles({0, 1, 2, 0, 2, 3}, {2, 3});
  m["shapedirs"] = doubles(std::vector<double>(24, 0.1), {4, 3, 2});
  m["posedirs"] = doubles(std::vector<double>(108, 0.1), {4, 3, 9});
  m["J_regressor"] = doubles({1, 0, 0, 0, 0, 0, 0.5, 0.5}, {2, 4});
  m["weights"] = doubles({1, 0, 0.5, 0.5, 0, 1, 0.25, 0.75}, {4, 2});
  m["kintree_table"] = doubles({-1, 0, 0, 1}, {2, 2});
  return m;
}

Npz motion() {
  Npz m;
  m["poses"] = doubles(std::vector<double>(2 * 72, 0.1), {2, 72});
  m["trans"] = doubles({0, 0, 0, 1, 1, 1}, {2, 3});
  m["mocap_framerate"] = npy_scalar(60.0);
  return m;
}

using Change = std::function<void(Npz&)>;

template <class Read>
std::string error_of(Npz arrays, const Change& change, const Read& read) {
  const test::TemporaryFolder folder;
  change(arrays);
  write_npz(folder / "a.npz", arrays);
  try {
    read(folder / "a.npz");
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.npz"));
    return error.what();
  }
  return "";
}

TEST(SmplModel, ReadsEveryKey) {
  const test::TemporaryFolder folder;
  Npz arrays = model();
  arrays["vt"] = doubles({0, 0, 1, 0, 1, 1}, {3, 2});
  arrays["ft"] = doubles({0, 1, 2, 2, 1, 0}, {2, 3});
  write_npz(folder / "a.npz", arrays);
  const AvatarModel m = read_smpl_model(folder / "a.npz");
  EXPECT_EQ(m.mesh.vertex_count(), 4u);
  EXPECT_EQ(m.mesh.face_count(), 2u);
  EXPECT_EQ(m.mesh.uvs[CornerId(4)], Vec2(1, 0));
  EXPECT_EQ(m.parents, (std::vector<int>{-1, 0}));
  EXPECT_EQ(joint_places(m)[1], Vec3(0.5, 1, 0));
  EXPECT_EQ(m.influences.offsets, (std::vector<std::int32_t>{0, 1, 3, 4, 6}));
  EXPECT_EQ(m.shape_count, 2u);
  EXPECT_EQ(m.features, PoseFeatures::RotationMatrices);
}

TEST(SmplModel, SaysWhatIsWrong) {
  struct Case {
    Change change;
    const char* words;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {{[](Npz& m) { m.erase("weights"); }, "no array named weights"},
                        {[](Npz& m) { m.erase("v_template"); }, "no body model"},
                        {[](Npz& m) {
                           m["v_template"] = doubles({1, 2, 3, 4}, {2, 2});
                         },
                         "v_template: is 2 x 2; n x 3 is needed"},
                        {[&](Npz& m) {
                           m["v_template"] = doubles(std::vector<double>(12, nan), {4, 3});
                         },
                         "must be finite"},
                        {[](Npz& m) {
                           m["v_template"] = doubles(std::vector<double>(12, 1e13), {4, 3});
                         },
                         "too far out"},
                        {[](Npz& m) { m["v_template"] = npy_text("none"); }, "holds text"},
                        {[](Npz& m) {
                           m["v_template"] = doubles({}, {0, 3});
                         },
                         "v_template: is 0 x 3"},
                        {[](Npz& m) {
                           m["f"] = doubles({0, 1, 4}, {1, 3});
                         },
                         "f: holds 4; whole numbers from 0 to 3"},
                        {[](Npz& m) {
                           m["f"] = doubles({0, 1, -1}, {1, 3});
                         },
                         "f: holds -1"},
                        {[](Npz& m) {
                           m["f"] = doubles({0, 1, 0.5}, {1, 3});
                         },
                         "f: holds 0.5"},
                        {[](Npz& m) {
                           m["weights"] = doubles({1, 1, 1, 1}, {4, 1});
                         },
                         "weights: is 4 x 1; 4 x 2 is needed"},
                        {[](Npz& m) {
                           m["weights"] = doubles({1, 0, 0, 0, 0, 1, 0.25, 0.75}, {4, 2});
                         },
                         "vertex 1 sum to 0"},
                        {[](Npz& m) {
                           m["J_regressor"] = doubles({1, 0, 0, 1}, {2, 2});
                         },
                         "J_regressor: is 2 x 2; 2 x 4"},
                        {[](Npz& m) {
                           m["shapedirs"] = doubles(std::vector<double>(12), {4, 3, 1, 1});
                         },
                         "shapedirs"},
                        {[](Npz& m) {
                           m["posedirs"] = doubles(std::vector<double>(96), {4, 3, 8});
                         },
                         "4 x 3 x 9 (SMPL"},
                        {[](Npz& m) {
                           m["kintree_table"] = doubles({-1, 1, 0, 1}, {2, 2});
                         },
                         "no joint may be its own ancestor"},
                        {[](Npz& m) {
                           m["kintree_table"] = doubles({1, 0, 0, 1}, {2, 2});
                         },
                         "the root must come first"},
                        {[](Npz& m) {
                           m["kintree_table"] = doubles({-1, 7, 0, 1}, {2, 2});
                         },
                         "7, is no joint"},
                        {[](Npz& m) {
                           m["kintree_table"] = doubles({-1, 0, 0, 0}, {2, 2});
                         },
                         "twice"}};
  for (const Case& c : cases) EXPECT_THAT(error_of(model(), c.change, read_smpl_model), HasSubstr(c.words));
  EXPECT_EQ(error_of(
                model(), [](Npz&) {}, read_smpl_model),
            "");
}

TEST(SmplModel, EveryTruncationIsAnInputError) {
  const test::TemporaryFolder folder;
  const Bytes good = encode_npz(model());
  for (std::size_t n = 0; n < good.size(); n += 101) {
    write_file_whole(folder / "a.npz", Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)));
    EXPECT_THROW(read_smpl_model(folder / "a.npz"), InputError) << n;
  }
}

TEST(Amass, SaysWhatIsWrong) {
  struct Case {
    Change change;
    const char* words;
  };
  const Case cases[] = {{[](Npz& m) { m.erase("poses"); }, "no array named poses"},
                        {[](Npz& m) {
                           m["poses"] = doubles(std::vector<double>(20), {2, 10});
                         },
                         "poses: is 2 x 10"},
                        {[](Npz& m) {
                           m["poses"] = doubles(std::vector<double>(4), {2, 2});
                         },
                         "poses: is 2 x 2"},
                        {[](Npz& m) {
                           m["poses"] = doubles({}, {0, 72});
                         },
                         "poses: is 0 x 72"},
                        {[](Npz& m) {
                           m["poses"] = doubles(std::vector<double>(144, 1e9), {2, 72});
                         },
                         "no angle"},
                        {[](Npz& m) {
                           m["trans"] = doubles({0, 0, 0}, {1, 3});
                         },
                         "trans: is 1 x 3; 2 x 3 is needed"},
                        {[](Npz& m) {
                           m["trans"] = doubles({0, 0, 0, 1e13, 0, 0}, {2, 3});
                         },
                         "too far"},
                        {[](Npz& m) {
                           m["betas"] = doubles(std::vector<double>(12), {3, 4});
                         },
                         "betas: is 3 x 4"},
                        {[](Npz& m) { m["mocap_framerate"] = npy_scalar(0.0); }, "no frame rate"},
                        {[](Npz& m) {
                           m["mocap_framerate"] = doubles({1, 2}, {2});
                         },
                         "one number"}};
  for (const Case& c : cases) EXPECT_THAT(error_of(motion(), c.change, read_amass), HasSubstr(c.words));
  EXPECT_EQ(error_of(
                motion(), [](Npz&) {}, read_amass),
            "");
}

}  // namespace
}  // namespace cutis
