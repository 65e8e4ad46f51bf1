internal import LocalAPI

/// A time, or a moment that a person named.
enum SinceInput: Sendable, Equatable {
    case moment(Moment)
    case name(String)

    init(typed: String) {
        self = TimeInput().since(typed).map { .moment($0) } ?? .name(typed)
    }

    /// Throws ``APIError`` if there is no such moment.
    func moment(in context: CommandContext) async throws -> Moment {
        switch self {
        case .moment(let moment): return moment
        case .name(let typed): return try await context.call(\.changes.moment, id: typed).at
        }
    }
}
