import type { PayChannel } from "@tillkit/core";

/** What went wrong with money or access. `bizNo` is empty where it is about no order. */
export interface Finding {
  readonly kind: "lost" | "duplicated" | "contradiction";
  readonly bizNo: string;
  readonly what: string;
}

/** What its caller knows of one order. Cents. */
export interface Purchase {
  readonly bizNo: string;
  readonly customer: string;
  readonly payChannel: PayChannel;
  readonly amount: number;
  /** The wallet's numbers of it that acknowledged answers said. */
  readonly numbers: Set<string>;
  /** Whether the customer saw the payment go through at the wallet. */
  paid: boolean;
  /** The last status the caller was told; empty before. */
  seen: string;
  /** The refunds that were asked for, by number. */
  readonly refunds: Map<string, { readonly amount: number; acknowledged: boolean }>;
}

/** What all callers of a history know, and how often they asked. */
export interface Knowledge {
  readonly purchases: Map<string, Purchase>;
  /** Of logins that were acknowledged. */
  readonly tokens: string[];
  /** Numbers that only ask for codes, and how many of these were acknowledged. */
  readonly quotas: Map<string, number>;
  /** What callers saw that must not be. */
  readonly findings: Finding[];
  requests: number;
  acknowledged: number;
}

/** Nobody has asked for anything yet. */
export function newKnowledge(): Knowledge {
  const [purchases, quotas] = [new Map<string, Purchase>(), new Map<string, number>()];
  return { purchases, tokens: [], quotas, findings: [], requests: 0, acknowledged: 0 };
}
