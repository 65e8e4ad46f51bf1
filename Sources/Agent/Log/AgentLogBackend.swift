internal import Foundation
internal import Logging

/// Gives swift-log's events the agent's form.
struct AgentLogBackend: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level
    private let output: LogOutput

    init(_ output: LogOutput) {
        self.output = output
        // What a diagnostics report may need is noted even when it is not written.
        logLevel = min(output.level, .info).loggerLevel
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
