/// Seeds whose schedules failed once: every run repeats them.
///
/// A seed makes the same schedule only as long as schedules are drawn in the same way; what it found is
/// kept for good by the schedule cut down, in `FoundScheduleTests`.
enum FoundSeeds {
    static let all: [UInt64] = [
        37, 101, 148, 265, 301, 100_840, 101_117, 200_938, 203_519, 204_615, 7_001_379, 7_065_491,
        7_084_093, 7_092_609, 7_093_270, 7_106_913, 7_147_437, 7_161_049, 70_019_075,
        70_023_783, 70_031_846, 70_037_892, 70_046_626, 70_053_621, 80_000_977, 80_002_984,
        80_003_448,
        5_258_187_417,
        7_680_211_859, 12_444_092_220, 27_171_057_929, 62_489_530_214,
        27_171_060_343, 27_171_071_573, 27_171_072_239, 27_171_082_270, 27_171_083_135,
        27_171_084_431, 27_171_089_571, 27_171_092_655,
    ]
}
