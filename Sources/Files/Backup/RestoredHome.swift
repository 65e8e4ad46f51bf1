import Foundation
package import LocalAPI

/// A home that was restored, but that its device cannot open.
package enum RestoredHome {
    /// Removes it, as it is useless and the backup is unchanged. Returns the reason if something of it is
    /// left.
    package static func remove(_ directory: String) -> String? {
        do {
            try FileManager.default.removeItem(atPath: directory)
            return nil
        } catch {
            guard FileManager.default.fileExists(atPath: directory) else { return nil }
            return Sentence.System.reason(of: error)
        }
    }

    /// Says why nothing was restored; with `reason`, also that the data is still there.
    package static func failure(
        _ error: APIError, in directory: String, notRemoved reason: String?
    ) -> APIError {
        guard let reason else { return error }
        return APIError(
            code: error.code, sentence: error.message,
            hint: """
                What was restored to \(Sentence.plain(directory)) could not be removed: \(reason). Remove it \
                yourself before you restore again: rm -r \(Sentence.quoted(directory))
                """)
    }

    /// The key is not that of the device in the backup.
    package static let wrongKey = APIError(
        code: .badInput, sentence: "This is not the key of the device in the backup.",
        hint: "Nothing was changed. Give the device.key of that device: --key-file FILE")
}
