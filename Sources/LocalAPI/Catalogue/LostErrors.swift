/// Errors about lost devices and recovery keys.
extension APIError {
    package static let recoveryKeyOfAnother = APIError(
        code: .notAllowed, sentence: "This is the recovery key of somebody else.",
        hint: "Whose it is: peersync recovery test")
}
