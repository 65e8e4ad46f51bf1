package import Device
internal import Foundation
package import LocalAPI
import SyncCore

/// Installs the agent as a service of this person's systemd, removes it, and reports its state.
package struct ServiceControl: Sendable {
    private let manager: UserSystemd
    private let files: ServiceFiles

    /// Throws ``APIError`` if there is no systemd, or none that runs services for this user.
    package static func open() async throws -> ServiceControl {
        let manager = try await UserSystemd.open()
        return ServiceControl(manager: manager, files: ServiceFiles(in: manager.unitFolder))
    }

    // MARK: Installing

    /// Starts the agent of a home now and with each session; returns once it answers. A second call
    /// changes nothing.
    package func install(_ home: AgentHome) async throws -> ServiceView {
        guard home.isInitialised else { throw APIError.notInitialised }
        let program = try ownProgram()
        let before = try await manager.properties(of: ServiceUnit.name)
        if let unit = files.foreignUnit { throw ServiceFiles.foreignUnit(unit) }
        let used = try self.home(of: before, otherwise: home).directory
        guard !before.isInstalled || !before.isEnabled || used == home.directory else {
            throw APIError(
                code: .conflict,
                sentence: """
                    The service is already installed for another folder (\(Printable.line(used))).
                    """,
                hint: "Remove it first: peersync service remove")
        }
        if let agent = await agent(of: home), agent.processID != before.process {
            throw APIError(
                code: .conflict,
                sentence:
                    "An agent already runs outside of the service (process \(agent.processID)).",
                hint: """
                    Stop it with Ctrl-C in its terminal, or with 'kill \(agent.processID)', then \
                    run 'peersync service install' again.
                    """)
        }
        let isPackaged = program == ServiceUnit.packagedProgram && isPackageInstalled
        let usual = try AgentHome.resolve(option: nil, environment: manager.serviceEnvironment)
        let isChanged = try files.write(
            program: isPackaged ? nil : program,
            home: usual.directory == home.directory ? nil : home.directory)
        try await manager.run("daemon-reload")
        try await manager.run("enable", ServiceUnit.name)
        let staysUp = before.isActive && before.program == program && !isChanged
        if !staysUp {
            // Stop first, or the old state would be mistaken for the new one.
            try await manager.run("stop", ServiceUnit.name)
            try await manager.attempt("reset-failed", ServiceUnit.name)
            try await manager.run("start", "--no-block", ServiceUnit.name)
        }
        return try await running(home)
    }

    /// The state of the service once its agent answers.
    private func running(_ home: AgentHome) async throws -> ServiceView {
        let clock = ContinuousClock()
        let giveUp = clock.now + .seconds(Limits.serviceStartSeconds)
        while clock.now < giveUp {
            let now = try await manager.properties(of: ServiceUnit.name)
            if now.isActive, let agent = await agent(of: home), agent.processID == now.process {
                return try await view(of: now, otherwise: home)
            }
            if now.isFailing, let failure = try await failure(of: now) {
                throw APIError(
                    code: .failed,
                    sentence: "The service is installed but does not start. \(failure.sentence)",
                    hint: "\(failure.remedy)\nTo remove the service: peersync service remove")
            }
            try await Task.sleep(for: .milliseconds(Limits.serviceRetryMilliseconds))
        }
        throw APIError(
            code: .failed, sentence: "The service is installed and still starting after a minute.",
            hint: "See how far it is: peersync service status")
    }

    private func ownProgram() throws -> String {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw APIError(
                code: .failed, sentence: "This program's file was replaced while it was running.",
                hint: "Run the command again.")
        }
        return path
    }

    private var isPackageInstalled: Bool {
        FileManager.default.fileExists(atPath: "/usr/lib/systemd/user/" + ServiceUnit.name)
    }

    // MARK: Removing

    /// Stops the service and deletes the installed files. A second call changes nothing. `home` is
    /// reported if no other home was installed.
    package func remove(_ home: AgentHome) async throws -> ServiceRemoval {
        let before = try await manager.properties(of: ServiceUnit.name)
        let home = try self.home(of: before, otherwise: home).directory
        let foreign = files.foreignUnit
        let hasFile = before.isInstalled || before.isBroken
        // The service may run although its file is gone.
        if before.isInstalled || before.process != nil {
            try await manager.run("stop", ServiceUnit.name)
        }
        if hasFile { try await manager.run("disable", ServiceUnit.name) }
        try files.remove()
        try await manager.run("daemon-reload")
        try await manager.attempt("reset-failed", ServiceUnit.name)
        let wasOn = before.isEnabled || before.process != nil || before.isFailing
        let after = try await manager.properties(of: ServiceUnit.name)
        return ServiceRemoval(
            unit: ServiceUnit.name, removed: wasOn || hasFile && !after.isInstalled,
            unitFileLeft: foreign, home: home)
    }

    // MARK: Status

    /// `home` is reported if no other home is installed.
    package func status(_ home: AgentHome) async throws -> ServiceView {
        try await view(of: try await manager.properties(of: ServiceUnit.name), otherwise: home)
    }

    private func view(
        of properties: ServiceProperties, otherwise home: AgentHome
    ) async throws -> ServiceView {
        let home = try self.home(of: properties, otherwise: home)
        var view = ServiceView(
            unit: ServiceUnit.name, installed: properties.isInstalled,
            enabled: properties.isEnabled, state: properties.state, home: home.directory,
            restarts: properties.restarts, lingering: isLingering)
        view.unitFile = properties.unitFile
        view.since = properties.isActive ? properties.activeSince : properties.changedAt
        view.processID = properties.process
        view.program = properties.program
        view.agentAnswers = await agent(of: home) != nil
        view.statusText = properties.isActive ? properties.statusText : nil
        view.failure = try await failure(of: properties)
        return view
    }

    private func failure(of properties: ServiceProperties) async throws -> ServiceView.Failure? {
        guard properties.isInstalled else {
            return properties.isBroken
                ? ServiceView.Failure(
                    sentence: tr(
                        "systemd does not understand the unit file or one of its drop-ins."),
                    remedy: tr("See which line: systemctl --user status peersync")) : nil
        }
        guard let failure = properties.failure else { return nil }
        let told = try await ServiceJournal().lastError(since: properties.startedAt)
        return failure.view(of: properties.program ?? "", told: told)
    }

    /// logind keeps a file for each user who lingers; asking it about a user without a session
    /// fails.
    private var isLingering: Bool {
        FileManager.default.fileExists(atPath: "/var/lib/systemd/linger/" + NSUserName())
    }

    /// The home that the unit uses; without a unit, the given one.
    private func home(
        of properties: ServiceProperties, otherwise home: AgentHome
    ) throws -> AgentHome {
        guard properties.isInstalled else { return home }
        return try AgentHome.resolve(
            option: nil,
            environment: manager.serviceEnvironment.merging(properties.environment) { $1 })
    }

    /// The agent that answers in a home; nil also if it hangs.
    private func agent(of home: AgentHome) async -> InfoView? {
        let client = LocalClient(socketPath: home.socketPath)
        return await withTaskGroup(of: InfoView?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try? await client.call(\.agent.info) }
            group.addTask {
                try? await Task.sleep(for: .seconds(Limits.serviceAnswerSeconds))
                return nil
            }
            return await group.next() ?? nil
        }
    }
}

extension Limits {
    /// How long to wait for an agent that starts: a large home on a slow disk takes seconds.
    static let serviceStartSeconds = 60
    /// How long to wait for an answer of a running agent.
    static let serviceAnswerSeconds = 5
}
