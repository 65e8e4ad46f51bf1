/// The settings of this device, by their keys in the store.
package enum DeviceSetting {
    /// Absent or "off".
    package static let sync = "sync"
    package static let port = "port"
    package static let logLevel = "log"
    /// Which earlier backups are kept, as `7d,4w,12m`.
    package static let backupKeep = "backup.keep"
    /// When this home was first opened as a copy, in milliseconds since 1970; absent where it never was.
    package static let copied = "copied"
}
