import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import type { BillFault } from "../faults.js";
import type { Ledger } from "../ledger.js";
import type { WireOutcome } from "../wire/serve.js";
import { type BillContents, contentsUnder, movementsOf } from "./movements.js";

/** A bill as it is written down. */
export interface WrittenBill {
  /** What is downloaded. */
  readonly file: Uint8Array;
  /** What its digest is of, where the wallet states one. */
  readonly text: Uint8Array;
}

/** What the bills of one wallet are made of. */
export interface ShelfOptions {
  readonly ledger: Pick<Ledger, "all">;
  readonly clock: { now(): number };
  readonly fault: () => BillFault | null;
  /** Milliseconds from the end of a day, in China, until its bill is made. */
  readonly readyAfter: number;
  /** Milliseconds that an address is good for. */
  readonly lifetime: number;
  /** Writes a bill that was made at `madeAt`; `spoilt` is how its file is to be damaged. */
  write(contents: BillContents, day: string, madeAt: number, spoilt: "digest" | "long" | null): WrittenBill;
}

/** A bill that can be fetched for a while. */
export interface ShelvedBill {
  readonly token: string;
  readonly text: Uint8Array;
  /** Whether no money moved on that day. */
  readonly isEmpty: boolean;
}

/** The bills of one wallet. */
export interface Shelf {
  /** Makes the bill of a merchant's day, anew each time. */
  order(merchantId: string, day: string): Result<ShelvedBill, "not-ready">;
  /** The file under a token, as the fault has it; `undefined` when the time to fetch it is over. */
  fetch(token: string): WireOutcome | undefined;
}

const CHINA = 8 * 3_600_000;
const DAY = 86_400_000;
const PAGE = "<html><head><title>Sign in</title></head><body>Sign in</body></html>";

/** Opens a shelf without bills. */
export function openShelf(options: ShelfOptions): Shelf {
  const { ledger, clock, readyAfter, lifetime } = options;
  const files = new Map<string, { readonly outcome: WireOutcome; readonly until: number }>();
  return {
    order: (merchantId, day) => {
      const fault = options.fault();
      const madeAt = Date.parse(`${day}T00:00:00Z`) - CHINA + DAY + readyAfter;
      if (fault === "not-ready" || clock.now() < madeAt) return err("not-ready");
      const contents = contentsUnder(fault, movementsOf(ledger.all(), merchantId, day), day);
      const spoilt = fault === "bad-digest" ? "digest" : fault === "oversized" ? "long" : null;
      const { file, text } = options.write(contents, day, madeAt, spoilt);
      const token = randomBytes(16).toString("hex");
      for (const [old, { until }] of files) if (clock.now() > until) files.delete(old);
      const until = fault === "expired" ? clock.now() - 1 : clock.now() + lifetime;
      files.set(token, { outcome: outcomeOf(fault, file), until });
      return ok({ token, text, isEmpty: contents.lines.length + contents.stated.length === 0 });
    },
    fetch: (token) => {
      const shelved = files.get(token);
      return shelved === undefined || clock.now() > shelved.until ? undefined : shelved.outcome;
    },
  };
}

function outcomeOf(fault: BillFault | null, file: Uint8Array): WireOutcome {
  const headers = { "content-type": "application/octet-stream" };
  if (fault === "html")
    return { kind: "reply", reply: { status: 200, headers: { "content-type": "text/html" }, body: PAGE } };
  return { kind: fault === "cut" ? "half" : "reply", reply: { status: 200, headers, body: file } };
}
