import LocalAPI

/// A time, or a moment that a person named.
struct SinceInput: Sendable, Equatable {
    let typed: String

    /// Throws ``APIError`` if there is no such moment.
    func moment(in context: CommandContext) async throws -> Moment {
        let time = try await TimeInput().since(typed) { try await context.call(\.changes.marks) }
        if let time { return time }
        do {
            return try await context.call(\.changes.moment, id: typed).at
        } catch let error as APIError where error.code == .notFound {
            throw TimeInput().skipped(typed) ?? error
        }
    }
}
