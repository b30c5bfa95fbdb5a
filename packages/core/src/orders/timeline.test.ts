import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import {
  findTimelineBreak,
  type TimelineEntry,
  type TimelineEvent,
  timelineHash,
  timelineText,
} from "./timeline.js";

const digest = { sha256: (text: string) => createHash("sha256").update(text).digest("hex") };

function chain(orderId: string, entries: readonly TimelineEntry[]): readonly TimelineEvent[] {
  let previousHash = orderId;
  return entries.map((entry, index) => {
    const event = { ...entry, seq: index + 1, previousHash, hash: timelineHash(digest, previousHash, entry) };
    previousHash = event.hash;
    return event;
  });
}

const entries: readonly TimelineEntry[] = [
  { type: "CREATED", at: 1, actor: "caller", reason: "POST /order.json", to: "PENDING", alarm: false },
  {
    type: "PAID",
    at: 2,
    actor: "wallet",
    reason: "paid",
    from: "PENDING",
    to: "PAID",
    evidence: "e",
    alarm: false,
  },
  {
    type: "REFUNDED",
    at: 3,
    actor: "operator:li",
    reason: "asked",
    from: "PAID",
    to: "REFUND",
    alarm: false,
  },
];

it("accepts an intact chain", () => {
  expect(findTimelineBreak(digest, "order-1", chain("order-1", entries))).toBeUndefined();
});

it("detects a changed, removed, swapped or foreign event", () => {
  const [first, second, third] = chain("order-1", entries);
  if (first === undefined || second === undefined || third === undefined) throw new Error("three events");
  expect(findTimelineBreak(digest, "order-1", [first, { ...second, actor: "nobody" }, third])).toBe(2);
  expect(findTimelineBreak(digest, "order-1", [first, { ...third, seq: 2 }])).toBe(2);
  expect(findTimelineBreak(digest, "order-1", [first, { ...second, previousHash: "another" }, third])).toBe(
    2,
  );
  expect(findTimelineBreak(digest, "order-1", [second, first, third])).toBe(1);
  expect(findTimelineBreak(digest, "order-2", [first, second, third])).toBe(1);
});

it("covers the refund number only of events that have one", () => {
  const entry: TimelineEntry = {
    type: "CREATED",
    at: 1,
    actor: "caller",
    reason: "POST /order.json",
    to: "PENDING",
    alarm: false,
  };
  expect(timelineText(entry)).toBe('["CREATED",1,"caller","POST /order.json",null,"PENDING",null,false]');
  const ofRefund = chain("order-1", [{ ...entry, refundNo: "r-1" }]);
  expect(findTimelineBreak(digest, "order-1", ofRefund)).toBeUndefined();
  const changed = ofRefund.map((event) => ({ ...event, refundNo: "r-2" }));
  expect(findTimelineBreak(digest, "order-1", changed)).toBe(1);
});
