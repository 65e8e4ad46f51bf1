package import Encryption
package import Node
package import Records
package import Store
package import SyncCore

/// The contents of an open home.
package struct OpenedHome: Sendable {
    package let home: AgentHome
    package let identity: OwnIdentity
    package let store: SyncStore
    package let schemas: SchemaCache
    /// The secrets of encrypted spaces.
    package let epochKeys: EpochKeyRing
    package let memory: WorkMemory

    /// Every device that is reported lost, except this one.
    @Sendable package func lostDevices() throws -> Set<DeviceID> {
        try memory.losses.lostDevices(but: identity.deviceID)
    }

    package init(
        home: AgentHome, identity: OwnIdentity, store: SyncStore, schemas: SchemaCache,
        epochKeys: EpochKeyRing
    ) {
        (self.home, self.identity, self.store) = (home, identity, store)
        (self.schemas, self.epochKeys) = (schemas, epochKeys)
        memory = WorkMemory(store)
    }
}
