import LocalAPI
import Records
import SyncCore
import Testing

@Suite("Why something is not everywhere")
struct WhyTests {
    private static let mine = LogID(device: device(1), incarnation: .zero)
    private static let blob = BlobID(sha256([1]))
    private let ben = device(2)

    private static func device(_ number: UInt8) -> DeviceID { DeviceID(sha256([number])) }

    /// A record of two commits, the 3rd and the 5th of this device's log, with or without a file.
    private func record(file: Bool? = nil) -> RecordSyncState {
        var record = RecordSyncState()
        record.commits = [Self.mine: [3, 5]]
        if let file {
            record.files = [
                .init(blob: Self.blob, isHere: file, bytesHere: file ? 7 : 2, size: 7)
            ]
        }
        return record
    }

    /// Ben alone may read; `acked` is how far he said he read, nil for never.
    private func readers(
        acked: UInt64?, held: UInt64? = nil, missing: [BlobID] = [], traffic: Traffic = Traffic()
    ) -> SpaceSyncState {
        let ack = acked.map {
            Watermark([
                LogPosition(log: Self.mine, head: LogHead(sequence: $0, commit: .zero))
            ])
        }
        let said = held.map {
            Holdings(
                space: .zero, device: ben, counter: 1, held: $0, missing: missing,
                missingCount: UInt64(missing.count), missingBytes: 0)
        }
        return SpaceSyncState(
            others: [ben], acks: ack.map { [ben: $0] } ?? [:],
            holdings: said.map { [ben: $0] } ?? [:], fileCount: 1, traffic: traffic)
    }

    private func findings(
        _ record: RecordSyncState, _ readers: SpaceSyncState,
        _ circumstances: WhyCircumstances = WhyCircumstances(of: .zero)
    ) throws -> (here: WhyFinding, ben: WhyFinding) {
        let all = WhyDiagnosis(
            record, readers, circumstances
        ).findings
        #expect(all.map(\.device) == [nil, ben])
        return (try #require(all.first), try #require(all.last))
    }

    private func connected(_ change: (inout Traffic) -> Void = { _ in }) -> Traffic {
        var traffic = Traffic()
        traffic.connected = [ben]
        traffic.sharing = [ben]
        change(&traffic)
        return traffic
    }

    /// Ben was there at second 9 and has an address.
    private var away: WhyCircumstances {
        var circumstances = WhyCircumstances(of: .zero)
        var facts = DeviceFacts(ben)
        facts.lastSeen = Milliseconds(9_000)
        circumstances.devices[ben] = facts
        return circumstances
    }

    @Test("a record that every device has needs no reason")
    func everywhere() throws {
        let found = try findings(record(file: true), readers(acked: 5, held: 1))
        #expect(found.here.state == .complete)
        #expect(found.ben.state == .complete)
        #expect(found.here.reasons.isEmpty && found.ben.reasons.isEmpty)
    }

    @Test("counts the commits that a device lacks, and tells since when it is away")
    func lacksChanges() throws {
        let one = try findings(record(), readers(acked: 4), away).ben
        #expect(one.state == .lacksChanges)
        #expect(one.changes == 1)
        #expect(one.reasons == [.notConnected(since: Milliseconds(9_000))])
        #expect(try findings(record(), readers(acked: 2), away).ben.changes == 2)
    }

    @Test("a device without any address is out of reach; one that does not answer is called")
    func ways() throws {
        #expect(try findings(record(), readers(acked: 2)).ben.reasons == [.noWay])
        let calls = CallFacts(
            failures: 2, nextTry: nil, error: .noAnswer, kind: .noNetwork)
        var failing = away
        failing.devices[ben]?.calls = calls
        #expect(
            try findings(record(), readers(acked: 2), failing).ben.reasons
                == [.notConnected(since: Milliseconds(9_000)), .callFailed(calls)])
    }

    @Test("an obstacle between two devices is the reason, connected or not; a full disk comes last")
    func obstacles() throws {
        let absence = WhyFinding.Reason.notConnected(since: Milliseconds(9_000))
        for (traffic, first) in [(Traffic(), [absence]), (connected(), [])] {
            var full = away
            full.devices[ben]?.isDiskFull = true
            #expect(
                try findings(record(), readers(acked: 2, traffic: traffic), full).ben.reasons
                    == first + [.problem(.diskFullThere(ben))])
        }
        var forgotten = away
        forgotten.devices[ben]?.distrustsThis = true
        #expect(
            try findings(record(), readers(acked: 2), forgotten).ben.reasons
                == [.problem(.distrusted(ben))])
    }

    @Test("a file that every device lacks is lost everywhere; nothing waits for a device")
    func lost() throws {
        let lacking = readers(
            acked: 5, held: 0, missing: [Self.blob], traffic: connected())
        let found = try findings(record(file: false), lacking, away)
        #expect(found.here.reasons == [.problem(.lostFiles(.zero, 1))])
        #expect(found.ben.reasons == [.problem(.lostFiles(.zero, 1))])
    }

    @Test("a file that was freed here, and that no device has, is said to be freed")
    func freed() throws {
        var state = record(file: false)
        let time = Milliseconds(7)
        state.files = [
            .init(blob: Self.blob, isHere: false, bytesHere: 0, freedAt: time)
        ]
        let lacking = readers(
            acked: 5, held: 0, missing: [Self.blob], traffic: connected())
        let found = try findings(state, lacking, away)
        #expect(found.here.reasons == [.problem(.freedFiles(.zero, 1, at: time))])
        #expect(found.ben.reasons == [.problem(.freedFiles(.zero, 1, at: time))])
    }

    @Test("an obstacle of this device goes before the absence of others")
    func own() throws {
        var off = away
        off.here.isSyncOn = false
        #expect(
            try findings(record(), readers(acked: 2), off).ben.reasons == [.problem(.syncOff)])
        var without = away
        without.here.isAgentRunning = false
        #expect(
            try findings(record(), readers(acked: 2), without).ben.reasons
                == [.problem(.noAgent)])
        var stopped = off
        stopped.here.storageFault = .broken(.diskFull)
        let fault = StatusProblem.storageFault(
            sentence: APIError.diskFull.message, hint: APIError.diskFull.advice)
        #expect(
            try findings(record(), readers(acked: 2), stopped).ben.reasons == [.problem(fault)])
    }

    @Test("a connected device gets it soon, or right now")
    func connectedDevice() throws {
        let soon = readers(acked: 2, traffic: connected())
        #expect(try findings(record(), soon, away).ben.reasons == [.soon])
        let moving = readers(acked: 2, traffic: connected { $0.taking = [ben] })
        #expect(try findings(record(), moving, away).ben.reasons == [.moving])
    }

    @Test("without a network nothing is in reach, even while a session is still open")
    func withoutNetwork() throws {
        // given
        var cut = away
        cut.here.hasNetwork = false
        cut.devices[ben]?.link = .connected()
        // then
        for traffic in [connected(), connected { $0.taking = [ben] }] {
            let found = try findings(record(), readers(acked: 2, traffic: traffic), cut).ben
            #expect(found.reasons == [.problem(.noNetwork)])
        }
        let coming = readers(
            acked: 5, held: 1, traffic: connected { $0.coming = [Self.blob] })
        #expect(
            try findings(record(file: false), coming, cut).here.reasons == [.problem(.noNetwork)])
    }

    @Test("a device that does not answer is not in reach, as status says")
    func silent() throws {
        // given
        var mute = away
        mute.devices[ben]?.link = .connected(silence: 9_000)
        let traffic = connected {
            $0.taking = [ben]
            $0.coming = [Self.blob]
        }
        // when
        let left = readers(acked: 2, traffic: traffic).without(silent: [ben])
        let there = try findings(record(), left, mute).ben
        let here = readers(acked: 5, held: 1, traffic: traffic).without(silent: [ben])
        // then
        #expect(there.reasons == [.problem(.silent(ben, seconds: 9))])
        #expect(
            try findings(record(file: false), here, mute).here.reasons
                == [.noSource(holders: [ben])])
        let before = readers(acked: 4, traffic: traffic)
        #expect(WhyDiagnosis(record(), before, mute).status == .uploading)
        let sending = WhyDiagnosis(record(), before.without(silent: [ben]), mute)
        #expect(sending.status == .needsUpload)
    }

    @Test("a device that never acknowledged the space has not accepted it, as far as is known")
    func notAccepted() throws {
        let silent = try findings(record(file: true), readers(acked: nil), away).ben
        #expect(silent.state == .notAccepted)
        #expect(silent.changes == 2 && silent.files.count == 1)
        #expect(silent.reasons.first == .notAccepted)
        #expect(silent.reasons.count == 2)
        var traffic = connected()
        traffic.sharing = []
        traffic.withoutSpace = [ben]
        let asked = try findings(record(), readers(acked: nil, traffic: traffic), away).ben
        #expect(asked.reasons == [.notAccepted])
        // It listed the space: it took it, and its word is on the way.
        let taking = try findings(record(), readers(acked: nil, traffic: connected()), away).ben
        #expect(taking.state == .lacksChanges)
    }

    @Test("a device lacks a file when it says so; a silent one may have it")
    func files() throws {
        let lacks = try findings(
            record(file: true), readers(acked: 5, held: 0, missing: [Self.blob]), away
        ).ben
        #expect(lacks.state == .lacksFiles)
        #expect(lacks.files.map(\.size) == [7])
        #expect(lacks.changes == 0)
        let silent = try findings(record(file: true), readers(acked: 5), away).ben
        #expect(silent.state == .unknown)
        #expect(silent.reasons.first == .filesUnsaid)
    }

    @Test("a file that cannot be read here does not come by itself, unless another device sends it")
    func closedFolder() throws {
        // given
        var closed = away
        closed.here.storageFault = .closedFiles(folder: "/home/ann/blobs")
        let fault = WhyFinding.Reason.problem(.closedFiles(folder: "/home/ann/blobs"))
        let lacking = readers(acked: 5, held: 0, missing: [Self.blob], traffic: connected())
        let diagnosis = WhyDiagnosis(record(file: true), lacking, closed)
        // then
        #expect(try findings(record(file: true), lacking, away).ben.reasons == [.soon])
        #expect(try findings(record(file: true), lacking, closed).ben.reasons == [fault])
        #expect(
            diagnosis.reasons(for: ben, sendsFiles: true, onlyOthersHaveIt: false) == [fault])
        #expect(
            diagnosis.reasons(for: ben, sendsFiles: false, onlyOthersHaveIt: false) == [.soon])
        // when only changes are lacking
        let behind = readers(acked: 2, held: 1, traffic: connected())
        #expect(try findings(record(), behind, closed).ben.reasons == [.soon])
    }

    @Test("a missing file is moving, failed, without room, or without a source")
    func here() throws {
        func reasons(_ readers: SpaceSyncState) throws -> [WhyFinding.Reason] {
            let found = try findings(record(file: false), readers, away).here
            #expect(found.state == .lacksFiles)
            return found.reasons
        }
        let with = readers(acked: 5, held: 1)
        #expect(try reasons(with) == [.noSource(holders: [ben])])
        #expect(try reasons(readers(acked: 5)) == [.noSource(holders: [])])
        func moved(_ change: (inout Traffic) -> Void) throws -> [WhyFinding.Reason] {
            try reasons(readers(acked: 5, held: 1, traffic: connected(change)))
        }
        #expect(try moved { _ in } == [.soon])
        #expect(try moved { $0.coming = [Self.blob] } == [.moving])
        #expect(
            try moved { $0.failed = [Self.blob] }
                == [.problem(.givenUpFiles(.zero, 1, nextTry: nil))])
        #expect(try moved { $0.unfit = [Self.blob] } == [.problem(.diskFull(nil))])
    }

    @Test("a file that two devices lack comes by itself while one that has it is connected")
    func receivers() throws {
        let cleo = Self.device(3)
        func reasons(_ change: (inout Traffic) -> Void) throws -> [WhyFinding.Reason] {
            let ack = Watermark([
                LogPosition(log: Self.mine, head: LogHead(sequence: 5, commit: .zero))
            ])
            func said(_ device: DeviceID, missing: [BlobID]) -> Holdings {
                Holdings(
                    space: .zero, device: device, counter: 1, held: UInt64(1 - missing.count),
                    missing: missing, missingCount: UInt64(missing.count), missingBytes: 0)
            }
            let state = SpaceSyncState(
                others: [ben, cleo], acks: [ben: ack, cleo: ack],
                holdings: [ben: said(ben, missing: [Self.blob]), cleo: said(cleo, missing: [])],
                fileCount: 1, traffic: connected(change))
            let findings = WhyDiagnosis(record(file: false), state, away).findings
            let found = try #require(findings.first { $0.device == ben })
            #expect(found.state == .lacksFiles)
            return found.reasons
        }
        #expect(try reasons { $0.connected.insert(cleo) } == [.soon])
        #expect(
            try reasons {
                $0.connected.insert(cleo)
                $0.coming = [Self.blob]
            } == [.soon])
        #expect(try reasons { _ in } == [.noSource(holders: [cleo])])
    }

    @Test("a deleted record is complete where the deletion is known, with or without its files")
    func deleted() throws {
        var deleted = record(file: false)
        deleted.isDeleted = true
        let found = try findings(deleted, readers(acked: 4), away)
        #expect(found.here.state == .complete)
        #expect(found.ben.state == .lacksChanges)
        #expect(found.ben.files.isEmpty)
        #expect(try findings(deleted, readers(acked: 5), away).ben.state == .complete)
    }

    @Test("a record from before a revocation is whole here; others are not judged")
    func roleLost() throws {
        var circumstances = away
        circumstances.mayRead = false
        let here = try findings(record(file: true), readers(acked: 5), circumstances).here
        #expect(here.state == .complete)
        #expect(here.reasons == [.roleLost])
    }

    @Test("changes that nobody acknowledged were not sent, also when nobody may read any more")
    func unsent() {
        // given the 3rd and the 5th commit of this device, of which Ben acknowledged one
        let ack = Watermark([
            LogPosition(log: Self.mine, head: LogHead(sequence: 4, commit: .zero))
        ])
        let state = SpaceSyncState(others: [], acks: [ben: ack], holdings: [:], fileCount: 0)
        // then
        #expect(state.unsent(record(), by: Self.device(1)) == 1)
        #expect(state.unsent(record(), by: ben) == 0)
    }

    @Test("a person who declined is reported as one who did not accept")
    func declined() throws {
        var circumstances = away
        circumstances.declined = [ben]
        var traffic = connected()
        (traffic.sharing, traffic.withoutSpace) = ([], [ben])
        let no = try findings(record(), readers(acked: nil, traffic: traffic), circumstances).ben
        #expect(no.state == .notAccepted)
        #expect(no.reasons == [.declined])
    }

    @Test("reports local obstacles, and claims nothing unknown")
    func doubts() throws {
        var circumstances = away
        circumstances.behind = 3
        circumstances.mayRead = false
        circumstances.obstacle = .newer
        var conflicted = record()
        conflicted.isConflicted = true
        let here = try findings(conflicted, readers(acked: 5), circumstances).here
        #expect(here.state == .unknown)
        #expect(here.reasons == [.conflict, .schema(.newer), .roleLost, .behind(3)])
    }
}
