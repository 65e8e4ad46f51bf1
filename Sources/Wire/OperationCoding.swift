internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

extension Peersync_V1_Operations {
    init(_ operations: [RecordOperation]) {
        self.init()
        records = operations.map(Peersync_V1_RecordOperation.init)
    }

    /// Writes are counted over the whole commit: their index there is part of their id.
    func decoded() throws(WireError) -> [RecordOperation] {
        var writeCount = 0
        return try records.atMost(Limits.operationsPerCommit, "operations.records").map {
            operation throws(WireError) in
            writeCount += operation.writes.count
            guard writeCount <= Limits.operationsPerCommit else {
                throw .tooMany("record_operation.writes")
            }
            return try operation.decoded()
        }
    }
}

extension Peersync_V1_RecordOperation {
    fileprivate init(_ operation: RecordOperation) {
        self.init()
        collection = operation.collection
        record = Data(operation.record.bytes)
        writes = operation.writes.map(Peersync_V1_Write.init)
    }

    fileprivate func decoded() throws(WireError) -> RecordOperation {
        guard !writes.isEmpty else { throw .missing("record_operation.writes") }
        return RecordOperation(
            collection: collection, record: RecordID(try record.bytes16("record_operation.record")),
            writes: try writes.map { write throws(WireError) in try write.decoded() })
    }
}

extension Peersync_V1_Write {
    fileprivate init(_ write: Write) {
        self.init()
        field = write.field
        if let element = write.element {
            self.element = Peersync_V1_Value(element)
        }
        value = Peersync_V1_Value(write.value)
        if let replaced = write.replaces {
            replaces = Peersync_V1_Replaces(replaced)
        }
        precedence = write.precedence
    }

    fileprivate func decoded() throws(WireError) -> Write {
        guard hasValue else { throw .missing("write.value") }
        return Write(
            field: field,
            element: hasElement ? try element.decoded() : nil,
            value: try value.decoded(),
            replaces: hasReplaces ? try replaces.decoded() : nil,
            precedence: precedence)
    }
}

extension Peersync_V1_Replaces {
    fileprivate init(_ replaced: [WriteID]) {
        self.init()
        writes = replaced.map { write in
            var reference = Peersync_V1_WriteReference()
            reference.commit = Data(write.commit.bytes)
            reference.index = write.index
            return reference
        }
    }

    fileprivate func decoded() throws(WireError) -> [WriteID] {
        try writes.atMost(Limits.operationsPerCommit, "replaces.writes").map {
            write throws(WireError) in
            WriteID(
                commit: try write.commit.identifier("write_reference.commit"), index: write.index)
        }
    }
}
