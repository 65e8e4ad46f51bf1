internal import SyncCore

/// Finds out about local files when they are added. Pictures are decoded in child processes.
package struct MediaImporter: Sendable {
    private let executable: String
    private let timeout: Duration

    /// - Parameters:
    ///   - executable: The program that runs ``DecoderChild`` when asked by its hidden argument.
    ///   - timeout: How long one picture may take before it is given up.
    package init(
        executable: String = "/proc/self/exe",
        timeout: Duration = .seconds(Limits.decoderSeconds)
    ) {
        (self.executable, self.timeout) = (executable, timeout)
    }

    /// Looks at files that are added at once: no process is started before the first picture, one
    /// serves them all, and none is left when this returns.
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
