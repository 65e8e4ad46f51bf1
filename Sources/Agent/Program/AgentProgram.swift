package import Device
import Files
internal import Foundation
internal import Identity
package import LocalAPI
internal import Logging
internal import Media
import Networking
import Node
import Records
import ServiceLifecycle
import Status
import Store
import SyncCore
internal import UnixSignals

/// The result of `init`.
package struct InitialisedIdentity: Sendable {
    /// The private half of the person key, as people write it down; shown once and not stored.
    package let recoveryKey: String
    /// The id as people see it.
    package let deviceID: String
}

/// An agent inside this process.
package struct OpenedAgent: Sendable {
    package let service: any AgentService
    private let runtime: AgentRuntime

    fileprivate init(_ runtime: AgentRuntime) {
        self.runtime = runtime
        service = LocalAgent(runtime: runtime).handlers
    }

    /// What a person should know who opens this home: that it is a copy, said once.
    package var notice: String? {
        switch runtime.node.store.opening.newBecause {
        case .machineChanged, .fileReplaced:
            let words = StatusWords(runtime.node).words(for: .copied)
            return [words.sentence, words.remedy].compactMap(\.self).joined(separator: " ")
        case .firstOpening, nil: return nil
        }
    }

    /// The name that this device will have once it has a person.
    fileprivate func name(_ deviceName: String) {
        var identity = runtime.node.identity
        identity.deviceName = deviceName
        runtime.node.setIdentity(identity)
    }

    /// Makes pending writes durable and releases the store.
    package func close() async {
        await runtime.close()
    }
}

/// The ways a program starts an agent.
package enum AgentProgram {
    /// Runs a child process's work if this process was started as one, and returns the exit code;
    /// nil for an ordinary start. Call it before anything else.
    package static func runAsChild(_ arguments: [String]) -> Int32? {
        guard arguments.dropFirst().first == DecoderChild.argument else { return nil }
        return DecoderChild.run(Array(arguments.dropFirst(2)))
    }

    /// Every mistake in a schema document, by line; empty if the document is valid.
    package static func mistakes(inSchema document: [UInt8]) -> [SchemaMistake] {
        SchemaLoader.mistakes(in: document).map {
            SchemaMistake(line: $0.line, path: $0.path, reason: $0.reason)
        }
    }

    /// Creates device, home space and store, and a person; with `recoveryKey`, a new device of the
    /// person who has that key. Throws ``APIError``.
    package static func initialise(
        _ home: AgentHome, deviceName: String, personName: String, recoveryKey: String? = nil
    ) async throws -> InitialisedIdentity {
        guard !home.isInitialised else {
            throw APIError.alreadyInitialised(home: home.directory)
        }
        for name in [deviceName, personName] where !PairingName.isAcceptable(name) {
            throw Sentence.Usage.badName(name, most: Limits.nameBytes)
        }
        return try await translatingErrors(home) {
            let runtime = try await AgentRuntime(
                home, AgentStart(isLongRunning: false), logger: AgentLog.make().logger)
            do {
                let key = try recoveryKey.map { try PersonKey(typed: $0) }
                let made = try await make(runtime, deviceName, personName, key ?? .generate())
                await runtime.close()
                return made
            } catch {
                await runtime.close()
                throw error
            }
        }
    }

    private static func make(
        _ runtime: AgentRuntime, _ deviceName: String, _ personName: String, _ person: PersonKey
    ) async throws -> InitialisedIdentity {
        let node = runtime.node
        var identity = node.identity
        guard identity.card == nil else {
            throw APIError.alreadyInitialised(home: node.home.directory)
        }
        let chain = node.cardIssuer.firstCard(of: identity.keys, person: person)
        identity.card = try CardVerifier().verify(chain)
        identity.unverifiedCard = chain
        identity.deviceName = deviceName
        identity.personName = personName
        node.setIdentity(identity)
        try await OwnLists(of: node).begin()
        return InitialisedIdentity(
            recoveryKey: person.recoveryText, deviceID: DeviceIDText.text(of: identity.deviceID))
    }

    /// `peersync run`: runs until SIGTERM or SIGINT. `whenReady` is called once other devices and
    /// local commands can reach the agent; then `advise` is called with the problems of this
    /// computer.
    package static func run(
        _ home: AgentHome, port: UInt16?, log options: LogOptions = LogOptions(),
        whenReady: @escaping @Sendable () async -> Void = {},
        advise: @escaping @Sendable ([ProblemView]) -> Void = { _ in }
    ) async throws {
        try await translatingErrors(home) {
            let log = AgentLog.make(options)
            let logger = log.logger
            logger.note(
                .info, .program, "starting", details: ["version": "\(ProgramVersion.text)"])
            let manager = ServiceNotifier(environment: ProcessInfo.processInfo.environment)
            var restarts = RestartPolicy()
            var isFirst = true
            while true {
                let start = AgentStart(
                    isLongRunning: true, port: port, level: options.level, log: log.output)
                // Later the service manager tries again: a program that waits then hears no signals.
                let runtime =
                    isFirst
                    ? try await opened(home, start, logger, manager, advise)
                    : try await AgentRuntime(home, start, logger: logger)
                let isReported = !isFirst
                let service = LongRunningAgent(
                    runtime: runtime,
                    reporter: manager.map { runtime.reporter(to: $0) },
                    server: LocalServer(
                        handlers: LocalAgent(runtime: runtime).handlers,
                        socketPath: home.socketPath),
                    whenReady: { if !isReported { await whenReady() } },
                    advise: { if !isReported { advise($0) } })
                let group = ServiceGroup(
                    configuration: ServiceGroupConfiguration(
                        services: [service], gracefulShutdownSignals: [.sigterm, .sigint],
                        logger: logger))
                runtime.restart.setEnding(restarts) { await group.triggerGracefulShutdown() }
                try await group.run()
                try runtime.node.store.requirePlace()
                guard let reason = runtime.restart.reason else { return }
                switch reason {
                case .damaged:
                    logger.note(.warning, .program, "starting anew, as the store is damaged")
                case .roomReturned:
                    logger.note(.info, .program, "starting anew, as the disk has room again")
                }
                restarts.began(for: reason, at: Restart.now)
                isFirst = false
            }
        }
    }

    /// Opens the store. While the disk has no room for that it waits for some, and tells that once.
    private static func opened(
        _ home: AgentHome, _ start: AgentStart, _ logger: Logger, _ manager: ServiceNotifier?,
        _ advise: ([ProblemView]) -> Void
    ) async throws -> AgentRuntime {
        var (isTold, isRepeated) = (false, false)
        func free() -> UInt64? { BlobFiles.freeBytes(at: home.directory) }
        while true {
            do {
                return try await AgentRuntime(home, start, logger: logger)
            } catch {
                guard home.isInitialised, lacksRoom(error) else { throw error }
                if !isRepeated, let free = free(), free >= Limits.spareDiskBytes {
                    // It was full for a moment only.
                    isRepeated = true
                    continue
                }
                if !isTold {
                    let problem = explained(error, home)
                    logger.note(
                        .error, .store, "no room on the disk to open the store: waiting for some")
                    manager?.send("STATUS=\(problem.sentence)")
                    advise([
                        ProblemView(
                            kind: .storageFault, urgent: true, sentence: problem.sentence,
                            remedy: problem.hint)
                    ])
                    isTold = true
                }
                let wait = RoomWait(freeBytes: free(), at: Restart.now)
                while !wait.isOver(freeBytes: free(), at: Restart.now) {
                    try await Task.sleep(for: .milliseconds(Limits.roomLookMilliseconds))
                }
            }
        }
    }

    private static func lacksRoom(_ error: any Error) -> Bool {
        if case StoreError.noRoomToUpdate = error { return true }
        return ErrorSentence.of(error) == .diskFull
    }

    /// Opens the store in this process; with `network` it also listens and dials, but only while
    /// the command runs. Throws ``APIError``, also if an agent runs already.
    package static func open(_ home: AgentHome, network: Bool) async throws -> OpenedAgent {
        try await translatingErrors(home) {
            let runtime = try await AgentRuntime(
                home, AgentStart(isLongRunning: false), logger: AgentLog.make().logger)
            if network {
                do {
                    try await runtime.startNetwork(advertises: true)
                } catch {
                    let isReadOnly = runtime.node.store.isOpenedForReading
                    await runtime.close()
                    guard isReadOnly else { throw error }
                    let words = Sentence.Problem.readOnly
                    throw APIError(
                        code: APIError.diskFull.code, sentence: words.message, hint: words.advice)
                }
            }
            return OpenedAgent(runtime)
        }
    }

    /// Opens a device without a person, with network, so that it can join a person.
    package static func openForJoining(
        _ home: AgentHome, deviceName: String
    ) async throws -> OpenedAgent {
        guard PairingName.isAcceptable(deviceName) else {
            throw Sentence.Usage.badName(deviceName, most: Limits.nameBytes)
        }
        let opened = try await open(home, network: true)
        opened.name(deviceName)
        return opened
    }

    static func translatingErrors<Result: Sendable>(
        _ home: AgentHome, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            throw explained(error, home)
        }
    }

    /// What opening threw as a sentence: why there is no room, in a home that is not new.
    private static func explained(_ error: any Error, _ home: AgentHome) -> APIError {
        let sentence = ErrorSentence.of(error)
        guard sentence == .diskFull else { return sentence }
        let free = BlobFiles.freeBytes(at: home.directory)
        let hint: Message? =
            if let free, free < Limits.spareDiskBytes {
                tr(
                    """
                    Make room on the disk of \(Sentence.quoted(home.directory)), then try again: \
                    \(Sentence.size(Int64(clamping: free))) are free. With \
                    \(Sentence.size(Int64(Limits.spareDiskBytes))) or more there is room for files, too.
                    """)
            } else { sentence.advice }
        guard home.isInitialised else {
            return APIError(code: sentence.code, sentence: sentence.message, hint: hint)
        }
        return APIError(
            code: sentence.code,
            sentence: "The disk is full: there is no room to open the database.", hint: hint)
    }
}
