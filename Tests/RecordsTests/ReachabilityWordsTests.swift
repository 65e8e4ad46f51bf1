import LocalAPI
import Records
import SyncCore
import Testing

@Suite("Commands that fit this machine")
struct ReachabilityWordsTests {
    private static let debian = Administration(isRoot: false, services: .systemd, packages: .apt)
    private static let plain = Administration(isRoot: false, services: .scripts, packages: .apt)
    private static let faults: [DiscoveryFault] = [
        .busNotInstalled, .busStopped, .avahiNotInstalled, .avahiStopped, .avahiMasked,
        .avahiFails("too busy"),
    ]
    private static let everywhere = Administration.Services.allCases.flatMap { services in
        Administration.Packages.allCases.flatMap { packages in
            [true, false].map {
                Administration(isRoot: $0, services: services, packages: packages)
            }
        }
    }

    @Test(
        "Avahi and D-Bus on Debian, with systemd and without",
        arguments: [
            (.avahiStopped, debian, "sudo systemctl enable --now avahi-daemon"),
            (.avahiStopped, plain, "sudo service avahi-daemon start"),
            (.avahiNotInstalled, debian, "sudo apt install avahi-daemon"),
            (.avahiNotInstalled, plain, "sudo apt install avahi-daemon"),
            (.busNotInstalled, debian, "sudo apt install dbus avahi-daemon"),
            (.busStopped, debian, "sudo systemctl start dbus.socket"),
            (.busStopped, plain, "sudo service dbus start"),
            (.avahiFails(""), debian, "sudo systemctl restart avahi-daemon"),
            (
                .avahiMasked, debian,
                "sudo systemctl unmask avahi-daemon.socket avahi-daemon.service && "
                    + "sudo systemctl enable --now avahi-daemon"
            ),
        ] as [(DiscoveryFault, Administration, String)])
    func commands(_ fault: DiscoveryFault, _ administration: Administration, _ command: String) {
        #expect(fault.words(administration).remedy == command)
    }

    @Test("root needs no sudo, everybody else does", arguments: everywhere)
    func root(_ administration: Administration) throws {
        for fault in Self.faults {
            let words = fault.words(administration)
            #expect(words.sentence.hasSuffix("Known addresses still work."))
            let remedy = try #require(words.remedy)
            guard !remedy.hasPrefix("Install ") else {
                #expect(administration.packages == .none)
                continue
            }
            for command in remedy.split(separator: " && ") {
                #expect(command.hasPrefix("sudo ") == !administration.isRoot, "\(remedy)")
            }
        }
    }

    @Test("each fault has a sentence of its own")
    func distinct() {
        let said = Self.faults.map { $0.words(Self.debian).sentence }
        #expect(Set(said).count == said.count)
    }

    @Test(
        "a firewall is opened in its own words",
        arguments: [
            (.ufw(hasProfile: true), "sudo ufw allow peersync"),
            (.ufw(hasProfile: false), "sudo ufw allow 21827/tcp && sudo ufw allow 5353/udp"),
            (
                .firewalld(hasService: true),
                "sudo firewall-cmd --permanent --add-service=peersync && sudo firewall-cmd --reload"
            ),
            (
                .firewalld(hasService: false),
                "sudo firewall-cmd --permanent --add-port=21827/tcp --add-port=5353/udp && "
                    + "sudo firewall-cmd --reload"
            ),
            (
                .iptables,
                "sudo iptables -I INPUT -p tcp --dport 21827 -j ACCEPT && "
                    + "sudo iptables -I INPUT -p udp --dport 5353 -j ACCEPT  # until the next boot"
            ),
            (
                .nftables(chain: "inet filter input"),
                "sudo nft insert rule inet filter input tcp dport 21827 accept && "
                    + "sudo nft insert rule inet filter input udp dport 5353 accept  # to keep it: /etc/nftables.conf"
            ),
        ] as [(FirewallObstacle.Program, String)])
    func firewalls(_ program: FirewallObstacle.Program, _ command: String) {
        let ports: [FirewallObstacle.Port] = [.sessions(21_827), .multicastDNS]
        let certain = FirewallObstacle(program, ports, isCertain: true).words(Self.debian)
        #expect(certain.remedy == command)
        #expect(certain.sentence.contains("closes TCP port 21827 and UDP port 5353: "))
        let possible = FirewallObstacle(program, ports, isCertain: false).words(Self.debian)
        #expect(possible.remedy == "Unless it is open already: " + command)
        #expect(possible.sentence.contains("may close"))
        #expect(!possible.sentence.contains(" closes "))
    }

    @Test("a taken port is reported with its real consequence")
    func port() {
        func words(_ holder: PortConflict.Holder, isFound: Bool = true) -> String {
            PortConflict(wanted: 21_827, used: 21_828, holder: holder).words(isFound: isFound)
                .sentence
        }
        #expect(words(.peersync(user: "ben")).contains("taken by user ben, who runs peersync"))
        #expect(words(.peersync(user: nil)).contains("another peersync of yours"))
        #expect(words(.program("python3")).contains("the program python3"))
        #expect(words(.unknown).contains("by themselves"))
        #expect(!words(.unknown, isFound: false).contains("by themselves"))
        #expect(words(.none).contains("It is free now"))
        // A name of a user or program can make no line of its own.
        #expect(!words(.program("a\nb")).contains("\n"))
    }

    @Test("a full disk is reported with the bytes that must be free")
    func disk() {
        let words = Sentence.Problem.diskFull(
            folder: "/home/ann", free: 5_000, needed: 93_554_432, spare: 33_554_432)
        #expect(
            words.remedy == """
                Make room on the disk of '/home/ann': 94 MB must be free, and 5.0 kB are. Files leave \
                34 MB free, so that there is always room for text. What waits comes again by itself.
                """)
    }

    @Test("a store that is only read, on a full disk, is reported with the bytes it waits for")
    func readOnly() {
        var facts = StatusFacts()
        facts.here.storageFault = .readOnly
        facts.here.isDiskFull = true
        facts.here.disk = DiskFacts(folder: "/home/ann", freeBytes: 0, spareBytes: 1 << 25)
        let needed = (UInt64(1) << 25) + UInt64(Limits.commitBytes)
        // when
        let verdict = StatusVerdict(facts)
        // then
        let problem = verdict.problems.first
        guard verdict.state == .error, verdict.problems.count == 1,
            case .readOnly(let disk?) = problem
        else {
            Issue.record("\(verdict.problems)")
            return
        }
        #expect(problem?.isUrgent == true && disk.neededBytes == needed)
        let words = Sentence.Problem.readOnly(
            folder: nil, free: 0, needed: Int64(clamping: disk.neededBytes))
        #expect(
            words.remedy?.hasPrefix("Make room on this disk: 35 MB must be free, and 0 bytes are.")
                == true)
    }
}
