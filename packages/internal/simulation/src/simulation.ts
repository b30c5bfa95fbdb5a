import { type PayChannel, type Policy, policyWith, type Ports, type Stores } from "@tillkit/core";
import {
  exampleDigest,
  memoryWallet,
  type MemoryWallet,
  recordingSmsSender,
  type RecordingSmsSender,
} from "@tillkit/memory";
import { noopObserver } from "@tillkit/runtime";
import { openEvents, type Events } from "./events.js";
import type { PortCall } from "./intercepted.js";
import { byteStream, type ChoiceSource } from "./choice-source.js";

/** A call of a port with its result, in the order of taking effect. */
export interface Effect extends PortCall {
  readonly at: number;
  readonly answer: unknown;
}

/** The percentage of calls that fail in a run, by kind of port. */
export interface FaultRates {
  readonly stores: number;
  readonly wallets: number;
  readonly carrier: number;
}

/** The properties of one wallet in a run. */
export interface WalletHabits {
  /** How far its clock is ahead of the service's clock, in milliseconds. */
  readonly ahead: number;
  /** Whether the wallet signs its refusals. Unsigned refusals are not trusted. */
  readonly signsRefusals: boolean;
}

/** The possible numbers of copies of a notification. One is chosen for each notification. */
export type DeliveryRates = readonly number[];

/** The test environment of a run: durable state, pending events and what the outside knows. */
export interface Simulation {
  readonly choices: ChoiceSource;
  readonly policy: Policy;
  readonly events: Events;
  readonly rates: FaultRates;
  /** The durable state, accessed without faults for set-up and checks. */
  readonly stores: Stores;
  readonly wallets: Readonly<Record<PayChannel, MemoryWallet>>;
  readonly carrier: RecordingSmsSender;
  readonly habits: Readonly<Record<PayChannel, WalletHabits>>;
  readonly deliveryRates: DeliveryRates;
  /** By refund number: when a false refusal of the refund was first returned. */
  readonly firstNo: Map<string, number>;
  /** Ports that use the durable state directly, without faults and without a process. */
  readonly bare: Ports;
  readonly startedAt: number;
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** Adds a line to the log. */
  readonly log: (line: string) => void;
  readonly trace: readonly string[];
  /** The listeners of every effect at a port. */
  readonly effects: ((effect: Effect) => void)[];
  /** Errors thrown where no caller awaits them. The first one ends the run. */
  readonly thrown: unknown[];
  /** Whether faults have ended, so that the run can end. */
  calm: boolean;
}

/** Limits so low that runs often reach them. */
const TIGHT = { smsPerDay: 3, maxSessions: 2, codeTries: 2, codeTriesPerDay: 4, eventTries: 3 } as const;

/** Numbers of copies of a notification. A run chooses one list, and each delivery one number. */
const DELIVERY_RATES: readonly DeliveryRates[] = [
  [1, 1, 0, 2],
  [2, 1, 3, 2],
  [0, 0, 0, 0, 0, 1],
];
/** The possible differences of a wallet's clock, in milliseconds: less than the expiry margin. */
const AHEAD = [0, 0, -100_000, 100_000, -240_000] as const;

/** The start of every run: noon in China. */
const START = Date.UTC(2026, 0, 15, 4);

/** Creates a test environment over empty stores. */
export function openSimulation(choices: ChoiceSource, stores: Stores): Simulation {
  let time = START;
  const trace: string[] = [];
  const now = () => time;
  const clock = { now, sleep: () => Promise.resolve() };
  const habit = (): WalletHabits => ({
    ahead: AHEAD[choices.next(AHEAD.length)] ?? 0,
    signsRefusals: choices.next(3) < 2,
  });
  const habits = { WALLET_A: habit(), WALLET_B: habit() };
  const wallet = (channel: PayChannel) => memoryWallet(channel, { now: () => time + habits[channel].ahead });
  const wallets = { WALLET_A: wallet("WALLET_A"), WALLET_B: wallet("WALLET_B") };
  const carrier = recordingSmsSender();
  const policy = policyWith(TIGHT);
  const rate = (...percent: readonly number[]) => percent[choices.next(percent.length)] ?? 0;
  const bare: Ports = {
    ...stores,
    clock,
    random: { bytes: byteStream("random") },
    digest: exampleDigest,
    observer: noopObserver,
    policy,
    wallets,
    smsSender: carrier,
    notificationsUrl: "https://pay.example/wallets",
  };
  return {
    choices,
    policy,
    events: openEvents(),
    // A request makes about ten statements, so at a higher rate no request would succeed.
    rates: { stores: rate(0, 0, 1, 3, 10), wallets: rate(0, 3, 10, 30, 60), carrier: rate(0, 0, 3, 10, 30) },
    habits,
    deliveryRates: DELIVERY_RATES[choices.next(DELIVERY_RATES.length)] ?? [1],
    firstNo: new Map(),
    stores,
    wallets,
    carrier,
    bare,
    startedAt: START,
    now,
    advance: (ms) => {
      time += ms;
    },
    log: (line) => void trace.push(`${new Date(time).toISOString().slice(5, 23).replace("T", " ")} ${line}`),
    trace,
    effects: [],
    thrown: [],
    calm: false,
  };
}
