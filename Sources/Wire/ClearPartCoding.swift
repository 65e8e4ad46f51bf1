internal import FoundationEssentials
internal import SwiftProtobuf
internal import SyncCore

extension Peersync_V1_ClearPart {
    init(_ clear: ClearPart) {
        self.init()
        if let genesis = clear.genesis {
            self.genesis = Peersync_V1_Genesis(genesis)
        }
        facts = clear.facts.map(Peersync_V1_Fact.init)
        blobs = clear.blobs.map(Peersync_V1_NamedBlob.init)
        if let schema = clear.schema {
            self.schema = Peersync_V1_SchemaPin(schema)
        }
    }

    func decoded() throws(WireError) -> ClearPart {
        ClearPart(
            genesis: hasGenesis ? try genesis.decoded() : nil,
            facts: try facts.atMost(Limits.operationsPerCommit, "clear_part.facts").map {
                fact throws(WireError) in try fact.decoded()
            },
            blobs: try blobs.atMost(Limits.operationsPerCommit, "clear_part.blobs").map {
                blob throws(WireError) in try blob.decoded()
            },
            schema: hasSchema ? try schema.decoded() : nil)
    }
}

extension Peersync_V1_Genesis {
    fileprivate init(_ genesis: Genesis) {
        self.init()
        nonce = Data(genesis.nonce.bytes)
        founder = Peersync_V1_CardChain(genesis.founder)
        kind = wireEnum(genesis.role)
        schema = Peersync_V1_SchemaPin(genesis.schema)
    }

    fileprivate func decoded() throws(WireError) -> Genesis {
        guard hasFounder else { throw .missing("genesis.founder") }
        guard hasSchema else { throw .missing("genesis.schema") }
        return Genesis(
            nonce: try nonce.bytes32("genesis.nonce"), founder: try founder.decoded(),
            role: try coreEnum(kind, "genesis.kind"), schema: try schema.decoded())
    }
}

extension Peersync_V1_SchemaPin {
    fileprivate init(_ pin: SchemaPin) {
        self.init()
        schemaID = Data(pin.schema.bytes)
        version = pin.version
        if let document = pin.document {
            self.document = Data(document)
        }
    }

    fileprivate func decoded() throws(WireError) -> SchemaPin {
        _ = try UInt64(document.count).atMost(UInt64(Limits.schemaBytes), "schema_pin.document")
        return SchemaPin(
            schema: try schemaID.identifier("schema_pin.schema_id"), version: version,
            document: hasDocument ? [UInt8](document) : nil)
    }
}

extension Peersync_V1_NamedBlob {
    fileprivate init(_ blob: NamedBlob) {
        self.init()
        blobID = Data(blob.blob.bytes)
        size = blob.size
        kind = wireEnum(blob.kind)
    }

    /// A kind of a newer version is fetched like an original: it is content that somebody named.
    fileprivate func decoded() throws(WireError) -> NamedBlob {
        NamedBlob(
            blob: try blobID.identifier("named_blob.blob_id"),
            size: try size.atMost(Limits.blobBytes, "named_blob.size"),
            kind: coreEnum(kind) ?? .original)
    }
}
