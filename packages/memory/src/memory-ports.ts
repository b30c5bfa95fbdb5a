import { defaultPolicy, type PayChannel, type Ports } from "@tillkit/core";
import { silentObserver, systemRandom } from "@tillkit/runtime";
import { exampleDigest } from "./example-digest.js";
import { memoryStores } from "./memory-stores.js";
import { memoryWallet, type MemoryWallet } from "./memory-wallet.js";
import { recordingSmsSender, type RecordingSmsSender } from "./recording-sms-sender.js";
import { testClock, type TestClock } from "./test-clock.js";

/** A complete set of ports whose clock, wallets and SMS carrier a test holds in its hands. */
export interface MemoryPorts extends Ports {
  readonly clock: TestClock;
  readonly wallets: Readonly<Record<PayChannel, MemoryWallet>>;
  readonly smsSender: RecordingSmsSender;
}

/**
 * Everything the domain asks of a host, in memory: for the test suite of a program that embeds Tillkit, and for demos. Phone digests are under a pepper
 * everybody knows. Each call makes a world of its own. `overrides` replace single ports; to put in a port of another kind, such as a
 * real clock, spread: `{ ...memoryPorts(), clock: systemClock }`.
 */
export function memoryPorts(overrides: Partial<MemoryPorts> = {}): MemoryPorts {
  const clock = overrides.clock ?? testClock();
  return {
    ...memoryStores(),
    clock,
    random: systemRandom,
    digest: exampleDigest,
    observer: silentObserver,
    policy: defaultPolicy,
    wallets: { WALLET_A: memoryWallet("WALLET_A", clock), WALLET_B: memoryWallet("WALLET_B", clock) },
    smsSender: recordingSmsSender(),
    notificationsUrl: "https://pay.example/wallets",
    ...overrides,
  };
}
