internal import Foundation
internal import LocalAPI

extension Language {
    /// The language of the command line, else that of the environment. It is read first, as errors
    /// in the other arguments are reported in it.
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
