internal import ArgumentParser
internal import LocalAPI

/// A kind of name that shells complete by asking the agent.
enum CompletedName: String, CaseIterable {
    case trip, space, deletedTrip, deletedSpace, memory, person, device, personOrDevice, tag
    case bucketItem, schema

    /// The agent's entries of this kind, each with name and short id.
    func entries(of agent: some AgentService) async throws -> [(name: String, id: String)] {
        switch self {
        case .trip: try await Self.names(of: agent.call(\.trips.list))
        case .space: try await Self.names(of: agent.call(\.spaces.list))
        case .deletedTrip:
            try await agent.call(\.spaces.deleted).filter(\.isTrip).map { ($0.name, $0.shortID) }
        case .deletedSpace:
            try await agent.call(\.spaces.deleted).map { ($0.name, $0.shortID) }
        case .memory:
            try await agent.call(\.memories.list, MemoryFilter()).map { ($0.title, $0.shortID) }
        case .device: try await agent.call(\.devices.list).map { ($0.name, $0.shortID) }
        case .person: try await Self.people(of: agent)
        case .personOrDevice:
            try await Self.people(of: agent) + Self.device.entries(of: agent)
        case .tag:
            // The same tag may be in several trips.
            try await Set(Self.inAllScopes(\.tags.list, of: agent).map(\.name)).map { ($0, "") }
        case .bucketItem:
            try await Self.inAllScopes(\.bucket.list, of: agent).map { ($0.title, $0.shortID) }
        case .schema: try await agent.call(\.schemas.list).map { ($0.name, "") }
        }
    }

    /// Without those that were left on another device.
    private static func names(of trips: [TripView]) -> [(name: String, id: String)] {
        trips.filter { $0.membership != .left }.map { ($0.name, $0.shortID) }
    }

    /// The entries of the person's own list and of all trips.
    private static func inAllScopes<Entry: Sendable>(
        _ list: (API) -> LocalAPI.Operation<ListFilter, [Entry]>,
        of agent: some AgentService
    ) async throws -> [Entry] {
        var entries = try await agent.call(list, ListFilter())
        for trip in try await agent.call(\.trips.list)
        where trip.active && trip.membership != .left {
            entries += try await agent.call(list, ListFilter(trip: trip.id))
        }
        return entries
    }

    /// The people whose devices are known.
    private static func people(
        of agent: some AgentService
    ) async throws -> [(name: String, id: String)] {
        try await Set(agent.call(\.devices.list).map(\.person)).map { ($0.name, $0.shortID) }
    }
}

extension CompletionKind {
    /// Names of this kind; ``CompletionRequest`` replaces the kind's own word with them.
    static func names(of kind: CompletedName) -> CompletionKind {
        .custom { _, _, _ in [kind.rawValue] }
    }

    static func name(of noun: SpaceNoun) -> CompletionKind {
        names(of: noun == .trip ? .trip : .space)
    }

    static func deletedName(of noun: SpaceNoun) -> CompletionKind {
        names(of: noun == .trip ? .deletedTrip : .deletedSpace)
    }
}
