internal import CLibFuzzer
internal import Foundation
internal import FuzzTargets
internal import Glibc
internal import Synchronization

/// ```
/// fuzzer                           lists the targets
/// fuzzer seeds REPOSITORY FOLDER   writes honest inputs for one into a folder, a file each
/// fuzzer ARGUMENT...               makes up inputs for one; the arguments are libFuzzer's
/// ```
///
/// PEERSYNC_FUZZER_TARGET names the one: libFuzzer starts this program again with arguments of its own.
/// Traps of Swift and findings of the sanitizers end the process, and libFuzzer keeps the input.
@main
enum Fuzzer {
    /// The target of this process, where a C function without context finds it.
    private static let chosen = Mutex<FuzzTarget?>(nil)

    static func main() {
        let words = CommandLine.arguments
        guard let name = ProcessInfo.processInfo.environment["PEERSYNC_FUZZER_TARGET"] else {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
            print("fuzzer: there is no target \(name)")
            exit(64)
        }
        if words.count == 4, words[1] == "seeds" {
            exit(writeSeeds(of: target, repository: words[2], folder: words[3]))
        }
        chosen.withLock { $0 = target }
        FuzzTarget.checkInvariants()
        let isStartedAgain = words.contains { $0.hasPrefix("-max_len=") }
        let limits = isStartedAgain ? [] : arguments(of: target)
        exit(run(words: [words[0]] + limits + words.dropFirst()))
    }

    private static func writeSeeds(
        of target: FuzzTarget, repository: String, folder: String
    ) -> Int32 {
        do {
            for (number, seed) in try target.seeds(repository: repository).enumerated() {
                guard let file = unsafe fopen("\(folder)/seed-\(number)", "w") else { return 1 }
                unsafe fwrite(seed, 1, seed.count, file)
                unsafe fclose(file)
            }
            return 0
        } catch {
            print("fuzzer: \(error)")
            return 1
        }
    }

    private static func arguments(of target: FuzzTarget) -> [String] {
        var arguments = [
            "-max_len=\(target.longestInput)", "-malloc_limit_mb=\(target.allocationMebibytes)",
            "-rss_limit_mb=2048", "-timeout=60",
        ]
        if let dictionary = dictionary(of: target) { arguments.append("-dict=\(dictionary)") }
        return arguments
    }

    /// The path of a file with the target's words in libFuzzer's form; nil when it has none.
    private static func dictionary(of target: FuzzTarget) -> String? {
        guard !target.words.isEmpty else { return nil }
        let lines = target.words.map { word in
            let escaped = word.utf8.map { byte in
                let digits = String(byte, radix: 16)
                return "\\x" + (digits.utf8.count == 1 ? "0" : "") + digits
            }
            return "\"\(escaped.joined())\"\n"
        }
        let path = "/tmp/peersync-fuzz-words-\(getpid())"
        guard let file = unsafe fopen(path, "w") else { return nil }
        unsafe fputs(lines.joined(), file)
        unsafe fclose(file)
        return path
    }

    /// Hands the process over to libFuzzer's loop; returns its exit code.
    private static func run(words: [String]) -> Int32 {
        var count = Int32(words.count)
        // libFuzzer may exchange the list for one of its own, and keeps both until the end.
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
            capacity: words.count + 1)
        for (index, word) in words.enumerated() { unsafe list[index] = unsafe strdup(word) }
        unsafe list[words.count] = nil
        var start: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe list
        return unsafe LLVMFuzzerRunDriver(&count, &start) { data, size in
            let input = unsafe Array(UnsafeBufferPointer(start: data, count: size))
            Fuzzer.check(input)
            return 0
        }
    }

    private static func check(_ input: [UInt8]) {
        do {
            try chosen.withLock { $0 }?.check(input)
        } catch {
            // An optimised program traps without a word.
            print("BROKEN: \(error)")
            fflush(nil)
            preconditionFailure("\(error)")
        }
    }
}
