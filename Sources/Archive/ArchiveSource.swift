package import Encryption

/// Where the files of an archive are read from.
package protocol ArchiveSource: Sendable {
    /// A file by its name; nil when it is not there. Throws `ArchiveError`.
    func open(_ name: String) throws(ArchiveError) -> (any ByteInput)?
}

/// Errors of what an archive lies in, as those of the archive.
func sayingWhat<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as AgeError {
        throw error == .noMatch ? ArchiveError.locked : ArchiveError.damaged
    } catch let error as FileInput.Failure {
        throw ArchiveError.system(call: error.call, code: error.code)
    }
}
