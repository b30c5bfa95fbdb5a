import { type PayChannel, type Policy, policyWith, type Ports, type Stores } from "@tillkit/core";
import {
  exampleDigest,
  memoryWallet,
  type MemoryWallet,
  recordingSmsSender,
  type RecordingSmsSender,
} from "@tillkit/memory";
import { silentObserver } from "@tillkit/runtime";
import { openEvents, type Events } from "./events.js";
import type { PortCall } from "./rerouted.js";
import { byteStream, type Tape } from "./tape.js";

/** What was done at a port, with its answer, in the order it took effect. */
export interface Effect extends PortCall {
  readonly at: number;
  readonly answer: unknown;
}

/** How unreliable everything is in a run, in percent of the calls. */
export interface FaultRates {
  readonly stores: number;
  readonly wallets: number;
  readonly carrier: number;
}

/** What one of the wallets is like in a run. */
export interface WalletHabits {
  /** How far its clock is ahead of ours, in milliseconds. */
  readonly ahead: number;
  /** Whether it signs its refusals: otherwise no no of it is proven. */
  readonly signsRefusals: boolean;
}

/** How notifications fare in a run: which of these happens to one is drawn for each, as the number of its copies. */
export type Mail = readonly number[];

/** Everything there is: what is durable, what is under way, and what the outside has been told. */
export interface World {
  readonly tape: Tape;
  readonly policy: Policy;
  readonly events: Events;
  readonly rates: FaultRates;
  /** The durable state, reached without faults: for setting up and for checking. */
  readonly stores: Stores;
  readonly wallets: Readonly<Record<PayChannel, MemoryWallet>>;
  readonly carrier: RecordingSmsSender;
  readonly habits: Readonly<Record<PayChannel, WalletHabits>>;
  readonly mail: Mail;
  /** By number of a refund, when somebody first said falsely that the wallet refuses it. */
  readonly firstNo: Map<string, number>;
  /** Ports without faults or processes over the durable state. */
  readonly bare: Ports;
  readonly startedAt: number;
  readonly now: () => number;
  readonly advance: (ms: number) => void;
  /** Adds a line to the story. */
  readonly tell: (line: string) => void;
  readonly story: readonly string[];
  /** Called for everything that takes effect at a port. */
  readonly effects: ((effect: Effect) => void)[];
  /** What was thrown where nobody waits: the first of it ends the run. */
  readonly thrown: unknown[];
  /** Nothing fails any more: the run comes to rest. */
  calm: boolean;
}

/** Limits so tight that runs meet them often. */
const TIGHT = { smsPerDay: 3, maxSessions: 2, codeTries: 2, codeTriesPerDay: 4 } as const;

/** Mostly they come once, but also not at all, and twice; or nearly always twice; or nearly never. */
const MAILS: readonly Mail[] = [
  [1, 1, 0, 2],
  [2, 1, 3, 2],
  [0, 0, 0, 0, 0, 1],
];
/** By how much a wallet's clock differs: less than the margin after an order's time, in milliseconds. */
const AHEAD = [0, 0, -100_000, 100_000, -240_000] as const;

/** When every run begins: noon in China. */
const START = Date.UTC(2026, 0, 15, 4);

/** A new world over `stores` that hold nothing yet, quiet so far. */
export function openWorld(tape: Tape, stores: Stores): World {
  let time = START;
  const story: string[] = [];
  const now = () => time;
  const clock = { now, sleep: () => Promise.resolve() };
  const habit = (): WalletHabits => ({
    ahead: AHEAD[tape.next(AHEAD.length)] ?? 0,
    signsRefusals: tape.next(3) < 2,
  });
  const habits = { WALLET_A: habit(), WALLET_B: habit() };
  const wallet = (channel: PayChannel) => memoryWallet(channel, { now: () => time + habits[channel].ahead });
  const wallets = { WALLET_A: wallet("WALLET_A"), WALLET_B: wallet("WALLET_B") };
  const carrier = recordingSmsSender();
  const policy = policyWith(TIGHT);
  const rate = (...percent: readonly number[]) => percent[tape.next(percent.length)] ?? 0;
  const bare: Ports = {
    ...stores,
    clock,
    random: { bytes: byteStream("random") },
    digest: exampleDigest,
    observer: silentObserver,
    policy,
    wallets,
    smsSender: carrier,
    notificationsUrl: "https://pay.example/wallets",
  };
  return {
    tape,
    policy,
    events: openEvents(),
    // A request is ten statements: much more, and nothing comes to its end.
    rates: { stores: rate(0, 0, 1, 3, 10), wallets: rate(0, 3, 10, 30, 60), carrier: rate(0, 0, 3, 10, 30) },
    habits,
    mail: MAILS[tape.next(MAILS.length)] ?? [1],
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
    tell: (line) => void story.push(`${new Date(time).toISOString().slice(5, 23).replace("T", " ")} ${line}`),
    story,
    effects: [],
    thrown: [],
    calm: false,
  };
}
