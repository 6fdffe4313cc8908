#include "cutis/io/gltf/gltf_reader.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include "cutis/core/error.h"
#include "cutis/core/file.h"
#include "cutis/core/log.h"
#include "support/gltf_builder.h"
#include "support/support.h"

namespace cutis {
namespace {

using nlohmann::json;
using test::GltfBuilder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;
using Floats = std::vector<float>;
using Bytes8 = std::vector<std::uint8_t>;
using Shorts = std::vector<std::uint16_t>;

/// Reads bytes as the file "hero.glb"; keeps what the library said.
class Reading {
 public:
  Character operator()(const std::string& bytes, const char* name = "hero.glb") {
    text_.str("");
    set_logger(
        std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::ostream_sink_st>(text_)));
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    struct Silence {
      ~Silence() { set_logger(nullptr); }
    } silence;
    return read_gltf(folder_ / name);
  }
  std::string said() const { return text_.str(); }
  const test::TemporaryFolder& folder() const { return folder_; }

 private:
  test::TemporaryFolder folder_;
  std::ostringstream text_;
};

json& primitive(GltfBuilder& b, int index = 0) { return b.root["meshes"][0]["primitives"][index]; }

std::vector<int> corners(const SourceMesh& mesh) {
  std::vector<int> result;
  for (SourceVertexId v : mesh.corners) result.push_back(v.value);
  return result;
}

TEST(GltfReader, ReadsEverythingFromBinaryAndFromText) {
  Reading read;
  for (const Character& c :
       {read(test::gltf_puppet().glb()), read(test::gltf_puppet().gltf(), "hero.gltf")}) {
    EXPECT_EQ(c.name, "hero");
    ASSERT_EQ(c.meshes.size(), 1u);
    const MeshInstance& m = c.meshes[0];
    EXPECT_EQ(m.name, "square");
    EXPECT_EQ(m.skin, 0);
    EXPECT_EQ(m.mesh.positions[SourceVertexId(2)], Vec3(1, 1, 0));
    EXPECT_THAT(corners(m.mesh), ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_EQ(m.mesh.uvs[CornerId(0)], Vec2(0, 1));  // v points upwards
    EXPECT_EQ(m.mesh.uvs[CornerId(2)], Vec2(1, 0));
    EXPECT_THAT(m.influences.offsets, ElementsAre(0, 1, 3, 4, 6));
    EXPECT_THAT(m.influences.joints, ElementsAre(0, 0, 1, 1, 0, 1));
    EXPECT_DOUBLE_EQ(m.influences.weights[1], 0.2);
    ASSERT_EQ(m.morphs.size(), 1u);
    EXPECT_EQ(m.morphs[0].name, "smile");
    EXPECT_EQ(m.morphs[0].offsets[SourceVertexId(3)], Vec3(0, 0, 2));
    EXPECT_THAT(m.morph_weights, ElementsAre(0.25));
    EXPECT_EQ(c.nodes[2].parent, 1);
    EXPECT_TRUE(c.nodes[2].has_matrix);
    EXPECT_EQ(c.nodes[2].local.translation, Vec3(0, 2, 0));
    EXPECT_EQ(c.skins[0].inverse_bind[1](1, 3), -2);
    ASSERT_EQ(c.clips.size(), 1u);
    EXPECT_EQ(c.clips[0].name, "walk");
    EXPECT_EQ(c.clips[0].tracks[1].interpolation, Interpolation::CubicSpline);
    EXPECT_EQ(c.clips[0].tracks[2].path, TrackPath::MorphWeights);
    EXPECT_EQ(c.clips[0].duration().end, 1);
    EXPECT_THAT(read.said(), IsEmpty());
  }
}

TEST(GltfReader, StripsAndFansBecomeTriangles) {
  Reading read;
  GltfBuilder b = test::gltf_square();
  primitive(b)["indices"] = b.accessor(Bytes8{0, 1, 3, 2, 2}, "SCALAR");
  primitive(b)["mode"] = 5;
  EXPECT_THAT(corners(read(b.glb()).meshes[0].mesh), ElementsAre(0, 1, 3, 1, 2, 3));
  primitive(b)["indices"] = b.accessor(std::vector<std::uint32_t>{0, 1, 2, 3}, "SCALAR");
  primitive(b)["mode"] = 6;
  EXPECT_THAT(corners(read(b.glb()).meshes[0].mesh), ElementsAre(1, 2, 0, 2, 3, 0));
  primitive(b).erase("indices");
  EXPECT_THAT(corners(read(b.glb()).meshes[0].mesh), ElementsAre(1, 2, 0, 2, 3, 0));
}

TEST(GltfReader, PrimitivesFollowOneAnotherUnlessTheyShareVertices) {
  Reading read;
  GltfBuilder b = test::gltf_square();
  json other = primitive(b);
  other["indices"] = b.accessor(Bytes8{3, 2, 1}, "SCALAR");
  b.root["meshes"][0]["primitives"].push_back(other);
  EXPECT_THAT(corners(read(b.glb()).meshes[0].mesh), ElementsAre(0, 1, 2, 0, 2, 3, 3, 2, 1));
  primitive(b, 1)["attributes"]["POSITION"] = b.accessor(Floats{5, 0, 0, 6, 0, 0, 6, 1, 0, 5, 1, 0}, "VEC3");
  const SourceMesh mesh = read(b.glb()).meshes[0].mesh;
  EXPECT_THAT(corners(mesh), ElementsAre(0, 1, 2, 0, 2, 3, 7, 6, 5));
  EXPECT_EQ(mesh.positions[SourceVertexId(4)], Vec3(5, 0, 0));
  primitive(b, 1)["mode"] = 1;
  EXPECT_EQ(read(b.glb()).meshes[0].mesh.vertex_count(), 4u);
  EXPECT_THAT(read.said(), HasSubstr("points or lines"));
}

TEST(GltfReader, FacesKeepTheNamesOfTheirMaterials) {
  Reading read;
  GltfBuilder b = test::gltf_square();
  json other = primitive(b);
  other["indices"] = b.accessor(Bytes8{3, 2, 1}, "SCALAR");
  other["material"] = 1;
  b.root["meshes"][0]["primitives"].push_back(other);
  EXPECT_TRUE(read(b.glb()).meshes[0].materials.empty());
  b.root["materials"] = {{{"name", "Skin"}}, json::object()};
  EXPECT_THAT(read(b.glb()).meshes[0].materials.of_face, ElementsAre(-1, -1, 0));
  primitive(b)["material"] = 0;
  const FaceGroups materials = read(b.glb()).meshes[0].materials;
  EXPECT_THAT(materials.names, ElementsAre("Skin", "material_1"));
  EXPECT_THAT(materials.of_face, ElementsAre(0, 0, 1));
}

TEST(GltfReader, EightWeightsAndUnnormalisedOnes) {
  Reading read;
  GltfBuilder b = test::gltf_puppet();
  json& attributes = primitive(b)["attributes"];
  attributes["WEIGHTS_0"] = b.accessor(Floats{1, 0, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 0.2f, 0.2f, 0, 0}, "VEC4");
  attributes["JOINTS_1"] = b.accessor(Shorts{9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 1, 0, 0}, "VEC4");
  attributes["WEIGHTS_1"] = b.accessor(Floats{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5f, 0.1f, 0, 0}, "VEC4");
  const MeshInstance mesh = read(b.glb()).meshes[0];
  const Influences& in = mesh.influences;
  EXPECT_THAT(in.offsets, ElementsAre(0, 1, 3, 4, 8));
  EXPECT_THAT(in.joints, ElementsAre(0, 0, 1, 0, 0, 1, 0, 1));
  EXPECT_DOUBLE_EQ(in.weights[2], 0.75);
  EXPECT_NEAR(in.weights[6], 0.5, 1e-7);
  EXPECT_THAT(mesh.repairs,
              ElementsAre(HasSubstr("1 of 4 vertices had joint weights that did not sum to one"),
                          HasSubstr("1 of 4 vertices had joint weights of zero only")));
  EXPECT_THAT(read.said(), IsEmpty());  // only who simulates the mesh wants to know
}

TEST(GltfReader, WeightsOfJointsThatTheSkinDoesNotHaveAreLeftOut) {
  Reading read;
  GltfBuilder b = test::gltf_puppet();
  json& attributes = primitive(b)["attributes"];
  attributes["JOINTS_0"] = b.accessor(Bytes8{0, 1, 0, 0, 1, 7, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0}, "VEC4");
  attributes["WEIGHTS_0"] =
      b.accessor(Floats{0.5f, 0.5f, 0, 0, 0.25f, 0.75f, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4");
  const MeshInstance mesh = read(b.glb()).meshes[0];
  EXPECT_THAT(mesh.influences.offsets, ElementsAre(0, 2, 3, 4, 5));
  EXPECT_THAT(mesh.influences.joints, ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(mesh.influences.weights, ElementsAre(0.5, 0.5, 1, 1, 1));
  EXPECT_THAT(mesh.repairs, ElementsAre(AllOf(HasSubstr("2 of 4 vertices hang on joints"),
                                              HasSubstr("(up to joint 9 of 2)"))));
}

TEST(GltfReader, SparseAndBufferlessAccessors) {
  Reading read;
  GltfBuilder b = test::gltf_puppet();
  const int where = b.view(Bytes8{1, 3}), what = b.view(Floats{7, 8, 9, 10, 11, 12});
  json sparse = {{"count", 2},
                 {"indices", {{"bufferView", where}, {"componentType", 5121}}},
                 {"values", {{"bufferView", what}}}};
  const int target = primitive(b)["targets"][0]["POSITION"];
  b.root["accessors"][target]["sparse"] = sparse;
  EXPECT_EQ(read(b.glb()).meshes[0].morphs[0].offsets[SourceVertexId(0)], Vec3(0, 0, 1));
  EXPECT_EQ(read(b.glb()).meshes[0].morphs[0].offsets[SourceVertexId(3)], Vec3(10, 11, 12));
  b.root["accessors"][target].erase("bufferView");
  EXPECT_EQ(read(b.glb()).meshes[0].morphs[0].offsets[SourceVertexId(0)], Vec3(0, 0, 0));
  EXPECT_EQ(read(b.glb()).meshes[0].morphs[0].offsets[SourceVertexId(1)], Vec3(7, 8, 9));
}

TEST(GltfReader, StridedAndNormalisedIntegers) {
  Reading read;
  GltfBuilder b = test::gltf_square();
  // Positions as normalised bytes, four bytes apart; the lowest value is clamped to -1.
  const int p =
      b.accessor(std::vector<std::int8_t>{127, -128, 0, 99, -127, 127, 0, 99, 0, 0, 127, 99}, "VEC4", true);
  b.root["accessors"][p]["type"] = "VEC3";
  b.root["bufferViews"].back()["byteStride"] = 4;
  primitive(b)["attributes"]["POSITION"] = p;
  primitive(b).erase("indices");
  const SourceMesh mesh = read(b.glb()).meshes[0].mesh;
  EXPECT_EQ(mesh.positions[SourceVertexId(0)], Vec3(1, -1, 0));
  EXPECT_EQ(mesh.positions[SourceVertexId(2)], Vec3(0, 0, 1));
}

TEST(GltfReader, NodeWeightsWinOverMeshWeights) {
  Reading read;
  GltfBuilder b = test::gltf_puppet();
  b.root["nodes"][0]["weights"] = {0.75};
  EXPECT_THAT(read(b.glb()).meshes[0].morph_weights, ElementsAre(0.75));
}

TEST(GltfReader, NamesAreUniqueAndNeverEmpty) {
  Reading read;
  GltfBuilder b = test::gltf_puppet();
  b.root["nodes"].push_back({{"mesh", 0}, {"name", "twin"}});
  b.root["nodes"].push_back({{"mesh", 0}});
  b.root["animations"].push_back(b.root["animations"][0]);
  b.root["animations"].push_back(b.root["animations"][0]);
  b.root["animations"][2].erase("name");
  const Character c = read(b.glb());
  ASSERT_EQ(c.meshes.size(), 3u);
  EXPECT_EQ(c.meshes[1].name, "twin");
  EXPECT_EQ(c.meshes[1].skin, -1);
  EXPECT_EQ(c.meshes[2].name, "square_2");
  EXPECT_EQ(c.clips[1].name, "walk_2");
  EXPECT_EQ(c.clips[2].name, "clip_2");
}

TEST(GltfReader, BuffersAndPicturesMayLieBesideTheFile) {
  Reading read;
  GltfBuilder b = test::gltf_square();
  json all = b.root;
  all["buffers"] = {{{"byteLength", b.binary.size()}, {"uri", "my%20data.bin"}}};
  all["images"] = {{{"uri", "there_is_no_such_picture.png"}}};
  write_file_whole(read.folder() / "my data.bin", b.binary);
  EXPECT_EQ(read(all.dump(), "hero.gltf").meshes[0].mesh.vertex_count(), 4u);
  std::filesystem::remove(read.folder() / "my data.bin");
  EXPECT_THAT([&] { read(all.dump(), "hero.gltf"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("hero.gltf"), HasSubstr("my data.bin"))));
}

TEST(GltfReader, NothingOutsideTheFoldersIsRead) {
  Reading read;
  std::filesystem::create_directory(read.folder() / "in");
  GltfBuilder b = test::gltf_square();
  json all = b.root;
  for (const char* name : {"out.bin", "in/below.bin"}) write_file_whole(read.folder() / name, b.binary);
  const auto with = [&](const std::string& uri) {
    all["buffers"] = {{{"byteLength", b.binary.size()}, {"uri", uri}}};
    return all.dump();
  };
  for (const std::string& uri :
       {std::string("../out.bin"), std::string("%2E%2E%2Fout.bin"), std::string("..\\out.bin"),
        std::string("x/../../out.bin"), (read.folder() / "out.bin").string()})
    EXPECT_THAT([&] { read(with(uri), "in/hero.gltf"); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("hero.gltf"), HasSubstr("leaves the folder"))))
        << uri;
  EXPECT_THAT([&] { read(with("http://host/out.bin"), "in/hero.gltf"); },
              ThrowsMessage<InputError>(HasSubstr("address")));
  EXPECT_EQ(read(with("in/below.bin"), "hero.gltf").meshes.size(), 1u);
  // What lies in the working folder is not beside the file.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(read.folder().path());
  EXPECT_THROW(read(with("out.bin"), "in/hero.gltf"), InputError);
  std::filesystem::current_path(before);
}

TEST(GltfReader, ThousandsMayShareOneName) {
  Reading read;
  GltfBuilder b = test::gltf_square();
  for (int i = 1; i < 5000; ++i) b.root["nodes"].push_back({{"mesh", 0}});
  const Character c = read(b.glb());
  EXPECT_EQ(c.meshes[1].name, "square_2");
  EXPECT_EQ(c.meshes[4999].name, "square_5000");
}

struct Mistake {
  const char* what;
  std::function<void(GltfBuilder&)> make;
  const char* word;
};

TEST(GltfReader, MistakesAreNamedWithFileAndPlace) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Mistake> mistakes = {
      {"index",
       [](auto& b) {
         primitive(b)["indices"] = b.accessor(Bytes8{0, 1, 4}, "SCALAR");
       },
       "below 4"},
      {"corners",
       [](auto& b) {
         primitive(b)["indices"] = b.accessor(Bytes8{0, 1}, "SCALAR");
       },
       "whole triangles"},
      {"no positions", [](auto& b) { primitive(b)["attributes"].erase("POSITION"); }, "no POSITION"},
      {"accessor", [](auto& b) { primitive(b)["attributes"]["POSITION"] = 99; }, "no accessor 99"},
      {"NaN", [=](auto& b) { primitive(b)["attributes"]["POSITION"] = b.accessor(Floats(12, nan), "VEC3"); },
       "finite"},
      {"far",
       [=](auto& b) { primitive(b)["attributes"]["POSITION"] = b.accessor(Floats(12, 1e13f), "VEC3"); },
       "beyond 1e+12"},
      {"chunk twice",
       [](auto& b) {
         b.root["buffers"] = json::array({{{"byteLength", 4}}, {{"byteLength", 4}}});
       },
       "binary chunk"},
      {"type", [](auto& b) { b.root["accessors"][0]["type"] = "VEC2"; }, "3 expected"},
      {"past the view", [](auto& b) { b.root["accessors"][0]["count"] = 5; }, "do not fit"},
      {"huge", [](auto& b) { b.root["accessors"][0]["count"] = 1ull << 62; }, "too many vertices"},
      {"huge times",
       [](auto& b) {
         json& times =
             b.root["accessors"][b.root["animations"][0]["samplers"][0]["input"].template get<int>()];
         times["count"] = 1ull << 40;
         times.erase("bufferView");
       },
       "more than can be read"},
      {"offset", [](auto& b) { b.root["accessors"][0]["byteOffset"] = 4; }, "do not fit"},
      {"past the buffer", [](auto& b) { b.root["bufferViews"][0]["byteOffset"] = 1 << 20; },
       "past its buffer"},
      {"uv count",
       [](auto& b) { primitive(b)["attributes"]["TEXCOORD_0"] = b.accessor(Floats(6, 0), "VEC2"); },
       "TEXCOORD_0: has 3 elements"},
      {"no weights", [](auto& b) { primitive(b)["attributes"].erase("WEIGHTS_0"); }, "no WEIGHTS_0"},
      {"bind matrices",
       [](auto& b) {
         b.root["skins"][0]["joints"] = {1, 2, 1};
       },
       "2 matrices for 3 joints"},
      {"joint node",
       [](auto& b) {
         b.root["skins"][0]["joints"] = {1, 7};
       },
       "no node 7"},
      {"skin", [](auto& b) { b.root["nodes"][0]["skin"] = 3; }, "no skin 3"},
      {"mesh", [](auto& b) { b.root["nodes"][0]["mesh"] = 3; }, "no mesh 3"},
      {"cycle", [](auto& b) { b.root["nodes"][2]["children"] = {1}; }, "own ancestor"},
      {"two parents", [](auto& b) { b.root["nodes"][0]["children"] = {2}; }, "another parent"},
      {"child", [](auto& b) { b.root["nodes"][0]["children"] = {-5}; }, "no node -5"},
      {"matrix",
       [](auto& b) {
         b.root["nodes"][2]["matrix"] = {1, 2, 3};
       },
       "16 expected"},
      {"projection", [](auto& b) { b.root["nodes"][2]["matrix"][3] = 1; }, "affine"},
      {"rotation",
       [](auto& b) {
         b.root["nodes"][1]["rotation"] = {0, 0, 0, 0};
       },
       "zeros"},
      {"morph counts",
       [](auto& b) {
         b.root["meshes"][0]["weights"] = {1, 2};
       },
       "1 morph targets"},
      {"track values",
       [](auto& b) { b.root["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; },
       "2 keys need 24"},
      {"interpolation", [](auto& b) { b.root["animations"][0]["samplers"][0]["interpolation"] = "WOBBLE"; },
       "WOBBLE"},
      {"sampler", [](auto& b) { b.root["animations"][0]["channels"][0]["sampler"] = 8; }, "no sampler 8"},
      {"times",
       [](auto& b) {
         b.root["animations"][0]["samplers"][0]["input"] = b.accessor(Floats{1, 0}, "SCALAR");
       },
       "comes before"},
      {"zero turn",
       [](auto& b) { b.root["animations"][0]["samplers"][0]["output"] = b.accessor(Floats(8, 0), "VEC4"); },
       "key 0"},
      {"extension",
       [](auto& b) {
         b.root["extensionsRequired"] = {"KHR_draco_mesh_compression", "KHR_materials_unlit"};
       },
       "needs KHR_draco_mesh_compression, which"},
      {"no mesh", [](auto& b) { b.root["nodes"][0].erase("mesh"); }, "no node carries"},
      {"deep",
       [](auto& b) {
         json deep = 1;
         for (int i = 0; i < 300; ++i) deep = json::array({deep});
         b.root["extras"] = deep;
       },
       "nested"},
  };
  Reading read;
  for (const Mistake& m : mistakes) {
    GltfBuilder b = test::gltf_puppet();
    m.make(b);
    EXPECT_THAT([&] { read(b.glb()); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("hero.glb: "), HasSubstr(m.word))))
        << m.what;
  }
}

TEST(GltfReader, MissingFilesAndOtherFilesAreRefused) {
  Reading read;
  EXPECT_THAT([] { read_gltf("/there/is/no/such.glb"); },
              ThrowsMessage<InputError>(HasSubstr("no such file")));
  for (const std::string& bytes :
       {std::string(), std::string("glTF"), std::string("hello"), std::string("{}"), std::string("[1, 2, 3]"),
        std::string("{\"asset\": 3}")})
    EXPECT_THAT([&] { read(bytes); }, ThrowsMessage<InputError>(HasSubstr("hero.glb"))) << bytes;
}

/// Reads damaged bytes: they may turn out readable, but nothing else than InputError may come out.
void expect_no_crash(Reading& read, const std::string& bytes, const std::string& what) {
  try {
    const Character c = read(bytes);
    for (const MeshInstance& m : c.meshes)
      for (const Vec3& p : m.mesh.positions) ASSERT_TRUE(p.allFinite()) << what;
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("hero.glb")) << what;
  } catch (const std::exception& e) {
    FAIL() << what << ": " << e.what();
  }
}

TEST(GltfReader, TruncatedFilesAreRefused) {
  Reading read;
  const std::string whole = test::gltf_puppet().glb();
  for (std::size_t n = 0; n < whole.size(); n += 1 + n / 50)
    EXPECT_THROW(read(whole.substr(0, n)), InputError) << n << " bytes";
}

TEST(GltfReader, EveryValueMayBeWrong) {
  Reading read;
  const GltfBuilder good = test::gltf_puppet();
  const json leaves = good.root.flatten();
  const json evil[] = {-1, 0, 3, 1000000, 2147483647, 4294967296ull, 1e300, 0.5, "x", nullptr, json::array()};
  for (const auto& [pointer, value] : leaves.items())
    for (const json& wrong : evil) {
      GltfBuilder b = good;
      b.root[json::json_pointer(pointer)] = wrong;
      expect_no_crash(read, b.glb(), pointer + " = " + wrong.dump());
    }
}

TEST(GltfReader, AnyByteMayBeWrong) {
  Reading read;
  const std::string good = test::gltf_puppet().glb();
  std::mt19937 random(11);
  for (int i = 0; i < 600; ++i) {
    std::string bytes = good;
    for (int k = 0; k < 1 + i % 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    expect_no_crash(read, bytes, "variant " + std::to_string(i));
  }
}

}  // namespace
}  // namespace cutis
