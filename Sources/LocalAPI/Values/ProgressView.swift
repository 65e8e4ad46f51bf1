/// The progress of an operation that takes a while.
package struct ProgressView: Codable, Sendable, Equatable {
    /// The current stage of the work.
    package let stage: Stage
    /// Files that are done, of `totalFiles`.
    package let files: Int
    package let totalFiles: Int
    /// The same of their bytes; a total may grow.
    package let bytes: Int64
    package let totalBytes: Int64
    /// Over the last seconds; absent while nothing moved.
    package let bytesPerSecond: Int64?
    /// At this rate; absent without one.
    package let secondsLeft: Int?

    package enum Stage: String, Codable, Sendable, CaseIterable {
        /// What is asked for is looked up in the store.
        case reading
        /// Other devices are being called.
        case reaching
        /// Files go to and come from other devices.
        case syncing
        /// Files are read and copied.
        case adding
        /// Files that are here are encrypted.
        case encrypting
        /// Makes the data durable.
        case saving
        /// A file is written for a person.
        case exporting
        /// Files are read and compared with their hashes.
        case verifying
    }

    package init(
        stage: Stage, files: Int = 0, totalFiles: Int = 0, bytes: Int64 = 0, totalBytes: Int64 = 0,
        bytesPerSecond: Int64? = nil
    ) {
        (self.stage, self.files, self.totalFiles) = (stage, files, totalFiles)
        (self.bytes, self.totalBytes, self.bytesPerSecond) = (bytes, totalBytes, bytesPerSecond)
        secondsLeft = bytesPerSecond.flatMap { rate in
            rate > 0 ? Int(clamping: (max(0, totalBytes - bytes) + rate - 1) / rate) : nil
        }
    }
}
