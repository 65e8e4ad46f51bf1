import Agent
import Testing

@Suite("Messages to the service manager")
struct ServiceNotifierTests {
    @Test("a message arrives whole at a path or an abstract name", arguments: [false, true])
    func sending(isAbstract: Bool) throws {
        let manager = try ManagerSocket(isAbstract: isAbstract)
        let notifier = try #require(
            ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.name]))
        #expect(notifier.send("READY=1", "STATUS=Listening."))
        #expect(manager.message() == ["READY=1", "STATUS=Listening."])
        #expect(manager.message() == nil)
    }

    @Test("a failed message is reported: a manager that is gone, one that does not read")
    func notSent() throws {
        let gone = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nowhere/notify"]))
        #expect(!gone.send("READY=1"))
        let manager = try ManagerSocket()
        let notifier = try #require(
            ServiceNotifier(environment: ["NOTIFY_SOCKET": manager.name]))
        var count = 0
        while count < 10_000, notifier.send("STATUS=\(count)") { count += 1 }
        #expect((1..<10_000).contains(count))
    }

    @Test(
        "another kind of address, or none, means no manager",
        arguments: [nil, "", "@", "notify", "vsock:2:1", "/" + String(repeating: "a", count: 108)])
    func noManager(socket: String?) {
        var environment: [String: String] = [:]
        environment["NOTIFY_SOCKET"] = socket
        #expect(ServiceNotifier(environment: environment) == nil)
    }

    @Test(
        "the watchdog counts for the process that it names",
        arguments: [
            ("120000000", nil, Duration.seconds(120)), ("1", "77", .microseconds(1)),
            ("120000000", "78", nil), ("0", nil, nil), ("-5", nil, nil), ("soon", nil, nil),
            (nil, "77", nil),
        ] as [(String?, String?, Duration?)])
    func watchdog(microseconds: String?, process: String?, expected: Duration?) throws {
        var environment = ["NOTIFY_SOCKET": "@x"]
        environment["WATCHDOG_USEC"] = microseconds
        environment["WATCHDOG_PID"] = process
        let notifier = try #require(ServiceNotifier(environment: environment, process: 77))
        #expect(notifier.watchdog == expected)
    }
}
