import Agent
import Foundation
import LocalAPI
import Testing

@Suite("The unit, and systemd's answers about it")
struct ServiceUnitTests {
    @Test("another program path replaces the package's, and nothing else changes")
    func program() throws {
        let text = try ServiceUnit.text(program: "/home/ann/b in/100%/peersync")
        #expect(ServiceUnit.isOurs(text))
        #expect(!ServiceUnit.isOurs(ServiceUnit.packaged))
        let lines = text.split(separator: "\n").dropFirst()
        let packaged = ServiceUnit.packaged.split(separator: "\n")
        let differing = zip(lines, packaged).filter { $0 != $1 }
        #expect(lines.count == packaged.count && differing.count == 1)
        #expect(differing.first?.0 == "ExecStart=\"/home/ann/b in/100%%/peersync\" run")
        #expect(differing.first?.1 == "ExecStart=/usr/bin/peersync run")
    }

    @Test(
        "a path that systemd accepts in no form is refused", arguments: ["/a\"b", "/a\\b", "/a\nb"])
    func unfit(program: String) {
        #expect(
            throws: APIError(
                code: .badInput,
                sentence:
                    "systemd cannot start a program with such a name: \(Printable.line(program))",
                hint: "Move it to a folder without quotes and backslashes in its name.")
        ) { try ServiceUnit.text(program: program) }
    }

    @Test("another home is quoted so that it adds no line and no specifier")
    func home() {
        let text = ServiceUnit.dropIn(home: "/a \"b\" 5%\n[Service]")
        #expect(ServiceUnit.isOurs(text))
        #expect(
            text.split(separator: "\n").dropFirst() == [
                "[Service]", #"Environment="PEERSYNC_HOME=/a \"b\" 5%%\x0a[Service]""#,
            ])
    }

    private let running = ServiceProperties(
        parsing: """
            MainPID=5241
            NRestarts=2
            Result=success
            ExecStart={ path=/a b/peersync ; argv[]=/a b/peersync run ; ignore_errors=no ; pid=5241 }
            Environment="PEERSYNC_HOME=/a \\$HOME b\\"q%h\\\\x/\u{FC}\\n;" LANG=C
            LoadState=loaded
            ActiveState=active
            SubState=running
            FragmentPath=/con fig/systemd/user/peersync.service
            UnitFileState=enabled
            ActiveEnterTimestamp=@1795507256
            StatusText=
            """)

    @Test("a running service is read from systemctl's output")
    func properties() {
        #expect(running.state == .running && running.isInstalled && running.isEnabled)
        #expect(running.process == 5241 && running.restarts == 2)
        #expect(running.program == "/a b/peersync")
        #expect(running.unitFile == "/con fig/systemd/user/peersync.service")
        #expect(
            running.environment
                == ["PEERSYNC_HOME": "/a $HOME b\"q%h\\x/\u{FC}\n;", "LANG": "C"])
        #expect(running.activeSince == Moment(milliseconds: 1_795_507_256_000))
        #expect(running.statusText == nil && running.failure == nil)
    }

    @Test("unit folders are separated, even with spaces in them")
    func folders() {
        let manager = ServiceProperties(
            parsing: #"UnitPath="/con fig/systemd/user" /etc/systemd/user"#)
        #expect(manager.unitFolders == ["/con fig/systemd/user", "/etc/systemd/user"])
    }

    @Test(
        "each way to fail has its name",
        arguments: [
            ("failed", "failed", "watchdog", 0, ServiceView.State.failed, ServiceFailure.hung),
            ("activating", "auto-restart", "exit-code", 1, .retrying, .exit(1)),
            ("failed", "failed", "exit-code", 203, .failed, .noProgram),
            ("failed", "failed", "exit-code", 243, .failed, .noCredentials),
            ("failed", "failed", "signal", 9, .failed, .signal(9)),
            ("failed", "failed", "start-limit-hit", 1, .failed, .tooOften),
            ("failed", "failed", "oom-kill", 0, .failed, .outOfMemory),
            ("failed", "failed", "timeout", 0, .failed, .timeout),
            ("failed", "failed", "protocol", 0, .failed, .other("protocol")),
        ])
    func failures(
        active: String, sub: String, result: String, status: Int, state: ServiceView.State,
        failure: ServiceFailure
    ) {
        let properties = ServiceProperties(
            parsing: """
                LoadState=loaded
                ActiveState=\(active)
                SubState=\(sub)
                Result=\(result)
                ExecMainStatus=\(status)
                """)
        #expect(properties.state == state)
        #expect(properties.failure == failure)
    }

    @Test("a missing unit is not installed, and did not fail")
    func absent() {
        let absent = ServiceProperties(
            parsing: "LoadState=not-found\nActiveState=inactive\nSubState=dead\nResult=success")
        #expect(absent.state == .stopped && !absent.isInstalled && absent.failure == nil)
    }

    @Test("the program's last message is its error with the remedy")
    func lastError() {
        let text = """
            level=info phase=program action=starting
            error: No network port is free to listen on.
            hint: Choose another one: peersync run --port NUMBER
            peersync.service: Main process exited, code=exited, status=1/FAILURE
            """
        let failure = ServiceJournal.error(in: text)
        #expect(failure?.sentence == "No network port is free to listen on.")
        #expect(failure?.remedy == "Choose another one: peersync run --port NUMBER")
        #expect(ServiceJournal.error(in: "level=info") == nil)
    }

    @Test("levels match those of the journal")
    func query() {
        var query = ServiceJournal.Query(lines: 5)
        query.level = .warning
        query.since = Moment(milliseconds: 1_795_507_256_999)
        #expect(
            query.words == [
                "--lines=5", "--output=short-iso", "--priority=4", "--since=@1795507256",
            ])
    }
}
