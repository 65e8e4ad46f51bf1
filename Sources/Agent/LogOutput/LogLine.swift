import Device
package import Foundation
import LocalAPI
internal import Logging

/// One line of the log, before it is formatted.
package struct LogLine: Sendable {
    let time: Date
    let level: LogLevel
    let phase: String
    package let action: String
    let record: String?
    let device: String?
    let person: String?
    /// Sorted by key.
    let details: [(key: String, value: String)]

    /// All metadata without its own key becomes a detail: libraries log their own keys.
    init(_ event: LogEvent, always: Logger.Metadata, at time: Date) {
        self.time = time
        level = LogLevel(event.level)
        action = event.message.description
        var metadata = always.merging(event.metadata ?? [:]) { _, own in own }
        phase = metadata.removeValue(forKey: LogKey.phase)?.description ?? LogPhase.program.rawValue
        record = metadata.removeValue(forKey: LogKey.record)?.description
        device = metadata.removeValue(forKey: LogKey.device)?.description
        person = metadata.removeValue(forKey: LogKey.person)?.description
        if case .dictionary(let details) = metadata[LogKey.details] {
            metadata.removeValue(forKey: LogKey.details)
            metadata.merge(details) { _, detail in detail }
        }
        if let error = event.error { metadata["why"] = .reason(error) }
        details = metadata.map { ($0.key, $0.value.description) }.sorted { $0.key < $1.key }
    }

    package init(
        time: Date, level: LogLevel, phase: String, action: String, record: String? = nil,
        device: String? = nil, person: String? = nil, details: [(key: String, value: String)]
    ) {
        (self.time, self.level, self.phase, self.action) = (time, level, phase, action)
        (self.record, self.device, self.person, self.details) = (record, device, person, details)
    }

    /// For people, in their time zone:
    /// `2026-11-21T06:43:10.123+01:00 info    session opened device=P56IOI7 connection=3`.
    func text(in zone: TimeZone) -> String {
        let level = level.rawValue.padding(toLength: 7, withPad: " ", startingAt: 0)
        return "\(LogLine.stamp(time, zone)) \(level) \(phase) \(LogLine.plain(action))"
            + LogLine.joined([("device", device), ("person", person), ("record", record)])
            + LogLine.joined(details.map { ($0.key, $0.value) })
    }

    /// For a diagnostics report: in UTC, without host names and public addresses.
    package var reported: String {
        let masked = LogLine(
            time: time, level: level, phase: phase, action: action, record: record,
            device: device, person: person,
            details: details.map { key, value in
                guard key == "address" else { return (key, value) }
                return (key, ReportMask.host(ofAddress: value))
            })
        return masked.text(in: .gmt)
    }

    /// For the journal, which adds the time itself: its priority prefix, and every field with its
    /// name.
    var journal: String {
        "<\(level.priority)>"
            + LogLine.joined([
                ("level", level.rawValue), ("phase", phase), ("action", action), ("device", device),
                ("person", person), ("record", record),
            ]).dropFirst() + LogLine.joined(details.map { ($0.key, $0.value) })
    }

    /// One JSON object, with the time in UTC.
    var json: String {
        let object = JSONForm(
            time: LogLine.stamp(time, .gmt), level: level.rawValue, phase: phase, action: action,
            record: record, device: device, person: person,
            details: details.isEmpty
                ? nil : Dictionary(details.map { ($0.key, $0.value) }) { first, _ in first })
        // It contains only texts, so encoding it as JSON cannot fail.
        guard let data = try? JSONCoding.encode(object) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private struct JSONForm: Encodable {
        let time: String
        let level: String
        let phase: String
        let action: String
        let record: String?
        let device: String?
        let person: String?
        let details: [String: String]?
    }

    private static func joined(_ fields: [(String, String?)]) -> String {
        fields.compactMap { key, value in value.map { " \(key)=\(quoted($0))" } }.joined()
    }

    /// A value in logfmt: in quotes if it would be ambiguous without. Foreign text cannot inject a
    /// log line.
    static func quoted(_ value: String) -> String {
        let needsQuotes =
            value.isEmpty
            || value.unicodeScalars.contains { scalar in
                scalar.value <= 0x20 || scalar == "\"" || scalar == "=" || scalar == "\\"
                    || scalar.properties.generalCategory == .control
                    || scalar.properties.generalCategory == .format
                    || scalar.properties.generalCategory == .lineSeparator
                    || scalar.properties.generalCategory == .paragraphSeparator
            }
        guard needsQuotes else { return value }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            default: text += escaped(scalar)
            }
        }
        return text + "\""
    }

    private static func plain(_ text: String) -> String {
        text.unicodeScalars.map(escaped).joined()
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }

    /// A time stamp with milliseconds.
    private static func stamp(_ time: Date, _ zone: TimeZone) -> String {
        time.formatted(
            Date.ISO8601FormatStyle(
                timeZoneSeparator: .colon, includingFractionalSeconds: true, timeZone: zone))
    }
}
