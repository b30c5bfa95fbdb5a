import { randomBytes } from "node:crypto";
import { err, ok, type Result } from "neverthrow";
import type { BillFault } from "../faults.js";
import type { WireOutcome } from "../wire/serve.js";

/** A generated bill. */
export interface WrittenBill {
  /** The file that the merchant downloads. */
  readonly file: Uint8Array;
  /** The bytes that the digest covers, if the wallet states a digest. */
  readonly text: Uint8Array;
  /** Whether the day has no movements. */
  readonly isEmpty: boolean;
}

/** How to write a bill. */
export interface BillForm {
  /** When the bill is generated, in epoch milliseconds. */
  readonly madeAt: number;
  readonly fault: BillFault | null;
}

/** The clock and the times of one wallet's bills. */
export interface BillArchiveOptions {
  readonly clock: { now(): number };
  /** Milliseconds from the end of a day in China until its bill is available. */
  readonly readyAfter: number;
  /** Milliseconds for which a download URL is valid. */
  readonly lifetime: number;
}

/** A bill that can be downloaded for a limited time. */
export interface ArchivedBill extends Pick<WrittenBill, "text" | "isEmpty"> {
  readonly token: string;
}

/** The bills of one wallet. */
export interface BillArchive {
  /**
   * Generates a bill of a day with `write`, on every call. Fails if the day's bill is not due yet.
   */
  order(
    day: string,
    fault: BillFault | null,
    write: (form: BillForm) => WrittenBill,
  ): Result<ArchivedBill, "not-ready">;
  /**
   * Returns the response for a token, under the bill's fault. `undefined` if the token has expired.
   */
  fetch(token: string): WireOutcome | undefined;
}

const CHINA = 8 * 3_600_000;
const DAY = 86_400_000;
const PAGE = "<html><head><title>Sign in</title></head><body>Sign in</body></html>";

/** Creates an archive without bills. */
export function createBillArchive({ clock, readyAfter, lifetime }: BillArchiveOptions): BillArchive {
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
