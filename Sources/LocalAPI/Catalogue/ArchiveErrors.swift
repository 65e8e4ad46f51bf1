/// Errors about archives of trips and spaces.
extension APIError {
    package static let archiveNewer = APIError(
        code: .badInput, sentence: "The archive was written by a newer peersync.",
        hint: "Nothing was imported. Install the newer version.")
}
