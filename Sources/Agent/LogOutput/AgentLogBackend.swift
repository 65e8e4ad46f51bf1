internal import Foundation
internal import Logging

/// Converts swift-log's events to the agent's form.
struct AgentLogBackend: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    private let output: LogOutput
    /// The level of this logger alone.
    private var ownLevel: Logger.Level?

    init(_ output: LogOutput) { self.output = output }

    /// Lines that a diagnostics report may need are kept even if they are not written.
    var logLevel: Logger.Level {
        get { ownLevel ?? min(output.level, .info).loggerLevel }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let always = metadata.merging(metadataProvider?.get() ?? [:]) { _, provided in provided }
        output.append(LogLine(event, always: always, at: Date()))
    }
}
