import Encryption
import Glibc

/// Encrypts and decrypts files with the project's own age, for benchmarks and for comparisons with
/// the age program.
///
///     age-file encrypt RECIPIENT... <plain >file
///     age-file decrypt IDENTITY <file >plain
///
/// Standard input is a seekable file. On failure it prints the error and exits with 1.
@main
enum AgeFile {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            // There is no other way to report an error.
            try? put(Array("age-file: \(error)\n".utf8), to: 2)
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        let input = try FileInput(owning: dup(0))
        switch words.first {
        case "encrypt":
            let recipients = try words.dropFirst().map { try AgeRecipient(text: $0) }
            try await AgeWriter(recipients: recipients).write(input) { try put($0) }
        case "decrypt":
            let identities = try words.dropFirst().map { try AgeIdentity(text: $0) }
            try await AgeReader(input, identities: identities).readAll { try put($0) }
        default:
            throw Failure(call: "encrypt or decrypt", code: EINVAL)
        }
    }

    private struct Failure: Error {
        let call: String
        let code: Int32
    }

    private static func put(_ bytes: [UInt8], to file: Int32 = 1) throws {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(
                    file, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(call: "write", code: errno) }
            written += count
        }
    }
}
