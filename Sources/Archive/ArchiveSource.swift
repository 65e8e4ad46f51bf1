package import Encryption

/// Gives access to the files of an archive.
package protocol ArchiveSource: Sendable {
    /// A file by its name; nil where there is none. Throws `ArchiveError`.
    func open(_ name: String) throws(ArchiveError) -> (any ByteInput)?
}

/// Turns errors of the underlying file or encryption into errors of the archive.
func sayingWhat<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as AgeError {
        throw error == .noMatch ? ArchiveError.locked : ArchiveError.damaged
    } catch let error as FileInput.Failure {
        throw ArchiveError.system(call: error.call, code: error.code)
    }
}
