import * as z from "zod";

/** Faults of a call in which the wallet does nothing. */
const UNDONE = ["hang", "reset", "429", "500", "html", "redirect", "reject"] as const;
/** Faults of a call that the wallet has executed: its response is lost or unusable. */
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

/** A fault of one call to a wallet. The README of this package describes each of them. */
export type CallFault = (typeof UNDONE)[number] | (typeof DONE)[number];

/** Returns whether the wallet executes the call under this fault. */
export function isDone(fault: CallFault): boolean {
  return DONE.some((done) => done === fault);
}

/** The kinds of false or outdated notifications. */
export const FORGERIES = [
  "forged",
  "tampered",
  "stale",
  "probe",
  "wrong-amount",
  "wrong-app",
  "wrong-merchant",
  "other-payment",
] as const;
/**
 * A kind of false notification.
 *
 * `probe` is WeChat Pay's test that a bad signature is refused. `other-payment` reports the payment
 * of the order under another number of the wallet.
 */
export type Forgery = (typeof FORGERIES)[number];

const NOTIFY = ["drop", "duplicate", "concurrent", "reorder", "late", ...FORGERIES] as const;
/** A fault of a notification. */
export type NotifyFault = (typeof NOTIFY)[number];

/** A fault that lasts until it is cleared, or for a number of times. */
function setting<const T extends readonly string[]>(kinds: T) {
  const kind = z.enum(kinds);
  return z.union([kind, z.strictObject({ fault: kind, times: z.int().min(1).max(1_000) })]).nullable();
}

/** Faults of a bill. The README of this package describes each of them. */
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
/** Faults of a fund-flow bill: those of a bill, and three more. */
const FLOW = [...BILL, "no-permission", "wrong-fee", "wrong-balance"] as const;
/** A fault of a bill or of its file. */
export type BillFault = (typeof FLOW)[number];

const callFault = setting([...UNDONE, ...DONE]);
const callFaults = z.strictObject({
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
/** What is wrong with the merchant: its key was revoked, or its account disabled. */
const merchant = z.enum(["revoked-key", "disabled"]).nullable();
const walletFaults = callFaults.extend({ merchant });
/** A fault of a call of the API of mini-programs: that of a call, or an error code of WeChat. */
const miniProgramKind = z.union([z.enum([...UNDONE, ...DONE]), z.int()]);
const miniProgramFault = z
  .union([miniProgramKind, z.strictObject({ fault: miniProgramKind, times: z.int().min(1).max(1_000) })])
  .nullable();
const walletAFaults = walletFaults.extend({
  codes: z.enum(["old"]).nullable(),
  accessToken: miniProgramFault,
  shipment: miniProgramFault,
  shipmentQuery: miniProgramFault,
});
// Alipay does not probe its merchants, so it has no `probe`.
const walletBFaults = walletFaults.extend({
  notify: setting(NOTIFY).refine((fault) => !/probe/.test(JSON.stringify(fault)), "WALLET_B sends no probes"),
});
const sms = z.enum(["reject", "timeout"]).nullable();

/**
 * A fault of the SMS carrier. With `timeout` the message is sent, but the sender gets no response.
 */
export type SmsFault = z.infer<typeof sms>;

/** All current faults. `null` means normal behaviour. */
export interface Faults {
  readonly walletA: z.infer<typeof walletAFaults>;
  readonly walletB: z.infer<typeof walletBFaults>;
  readonly sms: SmsFault;
}

/** A change of faults. Omitted members stay; `null` for a wallet clears all its faults. */
export const faultsChange = z.strictObject({
  walletA: walletAFaults.partial().nullable().optional(),
  walletB: walletBFaults.partial().nullable().optional(),
  sms: sms.optional(),
});
/** The faults to set or to clear, as {@link faultsChange} parses them. */
export type FaultsChange = z.infer<typeof faultsChange>;

/**
 * A wallet call that a fault can hit.
 *
 * `refundQuery` reads the state of a refund, and `bill` the location of a day's bill.
 */
export type FaultableCall = "prepay" | "query" | "close" | "refund" | "refundQuery" | "bill";
/** A call of the API of mini-programs that a fault can hit. */
export type MiniProgramCall = "accessToken" | "shipment" | "shipmentQuery";
/** One of the two wallets, as faults name it. */
export type FaultyWallet = "walletA" | "walletB";

/** Holds the faults of one sandbox. */
export interface FaultSettings {
  now(): Faults;
  change(change: FaultsChange): Faults;
  /** Returns the fault of the call that starts now, and counts one use of it. */
  takeCall(wallet: FaultyWallet, call: FaultableCall): CallFault | null;
  /** Returns the fault of the call of a mini-program that starts now, and counts one use of it. */
  takeMiniProgramCall(call: MiniProgramCall): CallFault | number | null;
  /** Returns the fault of the notification that is sent now, and counts one use of it. */
  takeNotify(wallet: FaultyWallet): NotifyFault | null;
  /** Returns the fault of the bill that is generated now, and counts one use of it. */
  takeBillFile(wallet: FaultyWallet): BillFault | null;
  /** Returns the fault of the fund-flow bill that is generated now, and counts one use of it. */
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
  merchant: null,
} as const;

const NONE_OF_A = { ...NONE, codes: null, accessToken: null, shipment: null, shipmentQuery: null } as const;

/** Creates fault settings without faults. */
export function createFaultSettings(): FaultSettings {
  let faults: Faults = { walletA: NONE_OF_A, walletB: NONE, sms: null };
  return {
    now: () => faults,
    change: ({ walletA, walletB, sms }) => {
      faults = {
        walletA: walletA === null ? NONE_OF_A : { ...faults.walletA, ...named(walletA) },
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
    takeMiniProgramCall: (call) => {
      const { fault, rest } = taken(faults.walletA[call]);
      faults = { ...faults, walletA: { ...faults.walletA, [call]: rest } };
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

function taken<T extends string | number>(
  setting: Setting<T>,
): { readonly fault: T | null; readonly rest: Setting<T> } {
  if (setting === null || typeof setting !== "object") return { fault: setting, rest: setting };
  const { fault, times } = setting;
  return { fault, rest: times === 1 ? null : { fault, times: times - 1 } };
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

// Zod omits a member that was not sent, but its type allows an explicit `undefined`.
function named<T extends object>(change: T | undefined): Given<T> {
  const given: Given<T> = {};
  for (const name in change) if (change[name] !== undefined) Object.assign(given, { [name]: change[name] });
  return given;
}
