internal import Subprocess
internal import SyncCore

/// This machine's packet filter, as far as this user may read it.
enum Firewall {
    private enum Reading {
        case rules(FirewallRules)
        case unknown(FirewallIgnorance)
    }

    static func findings(_ ports: [FirewallPort]) async -> [NetworkFinding] {
        let reading = await read()
        return ports.map { port in
            switch reading {
            case .unknown(let why): return .firewallUnknown(port, why)
            case .rules(let rules):
                switch rules.judge(port) {
                case .open: return .firewallOpen(port)
                case .suspected: return .firewallSuspected(port)
                case .intricate: return .firewallUnknown(port, .intricate)
                }
            }
        }
    }

    private static func read() async -> Reading {
        do {
            // The person's PATH must not choose the program, nor need to have this folder.
            let result = try await run(
                .name("nft"), arguments: ["list", "ruleset"],
                environment: .custom(["PATH": "/usr/sbin:/sbin"]),
                output: .string(limit: Limits.firewallRulesBytes), error: .discarded)
            guard result.terminationStatus.isSuccess else { return .unknown(.notPermitted) }
            return .rules(FirewallRules(parsing: result.standardOutput))
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return .unknown(.noTool)
        } catch {
            return .unknown(.intricate)
        }
    }
}
