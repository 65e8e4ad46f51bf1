import SyncSimulator
import Testing

/// Reduced schedules in which a device waited for something that nobody gave it.
@Suite("Schedules that ended in waiting", .timeLimit(.minutes(5)))
struct WaitingScheduleTests {
    @Test("a sync ends on a device that a space was taken from")
    func taken() throws {
        let schedule = Schedule(
            seed: 11, owners: [0, 1], skews: [480, 1982], latency: 1,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x5729_2b78_3b1a_c976),
                Step(.grant, 0, 1, 0, salt: 0x4114_efd7_eabd_0c1d),
                Step(.pass, 1, 0, 40000, salt: 0x4c1_402e_75ab_9b6e),
                Step(.backUp, 1, 0, 0, salt: 0xc223_357d_3d96_8f3a),
                Step(.rob, 0, 1, 0, salt: 0xaa13_8972_5596_2df5),
            ])
        try endsWell(schedule)
    }

    @Test("a sync ends although a space that was accepted never comes")
    func neverComes() throws {
        let schedule = Schedule(
            seed: 98, owners: [0, 1], skews: [-315_360_000_000, 664_940], latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x1ef9_fc24_df3b_a96c),
                Step(.found, 0, 1, 0, salt: 0x8bf_f752_b65a_365a),
                Step(.leave, 0, 1, 0, salt: 0x5971_133e_4ebd_20e0),
                Step(.grant, 0, 1, 0, salt: 0x572_4377_2a1b_836a),
                Step(.revoke, 0, 1, 0, salt: 0x81ba_7a04_048b_f56a),
                Step(.pass, 0, 0, 3000, salt: 0x76a6_5927_fb5a_1e3a),
            ])
        try endsWell(schedule)
    }

    @Test("a sync ends beside a device that lacks a file which nobody waits for")
    func unneeded() throws {
        var schedule = Schedule(
            seed: 85, owners: [0, 1, 2], skews: [-535, 1086, 89], latency: 20,
            steps: [
                Step(.found, 0, 0, 0, salt: 0x2560_4bea_51e3_7409),
                Step(.grant, 0, 1, 0, salt: 0x23ab_aecf_b9a1_82eb),
                Step(.photo, 0, 0, 0, salt: 0x9bac_24cd_31a4_044f),
                Step(.free, 1, 1, 0, salt: 0x8155_9be4_bf92_0c27),
            ])
        schedule.sendsSingly = true
        try endsWell(schedule)
    }

    @Test("a sync ends beside a vault that may not have a file")
    func vault() throws {
        let schedule = Schedule(
            seed: 80, owners: [0, 1, 0, 2],
            skews: [-315_360_000_000, -1244, 820, -315_360_000_000], latency: 1,
            steps: [
                Step(.found, 0, 0, 0, salt: 0xa08c_c9fa_5de9_070d),
                Step(.photo, 0, 2, 0, salt: 0x1803_82b7_54f3_0594),
                Step(.encrypt, 0, 0, 0, salt: 0x5e3a_cb28_af97_4e2f),
                Step(.carry, 0, 3, 0, salt: 0x3d21_57cc_7d35_05f2),
                Step(.silence, 2, 0, 0, salt: 0x84f9_a3e2_2ef7_0bfa),
            ])
        try endsWell(schedule)
    }

    @Test("a sync ends after a file was named that counts no more")
    func uncounted() throws {
        var schedule = Schedule(
            seed: 205, owners: [0, 0, 0, 1], skews: [631, 1870, -1215, -390], latency: 150,
            steps: [
                Step(.found, 0, 0, 0, salt: 0xf66e_4220_d443_8d1a),
                Step(.pass, 3, 0, 3000, salt: 0xde62_4cdd_9667_bf4b),
                Step(.photo, 2, 2, 0, salt: 0x3010_6f9a_e4b8_711a),
                Step(.rob, 0, 1, 0, salt: 0xa4c6_c11c_3e85_d722),
            ])
        schedule.healsInPart = true
        try endsWell(schedule)
    }

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
