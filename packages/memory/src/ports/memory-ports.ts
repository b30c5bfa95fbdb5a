import { defaultPolicy, type PayChannel, type Ports } from "@tillkit/core";
import { nodeCompressor, noopObserver, systemRandom } from "@tillkit/runtime";
import { exampleDigest } from "../state/example-digest.js";
import { memoryStores } from "../stores/memory-stores.js";
import { memoryWallet, type MemoryWallet } from "../wallets/memory-wallet.js";
import { recordingSmsSender, type RecordingSmsSender } from "../sessions/recording-sms-sender.js";
import { testClock, type TestClock } from "./test-clock.js";

/** A complete set of ports with a clock, wallets and an SMS sender that a test controls. */
export interface MemoryPorts extends Ports {
  readonly clock: TestClock;
  readonly wallets: Readonly<Record<PayChannel, MemoryWallet>>;
  readonly smsSender: RecordingSmsSender;
}

/**
 * Creates all ports in memory, for the tests of a program that embeds Tillkit and for demos.
 *
 * Each call creates an independent set of ports. The digest uses a public pepper.
 *
 * @param overrides Ports that replace the default ones. To use a port of another type, such as a
 *   real clock, spread the result: `{ ...memoryPorts(), clock: systemClock }`.
 * @returns the ports, with a clock and wallets that a test controls.
 * @example
 * ```ts
 * import { memoryPorts } from "@tillkit/memory";
 *
 * const ports = memoryPorts();
 * ports.clock.advance(60_000);
 * ```
 */
export function memoryPorts(overrides: Partial<MemoryPorts> = {}): MemoryPorts {
  const clock = overrides.clock ?? testClock();
  return {
    ...memoryStores(),
    clock,
    random: systemRandom,
    digest: exampleDigest,
    compressor: nodeCompressor(),
    observer: noopObserver,
    policy: defaultPolicy,
    wallets: { WALLET_A: memoryWallet("WALLET_A", clock), WALLET_B: memoryWallet("WALLET_B", clock) },
    smsSender: recordingSmsSender(),
    notificationsUrl: "https://pay.example/wallets",
    ...overrides,
  };
}
