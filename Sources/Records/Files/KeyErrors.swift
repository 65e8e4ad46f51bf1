internal import LocalAPI
internal import SyncCore

/// The errors for a missing key of an encrypted space; they name the people who can give it.
struct KeyErrors {
    private let replica: any Replica

    init(_ replica: any Replica) { self.replica = replica }

    /// Why nothing can be written to an encrypted space at present.
    func keyMissing(in space: ReadableSpace) -> APIError {
        SpaceErrors.keyMissing(
            space: space.name, hasKeys: !replica.sharing.epochIdentities(of: space.id).isEmpty,
            admins: otherAdmins(of: space.id))
    }

    /// Why a file cannot be read although its bytes are here.
    func fileClosed(_ name: String, in space: SpaceID) -> APIError {
        let isFromNow =
            replica.membership(of: space)?.epochFacts.isFromNow(replica.local.device) ?? false
        return SpaceErrors.fileClosed(name, givers: isFromNow ? otherAdmins(of: space) : nil)
    }

    /// The other people who can make and give keys.
    private func otherAdmins(of space: SpaceID) -> [String] {
        let membership = replica.membership(of: space) ?? Membership()
        return membership.people.filter {
            membership.permissions(of: $0).isSuperset(of: [.read, .admin])
                && $0 != replica.local.person
        }.sorted().map { replica.reference($0).name }
    }
}
