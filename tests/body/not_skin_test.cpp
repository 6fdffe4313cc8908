#include "cutis/body/not_skin.h"

#include <gtest/gtest.h>

#include "cutis/body/face_groups.h"

namespace cutis {
namespace {

TEST(NotSkin, WordsOfAName) {
  for (const char* name : {"YetiTeeth_low", "LeftEye", "eye.L", "Armor_01", "antlers", "ShoulderArmour"})
    EXPECT_EQ(named_as(name), NamedAs::Rigid) << name;
  for (const char* name : {"Hair_Mat", "YetiFur_low", "Shirt", "boots.001", "lowerPants", "EyeLashes"})
    EXPECT_EQ(named_as(name), NamedAs::Soft) << name;
  for (const char* name :
       {"", "Body", "Skin", "hairy_skin", "YetiBody_low", "Eyehead_Head", "shared", "Material_1"})
    EXPECT_EQ(named_as(name), NamedAs::Unknown) << name;
}

TEST(FaceGroups, OfMeshesOneAfterAnother) {
  FaceGroups groups;
  groups.append({}, 0, 2);
  EXPECT_TRUE(groups.empty());
  groups.append({{"a", "b"}, {1, -1}}, 2, 2);
  groups.append({}, 4, 1);
  groups.append({{"b"}, {0}}, 5, 1);
  EXPECT_EQ(groups.names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(groups.of_face, (std::vector<std::int32_t>{-1, -1, 1, -1, -1, 1}));
  EXPECT_EQ(groups.counts(), (std::vector<std::size_t>{0, 2}));
}

}  // namespace
}  // namespace cutis
