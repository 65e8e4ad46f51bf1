internal import SyncCore

/// Inspects local files when they are added. Child processes decode the pictures.
package struct MediaImporter: Sendable {
    private let executable: String
    private let timeout: Duration

    /// - Parameters:
    ///   - executable: The program that runs ``DecoderChild`` when given its hidden argument.
    ///   - timeout: Time limit for one picture.
    package init(
        executable: String = "/proc/self/exe",
        timeout: Duration = .seconds(Limits.decoderSeconds)
    ) {
        (self.executable, self.timeout) = (executable, timeout)
    }

    /// Inspects files that are added together. A single process serves all pictures: it starts with the
    /// first one, and has ended when this returns.
    package func batch<Answer>(
        _ body: (ImportBatch) async throws -> Answer
    ) async rethrows -> Answer {
        let child = ChildProgram(executable: executable)
        let decoder = PictureDecoder(child, timeout: timeout)
        do {
            let answer = try await body(ImportBatch(decoder, child, timeout: timeout))
            await decoder.finish()
            return answer
        } catch {
            await decoder.finish()
            throw error
        }
    }
}
