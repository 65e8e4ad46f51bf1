internal import LocalAPI

/// Which device stores which encrypted trips.
enum VaultTable {
    static func rendered(_ list: VaultList, width: Int?) -> String {
        var parts: [String] = []
        if !list.vaults.isEmpty {
            var table = Table([
                .text(tr("trip"), shrinksTo: 12), .text(tr("carried by"), shrinksTo: 12),
                .wrapping("", shrinksTo: 20),
            ])
            for vault in list.vaults {
                table.add([
                    vault.trip.name, vault.device.name, standing(vault),
                ])
            }
            parts.append(table.rendered(width: width))
        }
        if !list.carried.isEmpty {
            var table = Table([.text(""), .text("", shrinksTo: 14), .wrapping("", shrinksTo: 30)])
            for trip in list.carried {
                table.add([
                    Symbols.of(trip.state), TripTable.name(trip), TripTable.standing(trip),
                ])
            }
            parts.append(table.rendered(width: width))
        }
        return parts.isEmpty
            ? tr(
                """
                No device carries anything for you, and this one carries nothing. An old computer \
                can keep an encrypted trip or space that it cannot read: peersync vault add DEVICE \
                --trip NAME
                """) : parts.joined(separator: "\n\n")
    }

    /// A row of `vault list`, beside device and trip.
    private static func standing(_ view: VaultView) -> String {
        guard view.accepted else {
            return tr("not accepted there by \(Sentence.plain(view.person.name))")
        }
        return view.waiting == .nothing
            ? tr("has all it may have") : tr("lacks \(Sentence.waiting(view.waiting))")
    }
}
