import LocalAPI
import Testing

@Suite("Why a sync did not reach a device")
struct SyncObstacleTests {
    private let ann = Reference(id: "d1", shortID: "d1", name: "ann-pc")
    private let ben = Reference(id: "d2", shortID: "d2", name: "ben-pc")

    /// Ann was not reached, and Ben only if so said.
    private func report(ben isReached: Bool = true) -> SyncReport {
        func result(_ device: Reference, _ isReached: Bool) -> SyncReport.DeviceResult {
            SyncReport.DeviceResult(
                device: device, reached: isReached, sent: .nothing, received: .nothing,
                lacking: .nothing)
        }
        return SyncReport(
            started: Samples.moment, durationMilliseconds: 1,
            devices: [result(ann, false), result(ben, isReached)], problems: [],
            elsewhere: .nothing, onlyHere: [])
    }

    private func status(_ problems: [ProblemView]) -> StatusView {
        StatusView(
            device: ann, person: ann, state: .offline, verdict: "", syncEnabled: true,
            network: NetworkStatus(
                running: true, port: 4827, discovery: .noAvahi, announcedDevices: 2),
            lastSync: nil, lastBackup: nil, devices: [], trips: [], problems: problems)
    }

    private func problem(_ kind: ProblemView.Kind, _ device: Reference? = nil) -> ProblemView {
        ProblemView(kind: kind, urgent: true, device: device, sentence: "It is so.", remedy: nil)
    }

    @Test("a device that does not trust this one is named, and nobody is told to switch it on")
    func distrusted() {
        // given
        let distrust = problem(.distrusted, ann)
        // when
        let obstacles = report().obstacles(in: status([problem(.conflicts), distrust]))
        // then
        #expect(obstacles == [distrust])
        #expect(!report().isUnexplained(by: obstacles))
        #expect(report(ben: false).isUnexplained(by: obstacles))
    }

    @Test(
        "a cable that is pulled here, a loss of this device, and its disk explain every absence"
    )
    func here() {
        for kind in [ProblemView.Kind.noNetwork, .calledLost, .diskFull, .storageFault] {
            let obstacles = report(ben: false).obstacles(
                in: status([problem(kind), problem(.distrusted, ann)]))
            #expect(obstacles == [problem(kind)])
            #expect(!report(ben: false).isUnexplained(by: obstacles))
        }
    }

    @Test("a device that was reached has no obstacle, and one that is only away is not explained")
    func away() {
        let obstacles = report().obstacles(in: status([problem(.syncOffThere, ben)]))
        #expect(obstacles.isEmpty)
        #expect(report().isUnexplained(by: obstacles))
    }
}
