extension Sentence {
    /// The words of `config`.
    package enum Setting {
        package static func unknown(_ name: String) -> APIError {
            APIError(
                code: .notFound, sentence: "There is no setting \(Sentence.name(name)).",
                hint: APIError.didYouMean(name, among: SettingName.allCases.map(\.rawValue))
                    ?? "See all of them: peersync config list")
        }

        /// `name` cannot be set by `config`.
        package static func readOnly(_ name: SettingName) -> APIError {
            let hint: Message =
                switch name {
                case .language: tr("For one command: --language de. For all: the variable LANG.")
                case .dataSets: tr("peersync dataset follow FOLDER --space SPACE")
                default: tr("It is built in. See all settings: peersync config list")
                }
            return APIError(
                code: .badInput,
                sentence: "\(Sentence.name(name.rawValue)) cannot be set by this command.",
                hint: hint)
        }
    }
}
