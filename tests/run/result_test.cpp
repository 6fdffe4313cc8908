#include "cutis/run/result.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cutis/core/error.h"
#include "cutis/run/checksums.h"
#include "run/lagging.h"
#include "support/support.h"

namespace cutis {
namespace {

using Start = ResultWriter::Start;
using testing::HasSubstr;

Summary summary_of(const std::string& shot) {
  Summary s;
  s.versions = {{"cutis", "1.2.3"}};
  s.shot = shot;
  s.inputs = {{"fox.glb", "aa"}};
  s.frames = 3;
  s.times = {0, 0.1, 0.2};
  return s;
}

ResultFrame frame_of(const ResultMesh& mesh, int number) {
  ResultFrame f{{number, 0.1 * number, mesh.mesh.positions, {}}};
  for (Vec3& p : f.positions) p *= 1 + 0.125 * number;
  return f;
}

class Result : public testing::Test {
 protected:
  test::TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_ / "out";
  test::WavingRing body_{8, 6, 1};
  ResultMesh mesh_ = result_mesh(body_);

  std::string refusal(const Summary& summary, Start start) {
    try {
      ResultWriter(folder_, mesh_, summary, start);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Result, MeshComesBackAsWritten) {
  ResultWriter(folder_, mesh_, summary_of("a"), Start::Fresh);
  const ResultMesh back = ResultReader(folder_).mesh();
  EXPECT_EQ(back.mesh.positions, mesh_.mesh.positions);
  EXPECT_EQ(back.mesh.face_offsets, mesh_.mesh.face_offsets);
  EXPECT_EQ(back.mesh.corners, mesh_.mesh.corners);
  EXPECT_EQ(back.mesh.uvs, mesh_.mesh.uvs);
  EXPECT_EQ(back.welded, mesh_.welded);
  EXPECT_EQ(back.triangles, mesh_.triangles);
  EXPECT_EQ(back.triangle_faces, mesh_.triangle_faces);
}

TEST_F(Result, TrianglesJoinSeamsAndCoverTheSurface) {
  EXPECT_EQ(mesh_.triangles.size(), 2u * 8 * 6);
  EXPECT_TRUE(is_closed(mesh_.triangles));
  EXPECT_GT(enclosed_volume(mesh_.mesh.positions.raw(), mesh_.triangles), 0);
}

TEST_F(Result, FramesComeBackWithTheirFields) {
  ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Fresh);
  ResultFrame frame = frame_of(mesh_, 1);
  frame.fields["strain"] = npy_array(std::vector<float>{1, 2, 3});
  writer.write_frame(frame, {});
  const ResultReader reader(folder_);
  ASSERT_EQ(reader.frame_count(), 1);
  const ResultFrame back = reader.frame(1);
  EXPECT_EQ(back.number, 1);
  EXPECT_EQ(back.time, 0.1);
  EXPECT_EQ(back.positions, frame.positions);
  EXPECT_EQ(back.fields, frame.fields);
  EXPECT_THROW(reader.frame(2), InputError);
}

TEST_F(Result, SinglePrecisionRoundsToFloat) {
  Summary summary = summary_of("a");
  summary.precision = FramePrecision::Float32;
  ResultWriter writer(folder_, mesh_, summary, Start::Fresh);
  const ResultFrame frame = frame_of(mesh_, 1);
  writer.write_frame(frame, {});
  const ResultFrame back = ResultReader(folder_).frame(1);
  for (SourceVertexId v : ids<SourceVertexId>(back.positions.size()))
    EXPECT_EQ(back.positions[v], frame.positions[v].cast<float>().cast<double>());
}

TEST_F(Result, ResumesWhereTheStateWasSaved) {
  const State state{{{"velocity", {1, 2, 3}}, {"empty", {}}}, {{"face", {4, -1}}}};
  {
    ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Fresh);
    writer.write_frame(frame_of(mesh_, 1), {});
    writer.write_frame(frame_of(mesh_, 2), state);
  }
  ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Resume);
  EXPECT_EQ(writer.frames(), 2);
  EXPECT_EQ(writer.saved_state(), state);
}

TEST_F(Result, AFrameThatDoesNotMatchItsChecksumIsNotTrusted) {
  {
    ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Fresh);
    writer.write_frame(frame_of(mesh_, 1), {});
    writer.write_frame(frame_of(mesh_, 2), {});
  }
  std::ofstream(folder_ / "frames/000001.npz", std::ios::app) << "x";
  ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Resume);
  EXPECT_EQ(writer.frames(), 0);
  EXPECT_EQ(ResultReader(folder_).frame_count(), 0);
}

TEST_F(Result, AFreshRunReplacesAnOlderOneAndLeavesOtherFilesAlone) {
  {
    ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Fresh);
    writer.write_frame(frame_of(mesh_, 1), {});
  }
  std::ofstream(folder_ / "notes.txt") << "mine";
  ResultWriter writer(folder_, mesh_, summary_of("b"), Start::Fresh);
  const ResultReader reader(folder_);
  EXPECT_EQ(reader.frame_count(), 0);
  EXPECT_EQ(reader.summary().shot, "b");
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "frames"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "notes.txt"));
}

TEST_F(Result, NamesWhatChangedSinceTheRunToResume) {
  ResultWriter(folder_, mesh_, summary_of("[skin]\nthickness = 1\n"), Start::Fresh);
  EXPECT_THAT(refusal(summary_of("[skin]\nthickness = 2\n"), Start::Resume),
              HasSubstr("line 2 was \"thickness = 1\" and is \"thickness = 2\""));
  Summary now = summary_of("[skin]\nthickness = 1\n");
  now.inputs[0].sha256 = "bb";
  EXPECT_THAT(refusal(now, Start::Resume), HasSubstr("the input fox.glb changed"));
  now = summary_of("[skin]\nthickness = 1\n");
  now.versions[0].second = "2.0.0";
  EXPECT_THAT(refusal(now, Start::Resume), HasSubstr("from 1.2.3 to 2.0.0"));
  now = summary_of("[skin]\nthickness = 1\n");
  now.frames = 4;
  now.times.push_back(0.3);
  EXPECT_THAT(refusal(now, Start::Resume), HasSubstr("from 3 to 4"));
  now = summary_of("[skin]\nthickness = 1\n");
  now.times[1] = 0.15;
  EXPECT_THAT(refusal(now, Start::Resume), HasSubstr("times of the frames changed"));
}

TEST_F(Result, AnotherMeshIsNotGoneOnWith) {
  {
    ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Fresh);
    writer.write_frame(frame_of(mesh_, 1), {});
  }
  mesh_.mesh.positions[SourceVertexId(3)].x() += 1e-9;
  EXPECT_THAT(refusal(summary_of("a"), Start::Resume), HasSubstr("mesh changed"));
}

TEST_F(Result, RefusesAFolderThatIsNotAResultAndASecondWriter) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "summary.json") << "{}";
  EXPECT_THAT(refusal(summary_of("a"), Start::Fresh), HasSubstr("not a Cutis result"));
  EXPECT_FALSE(is_result(folder_));
  std::filesystem::remove(folder_ / "summary.json");
  std::ofstream(folder_ / "summary.json.part") << "{";
  ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Fresh);
  EXPECT_TRUE(is_result(folder_));
  EXPECT_THAT(refusal(summary_of("a"), Start::Resume), HasSubstr("another run"));
}

TEST_F(Result, DamageIsAnErrorThatNamesTheFile) {
  ResultWriter writer(folder_, mesh_, summary_of("a"), Start::Fresh);
  Npz arrays = read_npz(folder_ / "mesh.npz");
  arrays["triangles"] = npy_array(std::vector<std::int32_t>{0, 1, 100000});
  write_npz(folder_ / "mesh.npz", arrays);
  try {
    ResultReader reader(folder_);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("mesh.npz"), HasSubstr("triangles: 100000")));
  }
  EXPECT_THROW(ResultReader(temporary_ / "nowhere"), InputError);
}

TEST_F(Result, SummariesThatLieAreRefused) {
  test::TemporaryFolder folder;
  const std::string good = to_json(summary_of("a"));
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    write_file_whole(folder / "summary.json", text);
    try {
      read_summary(folder / "summary.json");
    } catch (const InputError& error) {
      return std::string(error.what()).find('\n') == std::string::npos;
    }
    return false;
  };
  EXPECT_FALSE(refused("\"complete\"", "\"complete\""));
  const std::string cores = "\"cores\": " + std::to_string(summary_of("a").machine.cores);
  for (const char* number : {"1e300", "0.5", "-1", "4294967296", "null", "\"2\""})
    EXPECT_TRUE(refused(cores, std::string("\"cores\": ") + number)) << number;
  // Deep enough to end a program that follows it by recursion.
  EXPECT_TRUE(refused("\"cutis result 1\"", std::string(1000000, '[') + std::string(1000000, ']')));
}

TEST_F(Result, SummaryComesBackAsWritten) {
  Summary s = summary_of("name = \"Füchschen\"\n");
  s.figures = {{"a", "travel", "all", 0.1 + 0.2, "size", {}, 0.5, true},
               {"b", "travel", "3", NAN, "size", 1.0, {}, false}};
  s.lag = {{"trunk", 0.25, 0.5}, {"head", 0, 0.125}};
  s.machine = {"a cpu", 8, 2};
  s.stages = {{"slide", 1.5}};
  s.frame_times.add(0.25);
  s.frame_times.add(0.75);
  s.peak_memory = 1LL << 40;
  s.complete = true;
  s.notes = {{1, {"elements softened", 7, 0.25, "m"}}, {3, {"elements softened", 5, 0.5, "m"}}};
  s.below = {as_earlier_stage("flesh", s)};
  s.still = "the body holds still";
  ResultWriter writer(folder_, mesh_, s, Start::Fresh);
  const Summary back = read_summary(folder_ / "summary.json");
  EXPECT_EQ(to_json(back), to_json(s));
  EXPECT_EQ(back.lag, s.lag);
  EXPECT_EQ(back.figures[0].value, 0.1 + 0.2);
  EXPECT_EQ(back.figures[0].at_most, 0.5);
  EXPECT_FALSE(back.figures[0].at_least);
  EXPECT_TRUE(std::isnan(back.figures[1].value));
  EXPECT_EQ(back.frame_times.mean(), 0.5);
  EXPECT_EQ(back.frame_times.shortest, 0.25);
  EXPECT_EQ(back.below.at(0).notes.at(1).note.largest, 0.5);
  EXPECT_EQ(note_words(back.notes, 4),
            std::vector<std::string>{
                "elements softened: in 2 of 4 frames, at most 7 (in frame 1), by up to 0.5 m"});
  EXPECT_EQ(warnings(back), std::vector<std::string>{"the body holds still"});
  EXPECT_EQ(difference(back, s), "");
}

TEST_F(Result, TextThatIsNotUtf8MakesNoDifference) {
  const Summary s = summary_of("name = \"\xff\"\n");
  ResultWriter(folder_, mesh_, s, Start::Fresh);
  EXPECT_EQ(difference(read_summary(folder_ / "summary.json"), s), "");
}

TEST(Checksums, ATornLastLineIsPassedOver) {
  test::TemporaryFolder folder;
  const auto path = folder / "sums";
  EXPECT_TRUE(read_checksums(path).empty());
  append_checksum(path, "a", std::string(64, '1'));
  append_checksum(path, "b", std::string(64, '2'));
  std::ofstream(path, std::ios::app) << std::string(64, '3') << "  c";
  const Checksums sums = read_checksums(path);
  EXPECT_EQ(sums, (Checksums{{"a", std::string(64, '1')}, {"b", std::string(64, '2')}}));
  EXPECT_THROW(append_checksum(folder / "missing/sums", "a", ""), IoError);
}

}  // namespace
}  // namespace cutis
