import SyncSimulator
import Testing

/// Reduced schedules in which a device waited for something that nobody gave it.
@Suite("Schedules that ended in waiting", .timeLimit(.minutes(5)))
struct WaitingScheduleTests {
    @Test("a former vault asks for parts again once others know that it reads")
    func formerVault() throws {
        var schedule = Schedule(
            seed: 26_879_546_422, owners: [0, 1], skews: [-1732, 1183], latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0xe9f2_8841_6272_367f),
                Step(.copy, 0, 0, 0, salt: 0x5c00_4a0b_31b4_2313),
                Step(.encrypt, 0, 0, 0, salt: 0x247c_47c1_949d_c2f3),
                Step(.carry, 0, 1, 0, salt: 0x3c61_af9d_4f83_e7ab),
                Step(.compose, 0, 0, 0, salt: 0xfb3c_8640_2f65_8402),
                Step(.compose, 0, 0, 0, salt: 0xadc4_8641_7809_78ed),
                Step(.pass, 1, 0, 40000, salt: 0x82c8_f32b_d944_977e),
                Step(.grant, 0, 1, 0, salt: 0x8264_b924_f726_7002),
                Step(.recover, 0, 0, 0, salt: 0x64a_599c_874f_aac6),
                Step(.restore, 0, 1, 0, salt: 0x9100_bb69_9658_711f),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }
}
