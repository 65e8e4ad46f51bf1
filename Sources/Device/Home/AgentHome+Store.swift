package import Encryption
internal import Identity
package import Records
package import Store
internal import Wire

extension AgentHome {
    /// Opens the store below a home that belongs to this user alone. Throws the errors of the home
    /// and the store, and ``AgentError/storeGone``.
    package func openStore(_ schemas: SchemaCache) throws -> (SyncStore, EpochKeyRing) {
        try prepare()
        let hasCard = isInitialised
        if hasCard, try StoreExamination.isMissing(below: directory) {
            throw AgentError.storeGone
        }
        let lock = try StoreLock(home: directory)
        let epochKeys = IdentityStore.epochKeys(in: self)
        var random = SystemRandomNumberGenerator()
        let store = try SyncStore(
            holding: lock, decoder: CommitCodec(epochKeys: epochKeys),
            verifier: CommitVerifier(), random: &random, schemas: { schemas.known($0) })
        do {
            if hasCard { try requireIdentity(in: store) }
        } catch {
            try store.close()
            throw error
        }
        return (store, epochKeys)
    }

    /// An empty store would start from nothing under the identity of the same device. Throws
    /// ``AgentError/storeGone``; ``StoreError/diskFull`` for one that could not be brought to what was here.
    package func requireIdentity(in store: SyncStore) throws {
        guard try IdentityStore.isKnown(in: store, or: self) else {
            throw store.isOpenedForReading ? StoreError.diskFull : AgentError.storeGone
        }
    }
}

extension OpenedHome {
    /// Opens the contents of a home, before anything is created in it. Throws the errors of the home,
    /// the keys and the store.
    package init(opening home: AgentHome, _ schemas: SchemaCache) throws {
        let (store, epochKeys) = try home.openStore(schemas)
        _ = try store.records.remakeOutdated()
        let keys = try IdentityStore.keys(in: home, of: store)
        epochKeys.use(keys.device, agreementSecret: keys.agreementSecret)
        try OpenedHome.openClosed(in: store)
        let identity = try IdentityStore.load(keys, from: store)
        try IdentityStore.mark(identity, home)
        self.init(
            home: home, identity: identity, store: store, schemas: schemas, epochKeys: epochKeys)
    }

    /// Shows what can be read by now. Without room for that, a later start does it.
    private static func openClosed(in store: SyncStore) throws {
        guard !store.isOpenedForReading else { return }
        do {
            _ = try store.records.openClosed()
        } catch StoreError.diskFull {
            return
        }
    }
}
