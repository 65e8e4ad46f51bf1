/// What `peersync doctor` asks: of a running agent, or of the folder alone when none runs, also when
/// the folder is in no state for an agent.
///
/// Every method may throw ``APIError``.
package protocol DoctorService: Sendable {
    /// Begins to look at everything, unless that is going on: code `busy` then.
    func startDoctor(_ request: DoctorRequest) async throws -> DoctorView
    /// Long poll: answers as soon as the revision is no longer `poll.knownRevision`, or with the
    /// unchanged view after `poll.waitSeconds`. Code `notFound` before the first examination.
    func pollDoctor(_ poll: DoctorPoll) async throws -> DoctorView
    /// Ends the examination; what was repaired stays repaired.
    func cancelDoctor() async throws -> DoctorView
    /// What a bug report needs to know.
    func diagnostics() async throws -> DiagnosticsView
}
