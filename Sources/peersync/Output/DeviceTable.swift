internal import LocalAPI

/// Devices as rows.
enum DeviceTable {
    static func rendered(_ devices: [DeviceView], width: Int?) -> String {
        var table = Table([
            .text(""), .text("device", shrinksTo: 8), .text("person", shrinksTo: 8),
            .text("state", shrinksTo: 16), .text("id"),
        ])
        for device in devices {
            table.add([
                Symbols.of(device.state), device.name,
                device.mine ? Sentence.Status.yours : device.person.name, standing(device),
                device.shortID,
            ])
        }
        return table.rendered(width: width)
    }

    /// Where it is, when it was synced, and what waits for it or keeps it away.
    static func standing(_ device: DeviceView) -> String {
        var parts: [String] = []
        if let problem = device.problem {
            parts.append(problem)
        } else if device.connected {
            parts.append(Sentence.Status.connected)
        } else {
            parts.append(
                device.lastSeen.map { Sentence.Status.seen(Formatting.ago($0)) }
                    ?? Sentence.Status.neverSeen)
        }
        if device.waiting != .nothing {
            parts.append(Sentence.Status.toSend(device.waiting))
        } else if device.problem == nil, let last = device.lastSync {
            parts.append(Sentence.Status.synced(Formatting.ago(last)))
        }
        return parts.joined(separator: ", ")
    }
}
