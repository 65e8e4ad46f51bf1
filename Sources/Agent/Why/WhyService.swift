import Discovery
internal import Identity
import LocalAPI
import Store
import SyncCore

/// Answers where a record or file is, and why it is not everywhere.
struct WhyService: Sendable {
    let runtime: AgentRuntime

    private var replica: AgentNode { runtime.node }
    private var records: RecordService { RecordService(replica: replica) }

    /// Of one that stands in several spaces, the one where something is missing.
    func why(_ typed: String, _ scope: WhyScope) async throws -> WhyView {
        let failing = await runtime.network.failingDevices
        let views = try WhySubjects(service: records).find(typed, scope).map { subject in
            try view(of: subject, failing: failing)
        }
        guard let view = views.first(where: { !$0.everywhere }) ?? views.first else {
            throw APIError.unknown(.thing, ShownText.line(typed))
        }
        return view
    }

    private func view(of subject: WhySubject, failing: Set<DeviceID>) throws -> WhyView {
        let evidence = try evidence(of: subject)
        let readers = evidence.readers
        let diagnosis = WhyDiagnosis(
            evidence.record, commits: evidence.commits, readers,
            try circumstances(in: subject.place, readers, failing: failing))
        return try WhyWords(replica: replica, subject: subject, evidence: evidence)
            .view(diagnosis.findings, status: readers.status(of: evidence.record))
    }

    // MARK: What is known

    /// What stands about a subject, and which commits wrote it.
    struct Evidence {
        var record: RecordStanding
        let readers: ReaderStandings
        var commits: [LogID: Set<UInt64>] = [:]
        /// What people call it.
        var name: String
        /// The collection of the record, or of the first one that names the file.
        var collection: String?

        mutating func add(_ state: RecordState) {
            for write in state.survivors {
                commits[write.log, default: []].insert(write.sequence)
            }
        }
    }

    private func evidence(of subject: WhySubject) throws -> Evidence {
        let place = subject.place
        guard case .success(let schema) = place.schema else {
            return try evidenceUnread(of: subject)
        }
        switch subject.thing {
        case .record(let name, let entry):
            guard let collection = schema.collection(name) else {
                return try evidenceUnread(of: subject)
            }
            let standings = try Standings(
                records, place.space, schema, place.trip, memory: entry.id)
            var evidence = Evidence(
                record: try standings.standing(of: entry, in: collection),
                readers: standings.readers, name: subject.name, collection: name)
            evidence.add(entry.state)
            for part in standings.parts(of: entry, in: collection) { evidence.add(part.state) }
            return evidence
        case .file(let blob): return try evidence(of: blob, place, schema)
        }
    }

    /// A file stands with the records that name it.
    private func evidence(
        of blob: BlobID, _ place: WhySubject.Place, _ schema: Schema
    ) throws -> Evidence {
        let standings = try RecordStandings(replica, place.space, schema, hasFiles: true)
        var evidence = Evidence(
            record: RecordStanding(), readers: standings.readers, name: "", collection: nil)
        evidence.record.isFile = true
        evidence.record.files = [standings.file(blob)]
        let reader = RecordReader(replica, place.space, schema)
        for collection in schema.collections {
            let fields = collection.fields.filter(\.type.isBlob)
            guard !fields.isEmpty else { continue }
            for entry in try reader.all(in: collection.name) where !entry.state.isDeleted {
                guard fields.contains(where: { entry.record.value($0.name)?.blob == blob })
                else { continue }
                evidence.record.add(entry.state)
                evidence.add(entry.state)
                guard evidence.collection == nil else { continue }
                evidence.collection = collection.name
                evidence.name = reader.title(entry.record, in: collection.name)
            }
        }
        return evidence
    }

    private func evidenceUnread(of subject: WhySubject) throws -> Evidence {
        var evidence = Evidence(
            record: RecordStanding(), readers: try replica.readers(of: subject.place.space),
            name: "")
        if case .record(let collection, let entry) = subject.thing {
            evidence.record.add(entry.state)
            evidence.record.isDeleted = entry.state.isDeleted
            evidence.add(entry.state)
            evidence.collection = collection
        }
        return evidence
    }

    // MARK: What surrounds it

    private func circumstances(
        in place: WhySubject.Place, _ readers: ReaderStandings, failing: Set<DeviceID>
    ) throws -> WhyCircumstances {
        var circumstances = WhyCircumstances()
        circumstances.isSyncOff = try !runtime.isSyncOn()
        circumstances.isAgentRunning = runtime.isLongRunning
        circumstances.isStoreStopped = replica.storageFault != nil
        let own = replica.membership(of: place.space)?.permissions(of: replica.identity.deviceID)
        circumstances.mayRead = own?.contains(.read) ?? false
        let watermark = replica.watermark(of: place.space)
        let behind = readers.acks.values.map { $0.count(beyond: watermark) }.max() ?? 0
        circumstances.behind = Int(clamping: behind)
        if case .failure(let obstacle) = place.schema { circumstances.obstacle = obstacle }
        for device in try replica.knownDevices() {
            var way = WhyCircumstances.Way()
            way.hasAddress = !device.addresses.isEmpty
            way.lastSeen = (device.addresses.map(\.lastSuccess) + [device.lastSync])
                .compactMap(\.self).max()
            way.isCallFailing = failing.contains(device.card.device)
            circumstances.ways[device.card.device] = way
        }
        return circumstances
    }
}
