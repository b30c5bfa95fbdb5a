import { digits } from "./shared/digits.js";

/** What a customer does after a merchant has scanned the payment code. */
export type PayCodeUse = "pays" | "confirms-later";

/** The payment codes on customers' phones. */
export interface PayCodes {
  /** Creates a code that is valid for one payment within a minute. */
  show(use: PayCodeUse): string;
  /** Uses up a code. Returns `undefined` if the code is unknown, used or expired. */
  take(code: string): PayCodeUse | undefined;
}

const LIFETIME = 60_000;

/** Creates an empty set of payment codes. */
export function openPayCodes(clock: { now(): number }): PayCodes {
  const codes = new Map<string, { readonly use: PayCodeUse; readonly until: number }>();
  return {
    show: (use) => {
      const code = `28${digits(16)}`;
      codes.set(code, { use, until: clock.now() + LIFETIME });
      return code;
    },
    take: (code) => {
      const shown = codes.get(code);
      codes.delete(code);
      return shown !== undefined && clock.now() <= shown.until ? shown.use : undefined;
    },
  };
}
