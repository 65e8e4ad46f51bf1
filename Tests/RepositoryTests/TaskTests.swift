import Testing

@Suite("Where tasks begin")
struct TaskTests {
    /// How many tasks each file begins by itself; tasks of a group end with their function and are not counted. Loops
    /// belong to `ServiceTasks`, background work to `WorkQueue`, and later steps to `Task.after`. The list may only
    /// shrink.
    private static let tasks: [String: Int] = [
        "Sources/Device/Loop/Delay.swift": 1,
        "Sources/Device/Loop/ServiceTasks.swift": 1,
        "Sources/Device/Loop/WorkQueue.swift": 1,
        // A call that must not wait asks an actor for something.
        "Sources/Agent/Program/AgentActions.swift": 2,
        "Sources/Agent/Program/AgentOutputs.swift": 1,
        "Sources/Agent/Program/LongRunningAgent.swift": 1,
        "Sources/Networking/Dialing/NetworkService+Needs.swift": 1,
        // The duties of a node, and its wish to call again.
        "Sources/Device/Node/NodeLoop.swift": 2,
        // Work that outlives the request of the person who asked for it.
        "Sources/Doctor/ExaminationTracker.swift": 1,
        "Sources/Networking/Pairing/PairingService.swift": 3,
        // Both sides of one pairing, which must not end in the middle of storing.
        "Sources/Networking/Pairing/JoinRun.swift": 2,
        "Sources/Networking/Pairing/PairingRun.swift": 2,
        // Only while the disk is full.
        "Sources/Files/Library/FreeSpaceMonitor.swift": 1,
        // Targets below Device.
        "Sources/Discovery/Avahi/AvahiDiscovery.swift": 2,
        "Sources/Discovery/Probe/NetworkProbe.swift": 1,
        "Sources/LocalAPI/Server/Routes.swift": 2,
        "Sources/Media/Import/PictureDecoder.swift": 1,
        // A command ends with its process.
        "Sources/peersync/Context/DoctorConnection.swift": 1,
        "Sources/peersync/Context/PairingDialogue.swift": 1,
        "Sources/peersync/Context/SilentAgent.swift": 1,
        "Sources/peersync/Program/CommandRunner.swift": 1,
    ]

    @Test("tasks begin in few places, which are known by name")
    func places() throws {
        // given
        var found: [String: Int] = [:]
        // when
        for file in try Repository.swiftFiles(below: "Sources") {
            let count = Self.count(in: try file.text())
            if count > 0 { found[file.path] = count }
        }
        // then
        for path in Set(found.keys).union(Self.tasks.keys).sorted() {
            let (now, listed) = (found[path] ?? 0, Self.tasks[path] ?? 0)
            #expect(now == listed, "\(path) begins \(now) tasks, and \(listed) are listed")
        }
    }

    @Test("a task is found in each form, and not in a group, a comment or a text")
    func forms() {
        let text = """
            // Task { }
            let one = Task { 1 }
            let two = Task(priority: .low) { 2 }
            let three = Task<Void, Never>.detached { }
            Task.detached(priority: .low) { "Task {" }
            group.addTask { }
            loop.scheduleTask(in: time) { }
            func after() -> Task<Void, Never> { made }
            Task.after(.seconds(1)) { }
            """
        #expect(Self.count(in: text) == 4)
    }

    private static func count(in text: String) -> Int {
        guard text.contains("Task") else { return 0 }
        // The arrow stands before the result of a function.
        let begin = /(->\s*)?\bTask(?:<[^>\n]*>)?(?:\.detached)?\s*[({]/
        return String(MaskedSource(text).characters).matches(of: begin).count { $0.1 == nil }
    }
}
