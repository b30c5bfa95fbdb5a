import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import type { BillFault } from "../faults.js";
import type { WireOutcome } from "../wire/serve.js";

/** A bill as it is written down. */
export interface WrittenBill {
  /** What is downloaded. */
  readonly file: Uint8Array;
  /** What its digest is of, where the wallet states one. */
  readonly text: Uint8Array;
  /** Whether no money moved on that day. */
  readonly isEmpty: boolean;
}

/** How a bill is to be written. */
export interface BillForm {
  /** When it is made, epoch milliseconds. */
  readonly madeAt: number;
  readonly fault: BillFault | null;
}

/** What the bills of one wallet are kept with. */
export interface ShelfOptions {
  readonly clock: { now(): number };
  /** Milliseconds from the end of a day, in China, until its bill is made. */
  readonly readyAfter: number;
  /** Milliseconds that an address is good for. */
  readonly lifetime: number;
}

/** A bill that can be fetched for a while. */
export interface ShelvedBill extends Pick<WrittenBill, "text" | "isEmpty"> {
  readonly token: string;
}

/** The bills of one wallet. */
export interface Shelf {
  /** Makes a bill of a day anew each time, with `write`. */
  order(
    day: string,
    fault: BillFault | null,
    write: (form: BillForm) => WrittenBill,
  ): Result<ShelvedBill, "not-ready">;
  /** The file under a token, as the fault has it; `undefined` when the time to fetch it is over. */
  fetch(token: string): WireOutcome | undefined;
}

const CHINA = 8 * 3_600_000;
const DAY = 86_400_000;
const PAGE = "<html><head><title>Sign in</title></head><body>Sign in</body></html>";

/** Opens a shelf without bills. */
export function openShelf({ clock, readyAfter, lifetime }: ShelfOptions): Shelf {
  const files = new Map<string, { readonly outcome: WireOutcome; readonly until: number }>();
  return {
    order: (day, fault, write) => {
      const madeAt = Date.parse(`${day}T00:00:00Z`) - CHINA + DAY + readyAfter;
      if (fault === "not-ready" || clock.now() < madeAt) return err("not-ready");
      const { file, text, isEmpty } = write({ madeAt, fault });
      const token = randomBytes(16).toString("hex");
      for (const [old, { until }] of files) if (clock.now() > until) files.delete(old);
      const until = fault === "expired" ? clock.now() - 1 : clock.now() + lifetime;
      files.set(token, { outcome: outcomeOf(fault, file), until });
      return ok({ token, text, isEmpty });
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
