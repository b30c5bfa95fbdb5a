import { z } from "zod";

/** Faults of a call after which the wallet has done nothing. */
const UNDONE = ["hang", "reset", "429", "500", "html", "redirect", "reject"] as const;
/** Faults of a call that strike once the wallet has done it: its answer is lost or proves nothing. */
const DONE = [
  "timeout",
  "reset-after",
  "500-after",
  "unsigned",
  "bad-signature",
  "retired-key",
  "truncated",
  "slow",
  "oversized",
] as const;

/** What may go wrong in one call to a wallet. The README of this package says what each is. */
export type CallFault = (typeof UNDONE)[number] | (typeof DONE)[number];

/** Whether the wallet does under this fault what it was asked for. */
export function isDone(fault: CallFault): boolean {
  return DONE.some((done) => done === fault);
}

/** Ways to post something false, or something true too late. */
export const FALSITIES = [
  "forged",
  "tampered",
  "stale",
  "probe",
  "wrong-amount",
  "wrong-app",
  "wrong-merchant",
] as const;
/** How a notification lies. `probe` is WALLET_A's own test that bad signatures are refused. */
export type Falsity = (typeof FALSITIES)[number];

const NOTIFY = ["drop", "duplicate", "concurrent", "reorder", "late", ...FALSITIES] as const;
/** What may go wrong with a notification. */
export type NotifyFault = (typeof NOTIFY)[number];

/** A fault until it is mended, or for the next so many times. */
function setting<const T extends readonly string[]>(kinds: T) {
  const kind = z.enum(kinds);
  return z.union([kind, z.strictObject({ fault: kind, times: z.int().min(1).max(1_000) })]).nullable();
}

/** What may be wrong with a bill. The README of this package says what each is. */
const BILL = [
  "not-ready",
  "expired",
  "html",
  "cut",
  "oversized",
  "bad-digest",
  "tampered-amount",
  "tampered-drop",
  "tampered-add",
  "wrong-amount",
  "missing-line",
  "extra-line",
  "unreadable-line",
] as const;
/** What may be wrong with a fund-flow bill besides. */
const FLOW = [...BILL, "no-permission", "wrong-fee", "wrong-balance"] as const;
/** How a bill, or its file, is not what it should be. */
export type BillFault = (typeof FLOW)[number];

const callFault = setting([...UNDONE, ...DONE]);
const walletFaults = z.strictObject({
  prepay: callFault,
  query: callFault,
  close: callFault,
  refund: callFault,
  refundQuery: callFault,
  bill: callFault,
  billFile: setting(BILL),
  flowFile: setting(FLOW),
  notify: setting(NOTIFY),
});
const walletAFaults = walletFaults.extend({ codes: z.enum(["old"]).nullable() });
// WALLET_B does not test its merchants.
const walletBFaults = walletFaults.extend({
  notify: setting(NOTIFY).refine((fault) => !/probe/.test(JSON.stringify(fault)), "WALLET_B sends no probes"),
});
const sms = z.enum(["reject", "timeout"]).nullable();

/** How the SMS carrier misbehaves. `timeout`: the message goes out, but the sender does not learn it. */
export type SmsFault = z.infer<typeof sms>;

/** Everything that may misbehave at the moment; `null` is good behaviour. */
export interface Faults {
  readonly walletA: z.infer<typeof walletAFaults>;
  readonly walletB: z.infer<typeof walletBFaults>;
  readonly sms: SmsFault;
}

/** A change of faults: what it does not name stays, and `null` for a wallet mends all of it. */
export const faultsChange = z.strictObject({
  walletA: walletAFaults.partial().nullable().optional(),
  walletB: walletBFaults.partial().nullable().optional(),
  sms: sms.optional(),
});
/** The faults to set or to mend, as `faultsChange` reads them. */
export type FaultsChange = z.infer<typeof faultsChange>;

/** A call of a wallet that can be made to go wrong; `refundQuery` asks what became of a refund, `bill` where the bill of a day is. */
export type WalletCall = "prepay" | "query" | "close" | "refund" | "refundQuery" | "bill";
/** One of the two wallets, as faults name it. */
export type FaultyWallet = "walletA" | "walletB";

/** Holds the faults of one sandbox. */
export interface FaultBoard {
  now(): Faults;
  change(change: FaultsChange): Faults;
  /** What goes wrong with the call that begins now; one of its times is used up. */
  takeCall(wallet: FaultyWallet, call: WalletCall): CallFault | null;
  /** What goes wrong with the notification that is sent now; one of its times is used up. */
  takeNotify(wallet: FaultyWallet): NotifyFault | null;
  /** What is wrong with the bill that is made now; one of its times is used up. */
  takeBillFile(wallet: FaultyWallet): BillFault | null;
  /** What is wrong with the fund-flow bill that is made now; one of its times is used up. */
  takeFlowFile(wallet: FaultyWallet): BillFault | null;
}

const NONE = {
  prepay: null,
  query: null,
  close: null,
  refund: null,
  refundQuery: null,
  bill: null,
  billFile: null,
  flowFile: null,
  notify: null,
} as const;

/** A board on which nothing misbehaves yet. */
export function faultBoard(): FaultBoard {
  let faults: Faults = { walletA: { ...NONE, codes: null }, walletB: NONE, sms: null };
  return {
    now: () => faults,
    change: ({ walletA, walletB, sms }) => {
      faults = {
        walletA: walletA === null ? { ...NONE, codes: null } : { ...faults.walletA, ...named(walletA) },
        walletB: walletB === null ? NONE : { ...faults.walletB, ...named(walletB) },
        sms: sms === undefined ? faults.sms : sms,
      };
      return faults;
    },
    takeCall: (wallet, call) => {
      const { fault, rest } = taken(faults[wallet][call]);
      faults = { ...faults, [wallet]: { ...faults[wallet], [call]: rest } };
      return fault;
    },
    takeNotify: (wallet) => {
      const { fault, rest } = taken(faults[wallet].notify);
      faults = { ...faults, [wallet]: { ...faults[wallet], notify: rest } };
      return fault;
    },
    takeBillFile: (wallet) => {
      const { fault, rest } = taken(faults[wallet].billFile);
      faults = { ...faults, [wallet]: { ...faults[wallet], billFile: rest } };
      return fault;
    },
    takeFlowFile: (wallet) => {
      const { fault, rest } = taken(faults[wallet].flowFile);
      faults = { ...faults, [wallet]: { ...faults[wallet], flowFile: rest } };
      return fault;
    },
  };
}

type Setting<T> = T | { readonly fault: T; readonly times: number } | null;

function taken<T extends string>(
  setting: Setting<T>,
): { readonly fault: T | null; readonly rest: Setting<T> } {
  if (setting === null || typeof setting === "string") return { fault: setting, rest: setting };
  const { fault, times } = setting;
  return { fault, rest: times === 1 ? null : { fault, times: times - 1 } };
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

// Zod leaves a member that was not sent out, but its type says that it may be there and `undefined`.
function named<T extends object>(change: T | undefined): Given<T> {
  const given: Given<T> = {};
  for (const name in change) if (change[name] !== undefined) Object.assign(given, { [name]: change[name] });
  return given;
}
