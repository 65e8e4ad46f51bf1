package import Encryption
package import Records
package import Store

/// What a home holds, once it is open.
package struct OpenedHome: Sendable {
    package let home: AgentHome
    package let identity: OwnIdentity
    package let store: SyncStore
    package let schemas: SchemaCache
    /// The secrets of encrypted spaces.
    package let epochKeys: EpochKeyRing

    package init(
        home: AgentHome, identity: OwnIdentity, store: SyncStore, schemas: SchemaCache,
        epochKeys: EpochKeyRing
    ) {
        (self.home, self.identity, self.store) = (home, identity, store)
        (self.schemas, self.epochKeys) = (schemas, epochKeys)
    }
}
