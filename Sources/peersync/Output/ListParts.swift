package import LocalAPI

/// A long list, asked for part by part.
package enum ListParts {
    /// Hands each part to `show` as it comes, up to the last one; asks for no more once `isRead` says that nobody
    /// reads what is shown.
    package static func each<Filter: PartFilter>(
        from first: Filter, while isRead: () -> Bool,
        ask: (Filter) async throws -> Filter.Part,
        show: (_ part: Filter.Part, _ isFirst: Bool, _ isLast: Bool) async throws -> Void
    ) async throws {
        var part = try await ask(first)
        var next = first.next(behind: part)
        try await show(part, true, next == nil)
        while let filter = next, isRead() {
            part = try await ask(filter)
            next = filter.next(behind: part)
            try await show(part, false, next == nil)
        }
    }
}
