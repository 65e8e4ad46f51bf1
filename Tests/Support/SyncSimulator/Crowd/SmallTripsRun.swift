import Journal
import Node
import Records
import Store
import SyncCore
internal import TestKit

/// Many people on one network, each with one device, and trips of few of them: how soon offers,
/// edits and files arrive, and their cost.
package struct SmallTripsRun {
    package enum Pairing: String, Sendable {
        /// All pairs: all addresses are known.
        case all
        /// Each with the first one, who gave all of them one trip.
        case hub
    }

    package struct Figures {
        /// Milliseconds until an offer, an edit or a file arrived, in order.
        package var offers: [UInt64] = []
        package var edits: [UInt64] = []
        package var files: [UInt64] = []
        /// The same for edits made while the other one was off, counted from its return.
        package var returns: [UInt64] = []
        /// The number of trips, and how many a device had on average.
        package var trips = 0
        package var tripsOfOne = 0.0
        /// Trips granted to a person whose device had no session with the giver's.
        package var far = 0
        /// Data that did not arrive, in words.
        package var missing: [String] = []
        /// Trips whose members were not connected among each other, in words.
        package var torn: [String] = []
        /// Sessions of a device at rest, at most and on average.
        package var mostSessions = 0
        package var sessions = 0.0
        /// The same before there were small trips.
        package var sessionsBefore = 0.0
        /// The number of calls by a device, on average.
        package var calls = 0.0
        /// Bytes per second that a device sends while nothing happens, on average.
        package var restBytes = 0
        package var violations: [String] = []
    }

    /// Data that a person waits for.
    private struct Awaited {
        let name: String
        let since: UInt64
        let isThere: () -> Bool
    }

    private struct Trip {
        let space: SpaceID
        let members: [Int]
    }

    private let world: World
    private var random: SeededGenerator
    private var figures = Figures()
    private var trips: [Trip] = []
    private let pairing: Pairing
    private let size: Int
    private let share: UInt64

    /// Of a hundred pairs `share` have a trip of two.
    package init(size: Int, pairing: Pairing, share: UInt64 = 100, seed: UInt64) throws {
        var schedule = Schedule(
            seed: seed, owners: Array(0..<size), skews: Array(repeating: 0, count: size),
            latency: 1, steps: [])
        schedule.takesAllOffers = true
        world = World(
            schedule, schemas: try SchemaCache(), signatures: KnownSignatures(), isRead: false)
        random = SeededGenerator(seed: seed ^ 0x74_7269_7073)
        (self.size, self.pairing, self.share) = (size, pairing, share)
        for one in world.replicas {
            let others = world.replicas.indices.filter {
                $0 != one.index && (pairing == .all || $0 == 0 || one.index == 0)
            }
            one.paired = Set(others)
        }
    }

    package mutating func run() -> Figures {
        for replica in world.replicas { world.machines.start(replica) }
        world.pass(Self.settling)
        if pairing == .hub {
            give(among: Array(0..<size))
            world.pass(Self.settling)
        }
        figures.sessionsBefore = countSessions().mean
        givePairs()
        for _ in 0..<6 { give(among: Array(shuffled().prefix(3 + random.index(below: 4)))) }
        world.pass(Self.settling)
        figures.trips = trips.count
        figures.tripsOfOne =
            Double(trips.reduce(0) { $0 + $1.members.count }) / Double(size)
        checkGraphs("at rest")
        edit()
        addFiles()
        rest()
        absent()
        figures.calls = Double(world.network.linkCount) / Double(size)
        figures.violations = world.report.violations.map { "\($0.check): \($0.text)" }
        world.healing.tearDown()
        return figures
    }

    /// Milliseconds until no device releases sessions any more.
    private static let settling: UInt64 = 120_000

    private mutating func shuffled() -> [Int] { Array(0..<size).shuffled(using: &random) }

    // MARK: Trips

    /// One trip for each of these pairs, one soon after another.
    private mutating func givePairs() {
        var pairs: [(Int, Int)] = []
        for one in 0..<size {
            for other in 0..<size where one < other { pairs.append((one, other)) }
        }
        pairs.shuffle(using: &random)
        var awaited: [Awaited] = []
        for (one, other) in pairs where random.chance(share) {
            let isTurned = random.chance(50)
            awaited += give(by: isTurned ? other : one, to: [isTurned ? one : other])
            wait(for: &awaited, 50, noting: \.offers)
        }
        wait(for: &awaited, 20_000, noting: \.offers)
        miss(awaited)
        world.pass(10_000)
    }

    private mutating func give(among members: [Int]) {
        var awaited = give(by: members[0], to: Array(members.dropFirst()))
        wait(for: &awaited, 20_000, noting: \.offers)
        miss(awaited)
    }

    private mutating func give(by giver: Int, to others: [Int]) -> [Awaited] {
        let replica = world.replicas[giver]
        world.people.found(.shared, by: replica)
        guard let space = world.observer.spaces.last else { return [] }
        world.people.grant(
            space, to: others.map { world.replicas[$0].member.card }, .editor, by: replica)
        trips.append(Trip(space: space, members: [giver] + others))
        figures.far += others.count { !isConnected(giver, $0) }
        return others.map { other in
            let receiver = world.replicas[other]
            return Awaited(name: "the offer of \(giver) to \(other)", since: world.timeline.now) {
                receiver.store?.spaces.standing(of: space) != nil
            }
        }
    }

    // MARK: People's actions

    /// Edits in some trips, one after another.
    private mutating func edit() {
        for trip in trips.shuffled(using: &random).prefix(40) {
            guard let author = random.pick(holders(of: trip)) else { continue }
            var awaited = write(trip, author)
            wait(for: &awaited, 10_000, noting: \.edits)
            miss(awaited)
        }
    }

    private func write(_ trip: Trip, _ author: Int) -> [Awaited] {
        let replica = world.replicas[author]
        let record = RecordOperation(
            collection: "memory",
            record: world.recordID("memory", world.timeline.now, in: trip.space),
            writes: [Write(field: "title", value: .text("edit at \(world.timeline.now)"))])
        world.people.append(
            CommitDraft(clear: ClearPart(), operations: [record]), to: trip.space, replica)
        let written = replica.watermark(of: trip.space)
        return trip.members.filter { $0 != author }.map { other in
            let reader = world.replicas[other]
            return Awaited(name: "an edit of \(author) at \(other)", since: world.timeline.now) {
                reader.watermark(of: trip.space).covers(written)
            }
        }
    }

    private mutating func addFiles() {
        for (trip, picture) in zip(trips.shuffled(using: &random), Picture.all) {
            guard let author = random.pick(holders(of: trip)) else { continue }
            world.journaling.add(picture, to: trip.space, world.replicas[author])
            let blob = picture.list.blobID
            var awaited = trip.members.filter { $0 != author }.map { other in
                let reader = world.replicas[other]
                return Awaited(name: "a file of \(author) at \(other)", since: world.timeline.now) {
                    (try? reader.store?.files.spaces(holding: blob))?.contains(trip.space) == true
                }
            }
            wait(for: &awaited, 20_000, noting: \.files)
            miss(awaited)
        }
    }

    /// A third of the devices is off while others write, and then returns, all at once; their
    /// people ask for a sync.
    private mutating func absent() {
        let absent = Set(shuffled().prefix(size / 3))
        for index in absent.sorted() {
            world.machines.stop(world.replicas[index], cutsPower: false)
        }
        world.pass(30_000)
        checkGraphs("without a third")
        var edits: [(Trip, Int)] = []
        for trip in trips.shuffled(using: &random).prefix(60) {
            guard let author = holders(of: trip).first(where: { !absent.contains($0) }),
                trip.members.contains(where: absent.contains)
            else { continue }
            _ = write(trip, author)
            edits.append((trip, author))
            world.pass(100)
        }
        for index in absent.sorted() {
            let replica = world.replicas[index]
            world.machines.start(replica)
            world.calls.learn(.asked, replica)
            world.engines.post([.syncRequested(SyncRequestID(1))], to: replica)
        }
        var awaited: [Awaited] = []
        for (trip, author) in edits {
            let written = world.replicas[author].watermark(of: trip.space)
            awaited += trip.members.filter { absent.contains($0) }.map { other in
                let reader = world.replicas[other]
                return Awaited(name: "what \(author) wrote at \(other)", since: world.timeline.now)
                {
                    reader.watermark(of: trip.space).covers(written)
                }
            }
        }
        wait(for: &awaited, 60_000, noting: \.returns)
        miss(awaited)
        world.pass(Self.settling)
        checkGraphs("with all again")
    }

    // MARK: Checks

    /// Advances time until everything arrived; arrivals are noted, the rest stays.
    private mutating func wait(
        for awaited: inout [Awaited], _ milliseconds: UInt64,
        noting times: WritableKeyPath<Figures, [UInt64]>
    ) {
        let end = world.timeline.now + milliseconds
        while world.timeline.now < end, !(awaited.isEmpty && milliseconds > 1_000) {
            world.pass(min(10, end - world.timeline.now))
            let now = world.timeline.now
            awaited.removeAll { one in
                guard one.isThere() else { return false }
                figures[keyPath: times].append(now - one.since)
                return true
            }
        }
    }

    private mutating func miss(_ awaited: [Awaited]) { figures.missing += awaited.map(\.name) }

    private mutating func rest() {
        (figures.mostSessions, figures.sessions) = countSessions()
        let before = world.report.counts.bytes
        world.pass(600_000)
        figures.restBytes = (world.report.counts.bytes - before) / 600 / size
    }

    private func countSessions() -> (most: Int, mean: Double) {
        let counts = world.replicas.filter(\.isUp).map(\.connections.sessions.count)
        return (counts.max() ?? 0, Double(counts.reduce(0, +)) / Double(max(1, counts.count)))
    }

    private func isConnected(_ one: Int, _ other: Int) -> Bool {
        neighbours(of: one).contains(other)
    }

    private func neighbours(of index: Int) -> Set<Int> {
        Set(
            world.replicas[index].connections.sessions.values.compactMap { place in
                world.network.links[place.link]?.ends[1 - place.end].replica
            })
    }

    private func holders(of trip: Trip) -> [Int] {
        trip.members.filter {
            world.replicas[$0].isUp && world.replicas[$0].ledger(of: trip.space) != nil
        }
    }

    /// The running holders of a trip have sessions that connect all of them.
    private mutating func checkGraphs(_ when: String) {
        for trip in trips {
            let holders = holders(of: trip)
            guard let first = holders.first else { continue }
            var reached: Set<Int> = [first]
            var edge = [first]
            while let next = edge.popLast() {
                let new = neighbours(of: next).intersection(holders).subtracting(reached)
                reached.formUnion(new)
                edge += new
            }
            guard reached.count < holders.count else { continue }
            figures.torn.append("\(when): \(first) reaches \(reached.sorted()) of \(holders)")
        }
    }
}
