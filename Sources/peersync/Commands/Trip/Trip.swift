internal import ArgumentParser
internal import LocalAPI

/// Groups the commands about trips.
struct Trip: CommandFamily {
    static let configuration = CommandConfiguration(
        "trip", .trip,
        subcommands: [
            TripCreate.self,
            TripList.self,
            TripShow.self,
            TripRename.self,
            TripMembers.self,
            TripGrant.self,
            TripAccept.self,
            TripDecline.self,
            TripLeave.self,
            TripCheck.self,
            TripRecover.self,
            TripDelete.self,
            TripRestore.self,
        ])
}
