#pragma once

/* Avahi's client library: a D-Bus client of avahi-daemon(8). Anonymous enums of it reach Swift as
   Int: convert them where they are passed, as in AvahiIfIndex(AVAHI_IF_UNSPEC). */

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/address.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
