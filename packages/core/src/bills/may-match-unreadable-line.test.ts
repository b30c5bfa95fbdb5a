import { expect, it } from "vitest";
import { mayMatchUnreadableLine } from "./may-match-unreadable-line.js";
import type { UnreadableLine } from "../wallets/wallet-bill.js";

const KEYS = {
  "payment of O": { kind: "payment", outTradeNo: "O" },
  "refund 1 of O": { kind: "refund", outTradeNo: "O", refundNo: "O-1" },
  "refund 2 of O": { kind: "refund", outTradeNo: "O", refundNo: "O-2" },
  "unnumbered refund of O": { kind: "refund", outTradeNo: "O" },
  "payment of P": { kind: "payment", outTradeNo: "P" },
  "refund 1 of P": { kind: "refund", outTradeNo: "P", refundNo: "P-1" },
} as const;

const [numbered, unnumbered] = [["refund 1 of O", "refund 2 of O"], "unnumbered refund of O"] as const;

it.each<readonly [Partial<UnreadableLine>, readonly string[]]>([
  [{}, []],
  [{ lineKind: "payment" }, []],
  [{ lineKind: "refund" }, []],
  [{ walletTradeNo: "O" }, []],
  [{ outTradeNo: "O" }, ["payment of O", ...numbered, unnumbered]],
  [{ outTradeNo: "O", lineKind: "payment" }, ["payment of O"]],
  [{ outTradeNo: "O", lineKind: "refund" }, [...numbered, unnumbered]],
  [{ outTradeNo: "O", refundNo: "O-1" }, ["refund 1 of O"]],
  [{ outTradeNo: "O", refundNo: "O-1", lineKind: "refund" }, ["refund 1 of O"]],
  [{ outTradeNo: "O", refundNo: "O-1", lineKind: "payment" }, ["payment of O"]],
  [{ outTradeNo: "O", refundNo: "other" }, []],
  [{ refundNo: "O-1" }, ["refund 1 of O"]],
  [{ refundNo: "O-1", lineKind: "refund" }, ["refund 1 of O"]],
])("matches only keys that a line with the readable parts %j can have", (known, expected) => {
  const line = { kind: "unreadable", at: 1, digest: "d", problem: "it has 1 fields", ...known } as const;
  const isPossible = mayMatchUnreadableLine([line]);
  const possible = Object.entries(KEYS).flatMap(([name, key]) => (isPossible(key) ? [name] : []));
  expect(possible).toEqual(expected);
});

it("matches the keys of each of several lines", () => {
  const line = { kind: "unreadable", at: 1, digest: "d", problem: "it has 1 fields" } as const;
  const isPossible = mayMatchUnreadableLine([
    { ...line, outTradeNo: "O", lineKind: "payment" },
    { ...line, at: 2, refundNo: "P-1" },
  ]);
  const possible = Object.entries(KEYS).flatMap(([name, key]) => (isPossible(key) ? [name] : []));
  expect(possible).toEqual(["payment of O", "refund 1 of P"]);
});
