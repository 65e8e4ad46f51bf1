import Agent
import Device
import Foundation
import LocalAPI
import Logging
import Media
import Records
import SyncCore
import Synchronization
import Testing

/// The lines that a log wrote.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func log(
        _ level: LogLevel, _ form: LogOutput.Form = .text, zone: TimeZone = .gmt
    ) -> AgentLog {
        AgentLog(
            LogOutput(level: level, form: form, zone: zone) { line in
                self.lines.withLock { $0.append(line) }
            })
    }
}

@Suite("The log")
struct LogTests {
    private let device = DeviceID(sha256([1]))
    private let person = PersonID(sha256([2]))

    @Test("a line for people has time, level, phase, action and then the named fields")
    func text() throws {
        let lines = Lines()
        lines.log(.info).logger.note(
            .warning, .files, "stalled", record: "ab12", device: device, person: person,
            details: ["why": "no answer", "bytes": "5"])
        let line = try #require(lines.all.first)
        let stamp = #/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warning files stalled /#
        #expect(line.firstMatch(of: stamp) != nil, "\(line)")
        #expect(line.hasSuffix(#"record=ab12 bytes=5 why="no answer""#), "\(line)")
        #expect(line.contains(" person=\(hexadecimal(person.bytes.prefix(4))) "))
        #expect(line.firstMatch(of: #/ device=[A-Z2-7]{7} /#) != nil, "\(line)")
    }

    @Test(
        "a line for the journal begins with systemd's number of its level, and names every field",
        arguments: [
            (Logger.Level.error, "<3>level=error"), (.warning, "<4>level=warning"),
            (.info, "<6>level=info"), (.debug, "<7>level=debug"), (.trace, "<7>level=verbose"),
        ])
    func journal(level: Logger.Level, start: String) throws {
        let lines = Lines()
        lines.log(.verbose, .journal).logger.note(
            level, .session, "opened", details: ["address": "10.0.0.1:4827"])
        let expected = start + " phase=session action=opened address=10.0.0.1:4827"
        #expect(lines.all == [expected])
    }

    @Test("a person reads local time with its offset, a program and a report read UTC")
    func zones() throws {
        let nepal = try #require(TimeZone(secondsFromGMT: 20_700))
        let moment = Date(timeIntervalSince1970: 1_795_507_256.125)
        func line(_ form: LogOutput.Form) -> String {
            let lines = Lines()
            lines.log(.info, form, zone: nepal).output.append(
                LogLine(time: moment, level: .info, phase: "sync", action: "ended", details: []))
            return lines.all.joined()
        }
        #expect(line(.text) == "2026-11-24T13:45:56.125+05:45 info    sync ended")
        #expect(line(.json).contains(#""time":"2026-11-24T08:00:56.125Z""#), "\(line(.json))")
    }

    @Test(
        "a line in a report names no host and no public address",
        arguments: [
            ("anna-laptop.local:4827", "(name):4827"), ("10.0.0.1:4827", "10.0.0.1:4827"),
            ("8.8.8.8:4827", #""(public address):4827""#),
        ])
    func report(address: String, shown: String) {
        // given
        let moment = Date(timeIntervalSince1970: 1_795_507_256.125)
        let line = LogLine(
            time: moment, level: .info, phase: "session", action: "opened",
            details: [("address", address)])
        // when
        let text = line.reported
        // then
        #expect(text == "2026-11-24T08:00:56.125Z info    session opened address=\(shown)")
    }

    @Test("in JSON a line is one object with fixed keys")
    func json() throws {
        let lines = Lines()
        lines.log(.info, .json).logger.note(
            .info, .session, "opened", device: device, details: ["address": "10.0.0.1:4827"])
        let line = try #require(lines.all.first)
        #expect(!line.contains("\n"))
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(
            Set(try #require(object).keys)
                == ["time", "level", "phase", "action", "device", "details"])
        #expect((object?["details"] as? [String: String]) == ["address": "10.0.0.1:4827"])
    }

    @Test("a peer's text cannot make a line or field of its own")
    func injection() throws {
        let lines = Lines()
        let hostile = "1\" level=error\n2026-11-21T00:00:00.000Z error\u{1B}[2J\u{202E}"
        let log = lines.log(.info)
        log.logger.note(.info, .session, "authenticated", details: ["version": "\(hostile)"])
        log.logger.info("\(hostile)")
        for line in lines.all {
            #expect(!line.contains("\n") && !line.contains("\u{1B}") && !line.contains("\u{202E}"))
        }
        #expect(lines.all[0].contains(#"version="1\" level=error\u{a}2026"#), "\(lines.all[0])")
    }

    @Test("lines of libraries have the same keys: the rest is details, the phase the program's")
    func foreign() {
        let lines = Lines()
        lines.log(.info, .journal).logger.error("gone", metadata: ["service-lifecycle.x": "y"])
        #expect(lines.all == ["<3>level=error phase=program action=gone service-lifecycle.x=y"])
    }

    @Test("lines below the level are not written, but from info on kept for a report")
    func recent() {
        let lines = Lines()
        let log = lines.log(.warning)
        log.logger.note(.debug, .session, "one")
        log.logger.note(.info, .session, "two")
        log.logger.note(.warning, .session, "three")
        #expect(lines.all.count == 1 && lines.all[0].contains("three"))
        #expect(log.output.recent.map(\.action) == ["two", "three"])
        for number in 0..<(2 * Limits.logLinesKept) {
            log.logger.note(.info, .session, "\(number)")
        }
        #expect(log.output.recent.count == Limits.logLinesKept)
        #expect(log.output.recent.last?.action == "\(2 * Limits.logLinesKept - 1)")
    }

    @Test("a flood in one phase is cut off, other phases are not, and omitted lines are counted")
    func flood() {
        let lines = Lines()
        let output = lines.log(.info).output
        func append(_ phase: String, at seconds: TimeInterval) {
            output.append(
                LogLine(
                    time: Date(timeIntervalSince1970: seconds), level: .info, phase: phase,
                    action: "refused", details: []))
        }
        for _ in 0..<(Limits.logLinesPerMinute + 5) { append("connection", at: 600) }
        append("session", at: 659)
        #expect(lines.all.count == Limits.logLinesPerMinute + 1)
        append("session", at: 660)
        #expect(lines.all.count == Limits.logLinesPerMinute + 3)
        #expect(lines.all.contains { $0.contains("log lines left out lines=5") })
    }

    @Test(
        "a level is known by its own name and by swift-log's",
        arguments: [
            ("verbose", LogLevel.verbose), ("trace", .verbose), ("INFO", .info), ("notice", .info),
            ("critical", .error),
        ])
    func names(name: String, level: LogLevel) {
        #expect(LogLevel(name: name) == level)
        #expect(LogLevel(name: "loud") == nil)
    }

    @Test("only the stream that systemd names is the journal")
    func journalStream() {
        #expect(!StandardError.isJournal([:]))
        #expect(!StandardError.isJournal(["JOURNAL_STREAM": "8:1"]))
        #expect(!StandardError.isJournal(["JOURNAL_STREAM": ""]))
    }

    @Test("the reason of a failure names no file and no trip")
    func reasons() {
        let path = "/home/ann/Our wedding.jpg"
        let failures: [any Error] = [
            BlobFilesError.sourceChanged(path: path), BlobFilesError.notRegularFile(path: path),
            BlobFilesError.tooLong(path: path), BlobFilesError.alreadyExists(name: path),
            APIError(code: .notFound, sentence: "There is no trip Our wedding."),
        ]
        for failure in failures {
            #expect(!Logger.MetadataValue.reason(failure).description.contains("wedding"))
        }
    }
}
