internal import HTTPTypes

/// Other devices that this one knows.
package struct DeviceOperations: Sendable {
    package let list = Operation<NoInput, [DeviceView]>(.get, "/devices", "List known devices")
    package let forget = Operation<NoInput, DeviceView>(
        .delete, "/devices/{id}", "Forget a device",
        "Stops trusting a paired device and forgets its addresses; answers with what was "
            + "forgotten.")
    package let addAddress = Operation<AddressDraft, DeviceView>(
        .post, "/devices/{id}/addresses", "Add an address to a device",
        "Remembers a fixed address for a device whose network has no multicast.")
    package let lost = Operation<LostDraft, LostView>(
        .post, "/devices/{id}/lost", "Say that a device is lost",
        "Tells everybody who shares a trip with its person, takes every trip from it that this person can, "
            + "with the recovery key where only that can, and says what it held, where it keeps rights, "
            + "and who has heard of it.")
    package let found = Operation<FoundDraft, FoundView>(
        .post, "/devices/{id}/found", "Say that a lost device was found",
        "Takes back that it is lost, and gives a device of this person its trips again.")
    package let testKey = Operation<RecoveryKeyDraft, RecoveryKeyView>(
        .post, "/recovery/test", "Try a recovery key", "Says whose it is; changes nothing.")
    package let useKey = Operation<RecoveryKeyDraft, RecoveryUseView>(
        .post, "/recovery/use", "Come back into trips by a recovery key",
        "Asks the devices that are connected for every trip of this person that this device has not "
            + "got, and has the key's grant written there.")
    package let exchangeKey = Operation<KeyExchangeDraft, KeyExchangeView>(
        .post, "/recovery/exchange", "Exchange the recovery key",
        "From then on the old key means nothing, in every trip in which a member or another device let "
            + "this one in; the new one takes its place.")
    package let rename = Operation<NameDraft, RenameView>(
        .put, "/own/device/name", "Rename this device",
        "Others see it in every trip that they share with it.")
    package let renamePerson = Operation<NameDraft, RenameView>(
        .put, "/own/person/name", "Change the name of this person",
        "For all devices of the person; others see it in every trip that they share.")
    package let redate = Operation<RedateDraft, RedateView>(
        .post, "/devices/{id}/redate", "Date changes of a device anew",
        "For a device whose clock was wrong: its changes count for everybody as if they had been "
            + "made at another time. Also this device; can be undone.")
    package let pairing = PairingOperations()
}

/// Meeting another device for the first time, by a code that its person reads.
package struct PairingOperations: Sendable {
    package let open = Operation<PairingRequest, PairingView>(
        .post, "/pairings", "Show a code",
        "The host's side: opens pairing and answers with the code or link to show.")
    package let join = Operation<JoinRequest, PairingView>(
        .post, "/pairings/join", "Use a code",
        "The other side: takes a code or link and starts to connect.")
    package let poll = Operation<RevisionPoll, PairingView>(
        .get, "/pairings/{id}", "Wait for news of a pairing",
        "Long poll: answers as soon as the revision is no longer `knownRevision`, or with the "
            + "unchanged view after `waitSeconds`.")
    package let decide = Operation<PairingDecision, PairingView>(
        .put, "/pairings/{id}/decision", "Say whether the other side is the right one",
        "The person's answer once the phase is `confirm`.")
    package let cancel = Operation<NoInput, PairingView>(
        .delete, "/pairings/{id}", "Cancel a pairing",
        "Ends a pairing that is not stored yet; its code is worthless afterwards.")
}
