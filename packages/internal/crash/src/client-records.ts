import type { PayChannel } from "@tillkit/core";

/** A defect that affects money or access. `bizNo` is empty if no order is concerned. */
export interface CrashFinding {
  readonly kind: "lost" | "duplicated" | "contradiction";
  readonly bizNo: string;
  readonly what: string;
}

/** What the caller knows about one order. Amounts are cents. */
export interface PurchaseRecord {
  readonly bizNo: string;
  readonly customer: string;
  readonly payChannel: PayChannel;
  readonly amount: number;
  /** The `outTradeNo` values in acknowledged responses. */
  readonly numbers: Set<string>;
  /** Whether the wallet confirmed the payment to the customer. */
  paid: boolean;
  /** The last status that the caller received; empty before. */
  seen: string;
  /** The requested refunds, by number. */
  readonly refunds: Map<string, { readonly amount: number; acknowledged: boolean }>;
}

/** What all callers of one crash test run know, and the number of their requests. */
export interface ClientRecords {
  readonly purchases: Map<string, PurchaseRecord>;
  /** The tokens of acknowledged logins. */
  readonly tokens: string[];
  /** Phone numbers that only request codes, with the number of acknowledged requests. */
  readonly quotas: Map<string, number>;
  /** The defects that callers noticed. */
  readonly findings: CrashFinding[];
  requests: number;
  acknowledged: number;
}

/** Creates empty records. */
export function newClientRecords(): ClientRecords {
  const [purchases, quotas] = [new Map<string, PurchaseRecord>(), new Map<string, number>()];
  return { purchases, tokens: [], quotas, findings: [], requests: 0, acknowledged: 0 };
}
