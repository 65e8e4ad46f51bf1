import Records
import SyncCore
import Testing

@Suite("Which files may be freed")
struct FileReleaseTests {
    private static let day: UInt64 = 86_400_000
    private static let now = Milliseconds(100 * day)
    private static let ben = DeviceID(sha256([1]))

    private static func deleted(
        _ written: UInt64, received: UInt64? = nil, unheard: Set<DeviceID> = []
    ) -> FileRelease.Deletion {
        FileRelease.Deletion(
            written: Milliseconds(written * day),
            received: Milliseconds((received ?? written) * day),
            unheard: unheard)
    }

    private static func release(
        _ uses: [FileRelease.Use], _ change: (inout FileRelease) -> Void = { _ in }
    ) -> FileRelease {
        var release = FileRelease()
        release.verifiedAt = Milliseconds(1)
        release.uses = uses
        change(&release)
        return release
    }

    private static let cases: [(String, FileRelease, FileRelease.Verdict)] = [
        ("deleted long ago, and all know", release([.deleted([deleted(60)])]), .free),
        ("on its last day", release([.deleted([deleted(70)])]), .free),
        (
            "a day too early", release([.deleted([deleted(71)])]),
            .later(Milliseconds(101 * day))
        ),
        (
            "dated long ago, and come today", release([.deleted([deleted(10, received: 99)])]),
            .later(Milliseconds(129 * day))
        ),
        (
            "dated in the future", release([.deleted([deleted(200, received: 10)])]),
            .later(Milliseconds(230 * day))
        ),
        (
            "somebody does not know", release([.deleted([deleted(60, unheard: [ben])])]),
            .waits([ben])
        ),
        (
            "the last of several deletions counts",
            release([.deleted([deleted(10), deleted(90)])]), .later(Milliseconds(120 * day))
        ),
        (
            "the last of several spaces counts",
            release([.deleted([deleted(10)]), .deleted([deleted(20, unheard: [ben])])]),
            .waits([ben])
        ),
        ("shown in another space", release([.deleted([deleted(10)]), .kept]), .needed),
        ("shown", release([.kept]), .needed),
        ("named by nothing", release([]), .needed),
        ("not known to be deleted by anything", release([.deleted([])]), .needed),
        (
            "about to be named again",
            release([.deleted([deleted(10)])]) { $0.isBeingAdded = true }, .needed
        ),
        (
            "come a moment ago",
            release([.deleted([deleted(10)])]) { $0.verifiedAt = now },
            .later(Milliseconds(now.value + 3_600_000))
        ),
        ("not here", release([.deleted([deleted(10)])]) { $0.isHere = false }, .absent),
    ]

    @Test("A file goes when all that named it was deleted long enough ago, and everybody knows")
    func verdicts() {
        for (name, release, verdict) in FileReleaseTests.cases {
            #expect(
                release.verdict(days: 30, at: FileReleaseTests.now) == verdict,
                Comment(rawValue: name))
        }
    }

    @Test("Nobody waits for a file that is not here and that only deleted records name")
    func unneeded() {
        let deleted = FileRelease.Use.deleted([FileReleaseTests.deleted(99)])
        func isUnneeded(
            _ uses: [FileRelease.Use], _ change: (inout FileRelease) -> Void = { _ in }
        ) -> Bool {
            FileReleaseTests.release(uses) {
                $0.isHere = false
                change(&$0)
            }.isUnneeded
        }
        #expect(isUnneeded([deleted]))
        #expect(!isUnneeded([deleted, .kept]))
        #expect(!isUnneeded([]))
        #expect(!isUnneeded([deleted]) { $0.isHere = true })
        #expect(!isUnneeded([deleted]) { $0.isBeingAdded = true })
    }

    @Test("A time that cannot be keeps the file")
    func overflow() {
        let never = FileRelease.Deletion(
            written: Milliseconds(1), received: Milliseconds(.max), unheard: [])
        let release = FileReleaseTests.release([.deleted([never])])
        #expect(release.verdict(days: 0, at: FileReleaseTests.now) == .later(Milliseconds(.max)))
        #expect(release.verdict(days: 30, at: FileReleaseTests.now) == .later(Milliseconds(.max)))
    }
}
