import type { PayChannel } from "@tillkit/core";
import * as z from "zod";

/** Faults of a call that the wallet does not execute. */
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
function setting<T extends z.ZodType>(kind: T) {
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

const callKind = z.enum([...UNDONE, ...DONE]);
const callFault = setting(callKind);
const callFaults = z.strictObject({
  prepay: callFault,
  query: callFault,
  close: callFault,
  refund: callFault,
  refundQuery: callFault,
  bill: callFault,
  billFile: setting(z.enum(BILL)),
  flowFile: setting(z.enum(FLOW)),
  notify: setting(z.enum(NOTIFY)),
});
/** What is wrong with the merchant: its key was revoked, or its account disabled. */
const merchant = z.enum(["revoked-key", "disabled"]).nullable();
const walletFaults = callFaults.extend({ merchant });
/** A fault of a mini-program call: a fault of any call, or an error code of WeChat. */
const miniProgramFault = setting(z.union([callKind, z.int()]));
const walletAFaults = walletFaults.extend({
  codes: z.enum(["old"]).nullable(),
  accessToken: miniProgramFault,
  shipment: miniProgramFault,
  shipmentQuery: miniProgramFault,
});
// Alipay does not probe its merchants, so it has no `probe`.
const walletBFaults = walletFaults.extend({
  notify: setting(z.enum(NOTIFY)).refine(
    (fault) => !/probe/.test(JSON.stringify(fault)),
    "WALLET_B sends no probes",
  ),
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
 * `refundQuery` reads the state of a refund, and `bill` reads the download URL of a day's bill.
 */
export type FaultableCall = "prepay" | "query" | "close" | "refund" | "refundQuery" | "bill";
/** A call of the API of mini-programs that a fault can hit. */
export type MiniProgramCall = "accessToken" | "shipment" | "shipmentQuery";
/** One of the two wallets, as faults and rules name it. */
export type FaultyWallet = "walletA" | "walletB";

/** Returns the name of a wallet in faults and rules. */
export function faultyWallet(payChannel: PayChannel): FaultyWallet {
  return payChannel === "WALLET_A" ? "walletA" : "walletB";
}

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
  const put = (wallet: FaultyWallet, change: Partial<Faults["walletA"]>) => {
    faults = { ...faults, [wallet]: { ...faults[wallet], ...change } };
  };
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
    takeCall: (wallet, call) => take(faults[wallet][call], (rest) => put(wallet, { [call]: rest })),
    takeMiniProgramCall: (call) => take(faults.walletA[call], (rest) => put("walletA", { [call]: rest })),
    takeNotify: (wallet) => take(faults[wallet].notify, (notify) => put(wallet, { notify })),
    takeBillFile: (wallet) => take(faults[wallet].billFile, (billFile) => put(wallet, { billFile })),
    takeFlowFile: (wallet) => take(faults[wallet].flowFile, (flowFile) => put(wallet, { flowFile })),
  };
}

type Setting<T> = T | { readonly fault: T; readonly times: number } | null;

/** Returns the fault of a setting, and stores what is left of the setting after this use. */
function take<T extends string | number>(setting: Setting<T>, store: (rest: Setting<T>) => void): T | null {
  if (setting === null || typeof setting !== "object") return setting;
  const { fault, times } = setting;
  store(times === 1 ? null : { fault, times: times - 1 });
  return fault;
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

// Zod omits a member that was not sent, but its type allows an explicit `undefined`.
function named<T extends object>(change: T | undefined): Given<T> {
  const given: Given<T> = {};
  for (const name in change) if (change[name] !== undefined) Object.assign(given, { [name]: change[name] });
  return given;
}
