package import Identity
package import LocalAPI

extension KeyFileError: DescribedError {
    package var sentence: APIError {
        APIError(
            code: .failed, sentence: "This device's keys cannot be used (\(reason)).",
            hint: """
                The file device.key must belong to you and have mode 0600. It is never made again: \
                new keys would be a new device.
                """)
    }

    /// Part of a sentence about the key file.
    package var reason: String {
        switch self {
        case .notFound: tr("the file device.key is not there")
        case .alreadyExists, .notARegularFile: tr("device.key is no ordinary file")
        case .notOwned: tr("device.key belongs to another user")
        case .tooOpen: tr("others may read or change device.key")
        case .unsupportedVersion: tr("a newer peersync wrote device.key")
        case .damaged: tr("device.key is damaged")
        case .system(let call, let code): "\(call): \(Sentence.System.reason(code))"
        }
    }
}
