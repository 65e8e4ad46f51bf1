extension Sentence {
    /// The words of `config`.
    package enum Setting {
        package static func unknown(_ name: String) -> APIError {
            APIError(
                code: .notFound, sentence: "There is no setting \(Sentence.name(name)).",
                hint: APIError.didYouMean(name, among: SettingName.allCases.map(\.rawValue))
                    ?? "See all of them: peersync config list")
        }
    }
}
