import { z } from "zod";

/**
 * How a call misbehaves. `timeout`: the wallet does it, but the answer is lost. `hang`: it does nothing and never answers, so that the caller
 * waits until its deadline. `500`: it fails and does nothing. `reject`: it says no.
 */
const callFault = z.enum(["timeout", "hang", "500", "reject"]).nullable();
/** What may go wrong in one call to a wallet; `null` is nothing. */
export type CallFault = z.infer<typeof callFault>;

/** How one wallet misbehaves, call by call; `null` is good behaviour. `notify: "drop"`: its notifications are lost for good. */
const walletFaults = z.strictObject({
  prepay: callFault,
  query: callFault,
  close: callFault,
  refund: callFault,
  notify: z.enum(["drop"]).nullable(),
});
/** The faults of one wallet, one for each call. */
export type WalletFaults = z.infer<typeof walletFaults>;

/** How the SMS carrier misbehaves. `timeout`: the message goes out, but the sender does not learn it. */
const smsFault = z.enum(["reject", "timeout"]).nullable();
/** What may go wrong with a message; `null` is nothing. */
export type SmsFault = z.infer<typeof smsFault>;

/** Everything that may misbehave at the moment. */
export interface Faults {
  readonly walletA: WalletFaults;
  readonly walletB: WalletFaults;
  readonly sms: SmsFault;
}

/** A change of faults: what it does not name stays, and `null` for a wallet mends all of it. */
export const faultsChange = z.strictObject({
  walletA: walletFaults.partial().nullable().optional(),
  walletB: walletFaults.partial().nullable().optional(),
  sms: smsFault.optional(),
});
/** The faults to set or to mend, as `faultsChange` reads them. */
export type FaultsChange = z.infer<typeof faultsChange>;

/** Holds the faults of one sandbox. */
export interface FaultBoard {
  now(): Faults;
  change(change: FaultsChange): Faults;
}

const NONE: WalletFaults = { prepay: null, query: null, close: null, refund: null, notify: null };

/** A board on which nothing misbehaves yet. */
export function faultBoard(): FaultBoard {
  let faults: Faults = { walletA: NONE, walletB: NONE, sms: null };
  return {
    now: () => faults,
    change: ({ walletA, walletB, sms }) => {
      faults = {
        walletA: changed(faults.walletA, walletA),
        walletB: changed(faults.walletB, walletB),
        sms: sms === undefined ? faults.sms : sms,
      };
      return faults;
    },
  };
}

function changed(faults: WalletFaults, change: FaultsChange["walletA"]): WalletFaults {
  if (change === undefined) return faults;
  if (change === null) return NONE;
  const pick = <T>(now: T, then: T | undefined): T => (then === undefined ? now : then);
  return {
    prepay: pick(faults.prepay, change.prepay),
    query: pick(faults.query, change.query),
    close: pick(faults.close, change.close),
    refund: pick(faults.refund, change.refund),
    notify: pick(faults.notify, change.notify),
  };
}
