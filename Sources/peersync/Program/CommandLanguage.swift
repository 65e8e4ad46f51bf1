internal import Foundation
package import LocalAPI

extension Language {
    /// The language of the command line, else that of the environment. It is read first, as errors
    /// in the other arguments are reported in it.
    init(arguments: [String]) {
        self =
            Language.named(by: arguments)
            ?? Language(environment: ProcessInfo.processInfo.environment)
    }

    /// The language of this command, and where it comes from.
    package static func setting(_ arguments: [String], _ environment: [String: String])
        -> SettingView
    {
        let named = named(by: arguments)
        let variable = variable(of: environment)
        return SettingView(
            name: .language, value: (named ?? Language(environment: environment)).rawValue,
            origin: named != nil ? .flag : variable != nil ? .environment : .standard,
            stored: nil, standard: Language.english.rawValue)
    }

    /// The variable that decides; nil for none, or for one with a language that is not known here.
    static func variable(of environment: [String: String]) -> String? {
        let first = variables.first { environment[$0]?.isEmpty == false }
        return first.flatMap { name in
            environment[name].flatMap { Language(tag: $0) }.map { _ in name }
        }
    }

    private static func named(by arguments: [String]) -> Language? {
        let options = Array(arguments.prefix { $0 != "--" })
        let name = "--language"
        let named = options.indices.lazy.compactMap { index -> Language? in
            let option = options[index]
            if option == name, index + 1 < options.count {
                return Language(tag: options[index + 1])
            }
            return option.hasPrefix(name + "=")
                ? Language(tag: option.dropFirst(name.count + 1)) : nil
        }
        return named.first
    }
}
