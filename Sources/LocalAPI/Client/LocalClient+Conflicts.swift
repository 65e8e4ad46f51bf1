extension LocalClient {
    package func why(_ thing: String, _ scope: WhyScope) async throws -> WhyView {
        try await call(Endpoints.why, id: thing, scope)
    }

    package func conflicts(_ scope: ScopeFilter) async throws -> [ConflictView] {
        try await call(Endpoints.conflicts, scope)
    }

    package func resolveConflict(
        _ conflict: String, _ decision: ConflictDecision
    ) async throws -> ResolvedConflict {
        try await call(Endpoints.resolveConflict, id: conflict, decision)
    }
}
