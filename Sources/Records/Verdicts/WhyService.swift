package import LocalAPI
internal import Store
internal import SyncCore

/// Answers where a record or file is, and why it is not everywhere.
package struct WhyService {
    let replica: any Replica
    let facts: StatusFacts

    package init(_ replica: any Replica, _ facts: StatusFacts) {
        (self.replica, self.facts) = (replica, facts)
    }

    /// For a file in several spaces, reports on the one where something is missing.
    package func why(_ typed: String, _ scope: WhyScope) throws -> WhyView {
        let views = try WhySubjects(replica: replica).find(typed, scope).map { try view(of: $0) }
        guard let view = views.first(where: { !$0.everywhere }) ?? views.first else {
            throw APIError.unknown(.thing, ShownText.line(typed))
        }
        return view
    }

    private func view(of subject: WhySubject) throws -> WhyView {
        if case .record(let key, let entry) = subject.thing, entry.isUnfinished {
            let evidence = Evidence(
                record: RecordSyncState(), name: subject.name, collection: key.collection)
            return WhyWords(replica: replica, subject: subject, evidence: evidence).unfinished
        }
        let states = try RecordSyncStates(subject.place.reader, isBulk: false)
        var evidence = try evidence(of: subject, states)
        if states.space.isKnownElsewhere(evidence.record) {
            evidence.unsent = states.space.unsent(evidence.record)
        }
        if case .record(let key, _) = subject.thing {
            evidence.uncounted = try replica.orphans.countWithoutRight(
                to: key, in: subject.place.space.id, under: subject.place.reader.schema)
        }
        var circumstances = try circumstances(in: subject.place, states.space)
        if !circumstances.mayRead {
            evidence.unsentByThis = states.space.unsent(
                evidence.record, by: replica.local.device)
        }
        circumstances.held = try replica.sync.heldBefore(
            evidence.record.files.map(\.blob), in: subject.place.space.id, states.space)
        let diagnosis = WhyDiagnosis(evidence.record, states.space, circumstances)
        return try WhyWords(replica: replica, subject: subject, evidence: evidence)
            .view(
                diagnosis.findings, status: diagnosis.status,
                invited: states.space.invited)
    }

    // MARK: Evidence

    /// The known facts about a subject.
    struct Evidence {
        var record: RecordSyncState
        /// Changes that are only here of a record that others have as it was before.
        var unsent: (count: Int, last: HybridTime?) = (0, nil)
        /// Changes of this device that nobody had when its role ended: they count for nobody else.
        var unsentByThis = 0
        /// Changes that do not count, as their authors had no right to them.
        var uncounted = 0
        /// It is deleted, and shown because other records need it.
        var isHeld = false
        /// Its title or name.
        var name: String
        /// The collection of the record, or of the first one that names the file.
        var collection: String?
    }

    private func evidence(
        of subject: WhySubject, _ states: RecordSyncStates
    ) throws -> Evidence {
        switch subject.thing {
        case .record(let key, let entry):
            let collection =
                states.reader.schema.collection(key.collection)
                ?? CollectionSchema(name: key.collection, fields: [])
            return Evidence(
                record: try states.state(of: entry, in: collection),
                isHeld: try states.reader.presence(key) == .held, name: subject.name,
                collection: key.collection)
        case .file(let blob): return try evidence(of: blob, states)
        }
    }

    /// The status of a file is that of the records that name it.
    private func evidence(of blob: BlobID, _ states: RecordSyncStates) throws -> Evidence {
        var evidence = Evidence(record: RecordSyncState(), name: "", collection: nil)
        evidence.record.isFile = true
        evidence.record.files = [try states.file(blob)]
        let reader = states.reader
        for key in try replica.store.records.keys(naming: blob, of: reader.space) {
            guard let entry = try reader.entry(key), !entry.state.isDeleted,
                let fields = reader.schema.collection(key.collection)?.fields,
                fields.contains(where: { entry.record.value($0.name)?.blob == blob })
            else { continue }
            evidence.record.add(entry.state)
            guard evidence.collection == nil else { continue }
            evidence.collection = key.collection
            evidence.name = reader.title(entry.record, in: key.collection)
        }
        return evidence
    }

    // MARK: Circumstances

    private func circumstances(
        in place: WhySubject.Place, _ space: SpaceSyncState
    ) throws -> WhyCircumstances {
        var circumstances = WhyCircumstances(of: place.space.id)
        circumstances.here = facts.here
        circumstances.devices = Dictionary(facts.devices.map { ($0.device, $0) }) { $1 }
        circumstances.mayRead = replica.permissions(in: place.space.id).contains(.read)
        circumstances.behind = space.changesElsewhere(
            beyond: replica.watermark(of: place.space.id))
        circumstances.declined = try Declines(replica.store).devices(of: place.space.id)
        circumstances.obstacle = place.obstacle
        return circumstances
    }
}
