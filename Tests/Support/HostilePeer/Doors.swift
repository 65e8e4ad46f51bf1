import Identity

/// Ways to connect without being trusted. None of them may succeed.
struct Door {
    let name: String
    let mask: Mask
    var protocols = ["peersync/1"]

    /// `trusted` are the keys of a device that the agent knows: only the public half is used.
    static func all(trusted: DeviceKeys) -> [Door] {
        let stranger = Mask.own(DeviceKeys.generate())
        return [
            Door(name: "no certificate", mask: .faceless),
            Door(name: "a stranger's certificate", mask: stranger),
            Door(name: "a borrowed certificate", mask: .borrowed(trusted)),
            Door(name: "another protocol", mask: stranger, protocols: ["h2"]),
            Door(name: "a later protocol", mask: stranger, protocols: ["peersync/2"]),
            Door(name: "no protocol", mask: stranger, protocols: []),
            Door(
                name: "pairing while it is closed", mask: stranger, protocols: ["peersync-pair/1"]),
        ]
    }

    /// The same with the device's own key: trusted, but with wrong protocols.
    static func wrongProtocols(of trusted: DeviceKeys) -> [Door] {
        [
            Door(name: "a paired device, other protocol", mask: .own(trusted), protocols: ["h2"]),
            Door(name: "a paired device, no protocol", mask: .own(trusted), protocols: []),
        ]
    }

    /// Nil if the agent said nothing and closed the connection.
    func knock(at place: Place) async throws -> String? {
        let line = try await Line.open(place, mask, protocols: protocols)
        await line.send(RawBytes.frame([0x52, 0x09, 0x09, 1, 2, 3, 4, 5, 6, 7, 8]))
        guard await line.isClosed(within: 12) else {
            await line.close()
            return "the agent did not hang up"
        }
        return line.receivedBytes == 0 ? nil : "the agent sent \(line.receivedBytes) bytes"
    }
}
