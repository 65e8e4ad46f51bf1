import SyncCore
internal import Wire

/// Wire's commit codec, for the store.
struct CommitDecoder: CommitDecoding {
    private let codec = CommitCodec()

    func decode(_ encoded: EncodedCommit) throws -> UnverifiedCommit {
        try codec.decode(encoded)
    }

    func header(_ bytes: [UInt8]) throws -> CommitHeader {
        try codec.decodeHeader(bytes)
    }
}
