/// All checks, in the order in which they run.
enum HealthChecks {
    /// The checks that need no store and must succeed before one is opened.
    static let ofFolder: [any HealthCheck] = [PermissionCheck(), IdentityCheck()]
    static let ofStore: [any HealthCheck] = [
        DiskCheck(), StoreCheck(), DatabaseCheck(), LogCheck(), ShownCheck(), FileCheck(),
        StatusCheck(), ClockCheck(), NetworkCheck(),
    ]
    /// The checks that still work if the store cannot be opened, and that may find out why.
    static let ofFile: [any HealthCheck] = [DatabaseCheck(), LogCheck()]
}
