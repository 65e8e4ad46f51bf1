extension Sentence {
    /// The words of `config`.
    package enum Setting {
        package static func about(_ name: SettingName) -> String {
            switch name {
            case .deviceName: tr("what this device is called")
            case .personName: tr("what you are called")
            case .sync: tr("on or off")
            case .port: tr("where other devices connect; 0 for any that is free")
            case .logLevel: tr("verbose, debug, info, warning or error")
            case .backupKeep: tr("which earlier backups stay, as 7d,4w,12m")
            case .binDays: tr("for how many days the bin shows what was deleted")
            case .binFiles: tr("keep or free: what this device does with its files after that")
            }
        }

        package static func origin(_ view: SettingView) -> String {
            switch view.origin {
            case .standard: tr("default")
            case .set: tr("set")
            case .environment: tr("PEERSYNC_LOG")
            case .flag: view.name == .port ? "--port" : "--log"
            }
        }

        /// A stored setting that is not in use yet; nil where it is in use.
        package static func later(_ view: SettingView) -> String? {
            let coming = view.stored ?? view.standard ?? ""
            guard coming != view.value else { return nil }
            switch view.origin {
            case .standard, .set: return tr("\(plain(coming)) from the next start of the agent on")
            case .environment, .flag:
                guard let stored = view.stored else { return nil }
                return tr("\(plain(stored)) is set; \(origin(view)) goes first")
            }
        }

        package static func changed(_ view: SettingView) -> String {
            let now =
                tr(
                    "\(view.name.rawValue) is \(view.value.isEmpty ? tr("not set") : plain(view.value))"
                )
            return later(view).map { "\(now); \($0)." } ?? "\(now)."
        }

        package static func unknown(_ name: String) -> APIError {
            APIError(
                code: .notFound, sentence: "There is no setting \(Sentence.name(name)).",
                hint: APIError.didYouMean(name, among: SettingName.allCases.map(\.rawValue))
                    ?? "See all of them: peersync config list")
        }

    }
}

extension OptionHelp {
    package static var setting: String { tr("Name of the setting.") }
}
