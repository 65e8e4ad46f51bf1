internal import ArgumentParser
internal import LocalAPI

/// Prints the digest of a trip.
struct Digest: PeersyncCommand {
    static let configuration = CommandConfiguration(
        "digest", "Print a checksum of a trip, equal on devices that show the same.",
        examples: ["peersync digest \"Arezzo 2008\""],
        remarks: "The second line shows how many files were read and verified on this device.")

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip"), completion: .names(of: .trip))
    var trip: String

    func run(in context: CommandContext) async throws {
        try await context.show(\.trips.digest, id: trip) { digest in
            """
            \(digest.digest)  \(Printable.line(digest.trip.name))
            \(tr("files verified \(digest.filesVerified) of \(digest.filesTotal)"))
            """
        }
    }
}
