import Doctor
import LocalAPI
import Testing

@Suite("The check of the disk")
struct DiskCheckTests {
    @Test(
        "little room is a warning, almost none an error, and too little for pending files is reported",
        arguments: [
            (Int64(2) << 30, Int64(0), HealthReport.Severity.ok), (500 << 20, 0, .warning),
            (10 << 20, 0, .error), (2 << 30, 3 << 30, .warning),
        ])
    func disk(free: Int64, missing: Int64, severity: HealthReport.Severity) {
        #expect(DiskCheck.judge(free: free, missing: missing).finding.severity == severity)
    }
}
