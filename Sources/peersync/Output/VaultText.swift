internal import LocalAPI

/// The texts of `vault add` and `vault remove`.
enum VaultText {
    static func added(_ change: VaultChange) -> String {
        var lines: [String] = []
        if !change.trips.isEmpty {
            lines.append(
                tr(
                    """
                    \(Sentence.plain(change.device.name)) is to carry \(Sentence.Member.list(change.trips.map { Sentence.name($0.name) })), \
                    and can read nothing of it that is written from now on. Unless it was accepted there \
                    before, \(Sentence.plain(change.person.name)) has to accept it: peersync status on that device \
                    shows what to type.
                    """))
        }
        if !change.partly.isEmpty {
            lines.append(
                tr(
                    """
                    What was written in \(Sentence.Member.list(change.partly.map { Sentence.name($0.name) })) \
                    before the encryption does not go there.
                    """))
        }
        return (lines + left(change)).joined(separator: "\n")
    }

    static func removed(_ change: VaultChange) -> String {
        var lines: [String] = []
        if !change.trips.isEmpty {
            lines.append(
                tr(
                    """
                    \(Sentence.plain(change.device.name)) gets nothing new of \
                    \(Sentence.Member.list(change.trips.map { Sentence.name($0.name) })). What it has it keeps, and \
                    cannot read.
                    """))
        }
        return (lines + left(change)).joined(separator: "\n")
    }

    private static func left(_ change: VaultChange) -> [String] {
        change.left.map { tr("\(Sentence.name($0.trip.name)) is left out: \($0.sentence)") }
    }
}
