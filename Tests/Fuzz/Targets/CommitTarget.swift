import SyncCore
import Wire

extension FuzzTarget {
    /// Up to eight commits for one space. Each is a byte of choices and three pieces, header, clear
    /// part and operations, whose hashes are made to fit: otherwise nothing would be read of what was
    /// changed in them. The choices put a commit where the space expects the next one.
    static let commit = FuzzTarget("commit", longestInput: 16_384) { input in
        var source = ByteSource(input)
        var space = try FuzzSpace.beginning.get()
        for _ in 0..<8 where !source.isEmpty {
            let choices = source.byte()
            let parts = (header: source.piece(), clear: source.piece(), operations: source.piece())
            var header =
                (try? CommitCodec().decodeHeader(parts.header))
                ?? FuzzSpace.header(log: space.logs[0], sequence: 1)
            if choices & 1 == 1 {
                header = space.placed(header, in: space.logs[Int(choices >> 1 & 3)])
            }
            if choices & 8 == 8 { header.epoch = nil }
            let encoded = FuzzSpace.encoded(
                header, clear: parts.clear, operations: parts.operations)
            guard let commit = try? CommitCodec().decode(encoded) else { continue }
            try checkCoding(of: commit)
            try space.apply(commit)
        }
        try space.checkRecords()
        try space.checkMembership()
    }

    private static func checkCoding(of commit: UnverifiedCommit) throws {
        let codec = CommitCodec()
        try require(commit.id == commit.encoded.id, "a commit's id is of its header")
        try require(
            commit.operations.reduce(0) { $0 + $1.writes.count } <= Limits.operationsPerCommit,
            "writes are bounded")
        let header = codec.encodeHeader(commit.header)
        try require(
            try codec.decodeHeader(header) == commit.header, "a header comes back as it was sent")
        let clear = codec.encode(commit.clear)
        let clearAgain = try codec.decodeClearPart(clear)
        try require(clearAgain == commit.clear, "a clear part comes back as it was sent")
        try require(codec.encode(clearAgain) == clear, "a clear part has one encoding")
        let operations = codec.encode(commit.operations)
        let operationsAgain = try codec.decodeOperations(operations)
        try require(operationsAgain == commit.operations, "operations come back as they were sent")
        try require(codec.encode(operationsAgain) == operations, "operations have one encoding")
    }
}
