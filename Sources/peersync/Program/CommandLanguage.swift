internal import Foundation
internal import LocalAPI

extension Language {
    /// What a command line asks for, else what the environment does. It is read before all else, as what is wrong
    /// with the rest is said in it.
    init(arguments: [String]) {
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
        self = named.first ?? Language(environment: ProcessInfo.processInfo.environment)
    }
}
