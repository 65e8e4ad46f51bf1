internal import LocalAPI

/// Devices as rows.
enum DeviceTable {
    static func rendered(_ devices: [DeviceView], width: Int?) -> String {
        var table = Table([
            .text(""), .text(tr("device"), shrinksTo: 8), .text(tr("person"), shrinksTo: 8),
            .text(tr("state"), shrinksTo: 16), .text(tr("id")),
        ])
        for device in shown(devices) {
            table.add([
                Symbols.of(device.state), device.name,
                device.mine ? tr("you") : device.person.name, standing(device),
                device.shortID,
            ])
        }
        let below =
            devices.flatMap(\.problems).flatMap { ProblemText.lines($0) } + replaced(devices)
        return ([table.rendered(width: width)] + (below.isEmpty ? [] : [""] + below))
            .joined(separator: "\n")
    }

    /// Each computer once, also where it was set up again.
    static func shown(_ devices: [DeviceView]) -> [DeviceView] {
        devices.filter { $0.replacedBy == nil }
    }

    /// A line about each of the others.
    static func replaced(_ devices: [DeviceView]) -> [String] {
        devices.filter { $0.replacedBy != nil }.map { device in
            tr(
                """
                Not shown: \(Sentence.plain(device.name)) (\(device.shortID)) of before; one of the same name was \
                paired since. If it was set up again: peersync device forget \(device.shortID)
                """)
        }
    }

    /// Where it is, when it was synced, what waits for it and what was tried.
    static func standing(_ device: DeviceView) -> String {
        if device.problems.contains(where: { $0.kind == .deviceLost }) {
            return tr("lost")
        }
        var parts: [String] = []
        if device.connected {
            parts.append(tr("connected"))
        } else if device.reached {
            parts.append(tr("reached over other devices"))
        } else {
            parts.append(
                device.lastSeen.map { tr("seen \(Formatting.ago($0))") }
                    ?? tr("not seen yet"))
        }
        if device.waiting != .nothing {
            parts.append(tr("\(Sentence.waiting(device.waiting)) to send"))
        }
        if device.elsewhere != .nothing {
            parts.append(tr("\(Sentence.waiting(device.elsewhere)) to come from other devices"))
        }
        if let last = device.lastSync { parts.append(tr("synced \(Formatting.ago(last))")) }
        if let tries = device.tries, tries.failed > 1 {
            let failed = Sentence.count(tries.failed, "try", "tries")
            let next = tries.nextTry.map { tr(", next try \(Formatting.ahead($0))") } ?? ""
            parts.append(tr("\(failed) in vain") + next)
        }
        return parts.joined(separator: ", ")
    }
}
