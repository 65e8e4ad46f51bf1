internal import ArgumentParser
internal import LocalAPI

/// Prints the digest of a trip.
struct Digest: PeersyncCommand {
    static let configuration = CommandConfiguration("digest", .digest)

    @Argument(help: ArgumentHelp(OptionHelp.trip, valueName: "trip")) var trip: String

    @OptionGroup(title: OptionHelp.globalTitle) var global: GlobalOptions

    func run(in context: CommandContext) async throws {
        let digest = try await context.call(\.trips.digest, id: trip)
        try context.output.result(digest) { digest in
            """
            \(digest.digest)  \(Printable.line(digest.trip.name))
            \(Sentence.Trip.filesVerified(digest.filesVerified, of: digest.filesTotal))
            """
        }
    }
}
