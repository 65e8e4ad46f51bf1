package import LocalAPI

/// The output of `peersync` and `peersync status`.
package enum StatusReport {
    /// The report as text with style marks; `width` in columns, nil for no limit.
    package static func rendered(_ status: StatusView, width: Int?) -> String {
        var parts = [head(status, width: width)]
        parts.append(devices(status, width: width))
        parts.append(trips(status, width: width))
        if !status.problems.isEmpty {
            parts.append(
                status.problems.flatMap { ProblemText.lines($0) }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    private static func head(_ status: StatusView, width: Int?) -> String {
        let name = "\(Printable.line(status.device.name)) (\(Printable.line(status.person.name)))"
        var table = Table([.text(""), .wrapping("", shrinksTo: 16)])
        table.add([
            tr("sync"), network(status.network, syncEnabled: status.syncEnabled),
        ])
        if let reach = connectivity(status) {
            table.add([tr("network"), reach])
        }
        if let last = status.lastSync { table.add([tr("last"), Formatting.ago(last)]) }
        let backup = status.lastBackup.map {
            BackupText.last($0, ago: Formatting.ago($0.made))
        }
        table.add([tr("backup"), backup ?? tr("never")])
        return """
            \(Style.bold(name))  \(Symbols.of(status.state)) \(Printable.line(status.verdict, isWhole: true))
            \(table.rendered(width: width, indent: 2))
            """
    }

    private static func devices(_ status: StatusView, width: Int?) -> String {
        let heading = Style.bold(tr("Devices")) + "\n"
        guard !status.devices.isEmpty else { return heading + "  " + noDevices }
        var table = Table([
            .text(""), .text("", shrinksTo: 8), .text("", shrinksTo: 8),
            .wrapping("", shrinksTo: 16),
        ])
        for device in DeviceTable.shown(status.devices) {
            table.add([
                Symbols.of(device.state), device.name,
                device.mine ? tr("you") : device.person.name,
                DeviceTable.standing(device),
            ])
        }
        return
            ([heading + table.rendered(width: width, indent: 2)]
            + DeviceTable.replaced(status.devices).map { "  \($0)" }).joined(separator: "\n")
    }

    /// The current transfers to and from each device, one line each.
    static func moving(_ activity: ActivityView) -> String {
        let lines = activity.devices.compactMap { device -> String? in
            let flows = [
                ProgressText.flow(device.receiving, isSending: false),
                ProgressText.flow(device.sending, isSending: true),
            ].compactMap(\.self)
            let name = Printable.line(device.device.name)
            return flows.isEmpty ? nil : "\(name): \(flows.joined(separator: "; "))"
        }
        return lines.isEmpty
            ? tr("Nothing is being sent or received.") : lines.joined(separator: "\n")
    }

    private static func trips(_ status: StatusView, width: Int?) -> String {
        let isOnlyTrips = status.trips.allSatisfy(\.isTrip)
        let heading = Style.bold(isOnlyTrips ? tr("Trips") : tr("Trips and spaces")) + "\n"
        guard !status.trips.isEmpty else { return heading + "  " + noTrips() }
        var table = Table([.text(""), .text("", shrinksTo: 12), .wrapping("", shrinksTo: 16)])
        let named = Dictionary(grouping: status.trips) { TripTable.name($0) }.mapValues(\.count)
        for trip in status.trips {
            let name = TripTable.name(trip)
            let isAlone = named[name, default: 1] == 1
            table.add([
                Symbols.of(trip.state), isAlone ? name : "\(name) (\(trip.shortID))",
                TripTable.listed(trip),
            ])
        }
        return heading + table.rendered(width: width, indent: 2)
    }

    private static func network(_ network: NetworkStatus, syncEnabled: Bool) -> String {
        guard syncEnabled else { return tr("off") }
        guard network.running else { return tr("on, but no agent runs") }
        guard let port = network.port else { return tr("on, but not listening") }
        switch network.discovery {
        case .working: return tr("on, port \(port), finds devices by itself")
        case .noAvahi: return tr("on, port \(port), known addresses only")
        case .off: return tr("on, port \(port)")
        }
    }

    /// Whether this device is in a network, and which others are there; nil while it does not listen.
    private static func connectivity(_ status: StatusView) -> String? {
        guard status.syncEnabled, status.network.port != nil else { return nil }
        if status.problems.contains(where: { $0.kind == .noNetwork }) {
            return tr("none: this computer is in no network")
        }
        let near = status.devices.count { $0.connected || $0.reached }
        guard near == 0 else {
            return tr(near, "\(near) device in reach", "\(near) devices in reach")
        }
        let refusing = status.devices.count { $0.refuses == true }
        guard refusing == 0 else {
            return tr(
                refusing, "connected; \(refusing) device answers and refuses this one",
                "connected; \(refusing) devices answer and refuse this one")
        }
        let strangers = status.network.announcedDevices
        guard strangers > 0 else { return tr("connected, nobody else is there") }
        return status.devices.isEmpty
            ? tr(
                strangers,
                "connected; \(strangers) device announces itself, not paired with this one",
                "connected; \(strangers) devices announce themselves, none paired with this one"
            )
            : tr(
                strangers, "connected; \(strangers) device announces itself, none is in reach",
                "connected; \(strangers) devices announce themselves, none is in reach")
    }

    static var noDevices: String {
        tr("None yet. Run 'peersync pair' here and 'peersync join' on the other device.")
    }

    /// `carried`: the spaces that this device carries for others without reading them.
    package static func noTrips(carried: Int = 0) -> String {
        guard carried > 0 else {
            return tr("None yet. Make one: peersync trip create \"Arezzo 2008\"")
        }
        return tr(
            carried,
            """
            None that can be read here. This device carries \(carried) trip or space for others: \
            peersync vault list
            """,
            """
            None that can be read here. This device carries \(carried) trips or spaces for others: \
            peersync vault list
            """)
    }
}
