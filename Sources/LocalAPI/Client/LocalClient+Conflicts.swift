extension LocalClient {
    package func conflicts(_ scope: ScopeFilter) async throws -> [ConflictView] {
        try await call(Endpoints.conflicts, scope)
    }

    package func resolveConflict(
        _ conflict: String, _ decision: ConflictDecision
    ) async throws -> ResolvedConflict {
        try await call(Endpoints.resolveConflict, id: conflict, decision)
    }
}
