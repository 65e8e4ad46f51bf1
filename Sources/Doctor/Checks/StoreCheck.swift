import Device
import LocalAPI
import Store

/// The store is open and accepts changes.
struct StoreCheck: HealthCheck {
    let check = HealthReport.Check.store

    func run(_ examination: Examination) async throws -> [Problem] {
        guard let open = examination.open else { return [] }
        var problems: [Problem] = []
        let fault =
            open.agent?.node.storage.fault
            ?? open.store.writeFailure.map { ErrorSentence.of($0) }
        if let fault {
            problems.append(.storeStopped(fault))
        } else if open.agent?.node.storage.isFull != true {
            problems.append(Problem(check, .ok, Words("The store is open and takes changes.")))
        }
        for copy in try StoreExamination.damagedCopies(in: examination.home.directory) {
            problems.append(
                Problem(
                    check, .note,
                    Words(
                        """
                        The database was damaged and was rebuilt from all that is whole. \(copy) \
                        is the damaged one.
                        """,
                        "Delete it once you do not miss anything. The disk may be failing.")))
        }
        problems += try emptied(open)
        switch open.store.opening.newBecause {
        case .machineChanged:
            problems.append(
                Problem(
                    check, .note,
                    Words(
                        """
                        This data folder was written by another computer before. It goes on here in a new log, and \
                        nothing is lost.
                        """, Remedy.useOne)))
        case .fileReplaced:
            problems.append(
                Problem(
                    check, .note,
                    Words(
                        """
                        The database in this folder is another file than before: a copy, or put \
                        back from a backup. It goes on in a new log, and what others have of it \
                        meanwhile comes back by itself.
                        """)))
        case .firstOpening, nil: break
        }
        return problems
    }

    /// Data that was lost completely.
    private func emptied(_ open: OpenStore) throws -> [Problem] {
        let spaces = try open.store.stranded.damage().reported.spaces
        guard !spaces.isEmpty else { return [] }
        let home = try IdentityStore.homeSpace(in: open.store)
        let hasHome = home.map { !spaces.contains($0) } ?? true
        let words = Sentence.Damage.spaces(
            trips: spaces.subtracting([home].compactMap(\.self)).count, lists: !hasHome)
        let problem = Problem(
            check, .error, Words(words.message, words.advice))
        guard !hasHome else { return [problem] }
        guard let node = open.agent?.node else {
            let words = Words(
                "New lists of your own can only be started while an agent runs.",
                Sentence.startAgent)
            return [problem, Problem(check, .note, words)]
        }
        let hasSiblings = try open.store.devices.all().contains {
            $0.person == node.identity.person && $0.device != node.identity.deviceID
                && $0.forgottenAt == nil
        }
        guard !hasSiblings else { return [problem] }
        return [
            problem,
            Problem(
                check, .warning,
                Words(
                    "No other device of yours is known that has your own lists.",
                    """
                    peersync doctor --repair starts new ones. Pair a device of yours that has \
                    them first, if there is one.
                    """)
            ) {
                try await OwnLists(of: node).beginAgain()
                return tr("Your own lists were started again; they are empty.")
            },
        ]
    }
}
