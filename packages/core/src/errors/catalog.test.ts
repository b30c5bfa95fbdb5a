import { describe, expect, it } from "vitest";
import { ERROR_CATALOG, type ErrorEntry, type FailureName } from "./catalog.js";
import { CODE_RANGES, type CodeRange } from "./code-ranges.js";

type Pinned = readonly [code: number, status: ErrorEntry["status"], retryable: boolean];

/** Callers depend on these numbers. Add a row for each new failure, and never change one. */
const PINNED = {
  "credentials.missing": [1, 401, false],
  "credentials.invalid": [1001, 401, false],
  "request.malformed": [10001, 400, false],
  "parameter.missing": [10002, 400, false],
  "parameter.invalid": [10003, 400, false],
  "amount.invalid": [10004, 400, false],
  "pay-channel.invalid": [10005, 400, false],
  "pay-source.invalid": [10006, 400, false],
  "customer-identity.required": [10007, 400, false],
  "customer-identity.forbidden": [10008, 400, false],
  "source-from.invalid": [10009, 400, false],
  "attach-data.too-large": [10010, 400, false],
  "request.too-large": [10011, 413, false],
  "page.invalid": [10012, 400, false],
  "mobile-no.invalid": [10013, 400, false],
  "mobile-no.not-allowed": [10016, 400, false],
  "mobile-no.locked": [20001, 429, false],
  "endpoint.not-found": [10014, 404, false],
  "payer-address.invalid": [10015, 400, false],
  "auth-code.invalid": [10020, 401, false],
  "auth-code.attempts-exceeded": [10021, 429, false],
  "sms.quota-exceeded": [10022, 429, false],
  "sms.not-sent": [10023, 502, true],
  "wallet-a.rejected": [30001, 502, false],
  "wallet-a.unavailable": [30002, 503, true],
  "wallet-a.bad-answer": [30003, 502, true],
  "wallet-b.failed": [40001, 502, true],
  "order.not-found": [50001, 404, false],
  "biz-no.conflict": [50002, 409, false],
  "order.already-paid": [50003, 409, false],
  "order.closed": [50004, 409, false],
  "order.refunded": [50005, 409, false],
  "order.not-paid": [50006, 409, false],
  "refund.exceeds-remaining": [50007, 409, false],
  "refund.in-progress": [50008, 409, true],
  "refund.rejected": [50009, 502, false],
  "refund.outcome-unknown": [50010, 503, true],
  "refund-no.conflict": [50011, 409, false],
  "refund.not-found": [50012, 404, false],
  "refund.status-conflict": [50013, 409, false],
  "refund.payout-rejected": [50014, 502, false],
  "refund.not-adopted": [50016, 409, false],
  "refund.withdrawn": [50017, 409, false],
  "order.damaged": [50015, 409, false],
  "pay-tool.not-configured": [70002, 409, false],
  "pay-tool.not-ready": [70003, 503, false],
  "service-type.unknown": [70004, 404, false],
  "sms.not-configured": [70005, 503, false],
  "service-type.retired": [70006, 409, false],
  "storage.misconfigured": [70007, 500, false],
  "storage.unavailable": [99998, 503, true],
} as const satisfies Record<FailureName, Pinned>;

const rows: readonly (readonly [string, ErrorEntry])[] = Object.entries(ERROR_CATALOG);

describe("ERROR_CATALOG", () => {
  it("has exactly these names, numbers, statuses and retry advice", () => {
    const actual = Object.fromEntries(
      rows.map(([name, { code, status, retryable }]) => [name, [code, status, retryable]]),
    );
    expect(actual).toEqual(PINNED);
  });

  it("has one status in both modes only for an endpoint that does not exist", () => {
    const always = rows.filter(([, { statusInEveryMode }]) => statusInEveryMode === true);
    expect(always.map(([name]) => name)).toEqual(["endpoint.not-found"]);
  });

  it("has these ranges of numbers", () => {
    expect(CODE_RANGES).toEqual({
      "Auth / Session": [
        [1, 1],
        [1001, 1001],
        [10020, 10023],
      ],
      "Validation & Integration": [[10001, 10019]],
      "User Account": [[20001, 20003]],
      "Wallet A": [[30001, 30003]],
      "Wallet B": [[40001, 40001]],
      Payment: [[50001, 50022]],
      "Device / Report": [[60001, 60001]],
      "Service Config": [[70002, 70007]],
      System: [[99998, 99999]],
    });
  });

  it("gives each number to one name only", () => {
    expect(new Set(rows.map(([, { code }]) => code)).size).toBe(rows.length);
  });

  it("does not use the number of the Android client SDK", () => {
    expect(rows.map(([, { code }]) => code)).not.toContain(99999);
  });

  it.each(rows)("%s has a number of its category", (_name, { category, code }) => {
    const ranges: readonly CodeRange[] = CODE_RANGES[category];
    expect(ranges.some(([first, last]) => first <= code && code <= last)).toBe(true);
  });

  it.each(rows)(
    "%s describes the failure in both languages, with the same placeholders filled in",
    (_name, entry) => {
      const { en, zh } = entry.message;
      expect(en).toMatch(/^[\x20-\x7e]+$/);
      const wordsOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, word]) => word).sort();
      expect(wordsOf(zh)).toEqual(wordsOf(en));
      // "WALLET_B {kind}" becomes Chinese once `{kind}` is replaced.
      if (!/^WALLET_B \{kind\}$/.test(zh)) expect(zh).toMatch(/\p{Script=Han}/u);
      expect(entry.meaning).toMatch(/\.$/);
      expect(entry.advice).toMatch(/\.$/);
    },
  );
});
