/// Seeds whose schedules failed once: every run repeats them.
///
/// A seed makes the same schedule only as long as schedules are drawn in the same way; what it found is
/// kept for good by the schedule cut down, in `FoundScheduleTests`.
enum FoundSeeds {
    static let all: [UInt64] = [
        37, 101, 148, 265, 301, 100_840, 101_117, 200_938, 203_519, 204_615,
    ]
}
