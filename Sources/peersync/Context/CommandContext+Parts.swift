internal import LocalAPI

/// Lists that come part by part.
extension CommandContext {
    /// Asks the agent for a list part by part, and shows its progress while a part takes long. A list that comes at
    /// once is shown by `whole`; otherwise `show` gets each part as it comes.
    func showParts<Filter: PartFilter>(
        of operation: (API) -> LocalAPI.Operation<Filter, Filter.Part>, _ first: Filter,
        from service: any AgentService, whole: (Filter.Part) throws -> Void,
        show: (_ part: Filter.Part, _ isFirst: Bool, _ isLast: Bool) async throws -> Void
    ) async throws {
        try await ListParts.each(
            from: first, while: { output.isOpen },
            ask: { filter in
                try await showingProgress { try await service.call(operation, filter) }
            },
            show: { part, isFirst, isLast in
                if isFirst, isLast { return try whole(part) }
                try await show(part, isFirst, isLast)
            })
    }
}
