package import Logging
internal import SyncCore

/// Finds other peersyncs on the network and advertises this one, through Avahi (RFC 6763).
///
/// It is optional: without Avahi it reports the outage, keeps retrying, and works as soon as it
/// can. Call ``start()`` once and ``stop()`` once; in between it runs and retries.
package actor AvahiDiscovery {
    /// The events, for a single consumer. Ends with ``stop()``.
    package nonisolated let events: AsyncStream<DiscoveryEvent>
    /// The random name under which this run is advertised; replaced after a collision.
    package private(set) var instanceName: String

    private let continuation: AsyncStream<DiscoveryEvent>.Continuation
    private let executor = BlockingExecutor(label: "peersync.discovery")
    private let port: UInt16?
    private let protocolVersion: Int
    private let logger: Logger
    private var nameplate: String?
    private var namesWeHad: [String] = []
    private var table = InstanceTable()
    private var link: AvahiLink?
    private var isPublished = false
    private var lastState: DiscoveryEvent?
    private var loop: Task<Void, Never>?
    private var resolveTimer: Task<Void, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - port: The TCP port to advertise; nil to browse only.
    ///   - protocolVersion: The newest protocol version we speak, 1 to 65535.
    ///   - instanceName: Random and new for each run, so that nobody can track a device by it.
    ///   - logger: Receives a line for each change of state.
    package init(
        port: UInt16?, protocolVersion: Int, instanceName: String = InstanceName.random(),
        logger: Logger
    ) {
        precondition((1...Int(UInt16.max)).contains(protocolVersion), "\(protocolVersion)")
        precondition(InstanceName.isAcceptable(instanceName), instanceName)
        (self.instanceName, self.port) = (instanceName, port)
        (self.protocolVersion, self.logger) = (protocolVersion, logger)
        (events, continuation) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(Limits.discoveryEvents))
    }

    package func start() {
        precondition(loop == nil, "discovery was started twice")
        loop = Task { await run() }
    }

    /// Stops advertising and ends ``events``; returns when both are done.
    package func stop() async {
        loop?.cancel()
        await loop?.value
        continuation.finish()
    }

    /// Publishes in the record that pairing is open under this nameplate; nil means closed. Other
    /// machines see a change in about a second, or in up to four if the record had just changed.
    /// Before ``start()`` it becomes part of the first announcement.
    ///
    /// - Parameter nameplate: One to four digits.
    package func setNameplate(_ nameplate: String?) {
        precondition(
            (try? ServiceRecord(protocolVersion: protocolVersion, nameplate: nameplate)) != nil,
            "nameplate \(nameplate ?? "")")
        guard nameplate != self.nameplate else { return }
        self.nameplate = nameplate
        guard isPublished, let link, let record else { return }
        do throws(DiscoveryOutage) {
            try link.update(name: instanceName, record: record)
        } catch {
            note(.warning, "the advertised record was not changed", ["why": "\(error)"])
            link.signals.post(.broken(error))
        }
    }

    // MARK: The loop

    private func run() async {
        while !Task.isCancelled {
            let outage = await serve()
            resolveTimer?.cancel()
            resolveTimer = nil
            isPublished = false
            link = nil
            for event in table.clear() { continuation.yield(event) }
            guard let outage else { return }
            tell(.unavailable(reason: outage))
            do {
                try await Task.sleep(for: .seconds(Limits.discoveryRetrySeconds))
            } catch {
                return
            }
        }
    }

    /// Uses one connection to Avahi until it becomes unusable; returns nil if discovery was
    /// stopped.
    private func serve() async -> DiscoveryOutage? {
        do throws(DiscoveryOutage) {
            let link = try AvahiLink.open()
            self.link = link
            for await signal in link.signals.stream {
                try act(on: signal, link)
                if link.signals.haveOverflowed {
                    throw .failed(code: 0, message: "too many announcements")
                }
            }
            return nil
        } catch {
            return error
        }
    }

    private func act(on signal: AvahiSignal, _ link: AvahiLink) throws(DiscoveryOutage) {
        switch signal {
        case .running:
            try link.browse()
            if !isPublished { try publish(link) }
            tell(.available)
        case .settling:
            link.withdraw()
            isPublished = false
        case .waiting: tell(.unavailable(reason: .noAvahiDaemon))
        case .broken(let outage): throw outage
        case .published: note(.info, "advertised", ["name": "\(instanceName)"])
        case .nameTaken: try publishUnderNewName(link)
        case .appeared(let sighting): appear(sighting, link)
        case .vanished(let sighting):
            link.stopResolving(sighting)
            tell(table.vanish(sighting))
        case .resolved(let sighting, let address, let text): resolve(sighting, address, text)
        case .unresolved(let sighting):
            link.stopResolving(sighting)
            tell(table.failToResolve(sighting))
            tryAgainLater(link)
        case .resolveAgain:
            resolveTimer = nil
            for sighting in table.consumeUnresolved() where !link.resolve(sighting) {
                tell(table.failToResolve(sighting))
            }
            tryAgainLater(link)
        }
    }

    // MARK: Others

    private func appear(_ sighting: Sighting, _ link: AvahiLink) {
        guard sighting.name != instanceName, !namesWeHad.contains(sighting.name),
            table.appear(sighting)
        else { return }
        if !link.resolve(sighting) {
            tell(table.failToResolve(sighting))
            tryAgainLater(link)
        }
    }

    private func resolve(_ sighting: Sighting, _ address: HostPort, _ text: [[UInt8]]?) {
        do throws(ServiceRecordError) {
            guard let text else { throw .tooLarge }
            let record = try ServiceRecord(parsing: text)
            tell(table.resolve(sighting, address: address, record: record))
        } catch {
            note(
                .debug, "a service's record is not usable",
                ["name": "\(sighting.name)", "why": "\(error)"])
            // The resolver stays: Avahi reports a corrected record.
            tell(table.failToResolve(sighting))
        }
    }

    /// One timer for all sightings that did not resolve, so that idle agents sleep.
    private func tryAgainLater(_ link: AvahiLink) {
        guard resolveTimer == nil, !table.unresolved.isEmpty else { return }
        let signals = link.signals
        resolveTimer = Task {
            do {
                try await Task.sleep(for: .seconds(Limits.resolveRetrySeconds))
                signals.post(.resolveAgain)
            } catch {
                // Cancelled with the connection it belongs to.
            }
        }
    }

    // MARK: Ourselves

    private var record: ServiceRecord? {
        // Both values were checked when they were set.
        try? ServiceRecord(protocolVersion: protocolVersion, nameplate: nameplate)
    }

    private func publish(_ link: AvahiLink) throws(DiscoveryOutage) {
        guard let port, let record else { return }
        for _ in 0..<Limits.instanceRenames {
            if try link.publish(name: instanceName, port: port, record: record) {
                isPublished = true
                return
            }
            chooseNewName()
        }
        throw DiscoveryOutage.failed(code: 0, message: "every instance name is taken")
    }

    private func publishUnderNewName(_ link: AvahiLink) throws(DiscoveryOutage) {
        chooseNewName()
        try publish(link)
    }

    private func chooseNewName() {
        // Sightings of our old names may still arrive; those of names older than these have
        // expired.
        namesWeHad = namesWeHad.suffix(Limits.instanceRenames - 1) + [instanceName]
        instanceName = InstanceName.random()
    }

    // MARK: Events

    private func tell(_ event: DiscoveryEvent?) {
        guard let event else { return }
        switch event {
        case .available, .unavailable:
            guard event != lastState else { return }
            lastState = event
            note(.info, "state changed", ["state": "\(event)"])
        case .found, .lost: break
        }
        continuation.yield(event)
    }

    private func note(_ level: Logger.Level, _ action: Logger.Message, _ details: Logger.Metadata) {
        logger.log(
            level: level, action, metadata: ["phase": "discovery", "details": .dictionary(details)])
    }
}
