import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  findTimelineBreak,
  sealEntry,
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

/** An event with every member. */
const FULL: Required<TimelineEntry> = {
  type: "REFUND_CONFIRMED",
  at: 1_768_449_600_000,
  actor: "operator:li",
  reason: "退款",
  details: '{"amount":250}',
  from: "PAID",
  to: "REFUND",
  evidence: "e".repeat(64),
  refundNo: "r-1",
  alarm: true,
};

// These values must never change: the timelines of every host contain them.
it("computes the same hash of an event as earlier releases", () => {
  const { refundNo: _number, ...withoutNumber } = FULL;
  const { details: _details, ...withoutDetails } = FULL;
  const [created] = entries;
  if (created === undefined) throw new Error("three entries");
  expect(timelineHash(digest, "order-1", created)).toBe(
    "dc59d9ebf36cb414a2b9aaabc62c834440429774309247585b6d8d6a7a745fb1",
  );
  expect(timelineHash(digest, "order-1", FULL)).toBe(
    "89707d067546dc556db80e0d8aa095f598425eb7c8b68618ff163259a45040c2",
  );
  expect(timelineHash(digest, "f".repeat(64), FULL)).toBe(
    "d90a1e5644efbbdb61d79a22443f169ca3f93b3d1f9669f42c7c2e615bd12457",
  );
  expect(timelineHash(digest, "order-1", withoutDetails)).toBe(
    "d8c503b00a649f30a0f2ffb7f70f2a45e1c8e2945d34b0b3352271e7e1153954",
  );
  expect(timelineHash(digest, "order-1", withoutNumber)).toBe(
    "22933fb95431835f37496a72beefee71d994dc6f0ce91bee67a7f9730e1ac6bf",
  );
});

/** Every member of an event, with another value. */
const CHANGES = {
  type: "REFUND_FAILED",
  at: 2,
  actor: "nobody",
  reason: "",
  details: '{"amount":251}',
  from: "PENDING",
  to: "PAID",
  evidence: "0".repeat(64),
  refundNo: "r-2",
  alarm: false,
} as const satisfies Required<TimelineEntry>;

describe.each(Object.entries(CHANGES))("a changed %s", (name, value) => {
  const [first, second, third] = chain("order-1", [FULL, FULL, FULL]);
  if (first === undefined || second === undefined || third === undefined) throw new Error("three events");

  it("breaks the timeline at its event", () => {
    const changed = { ...second, [name]: value };
    expect(findTimelineBreak(digest, "order-1", [first, changed, third])).toBe(2);
    expect(findTimelineBreak(digest, "order-1", [first, second, { ...third, [name]: value }])).toBe(3);
  });

  it("breaks the timeline after its event, if its hash was computed again", () => {
    const changed = { ...second, [name]: value };
    const hash = timelineHash(digest, changed.previousHash, changed);
    expect(findTimelineBreak(digest, "order-1", [first, { ...changed, hash }, third])).toBe(3);
  });
});

it.each(["details", "from", "to", "evidence", "refundNo"] as const)(
  "a removed %s breaks the timeline",
  (name) => {
    const events = chain("order-1", [FULL, FULL]);
    const harmed = events.map((event) => {
      const { [name]: _gone, ...rest } = event;
      return event.seq === 2 ? rest : event;
    });
    expect(findTimelineBreak(digest, "order-1", harmed)).toBe(2);
  },
);

it("detects a missing event, whether or not the later events get new numbers", () => {
  const events = chain("order-1", [FULL, FULL, FULL, FULL]);
  for (const missing of [1, 2, 3]) {
    const left = events.filter(({ seq }) => seq !== missing);
    expect(findTimelineBreak(digest, "order-1", left)).toBe(missing);
    const renumbered = left.map((event, index) => ({ ...event, seq: index + 1 }));
    expect(findTimelineBreak(digest, "order-1", renumbered)).toBe(missing);
  }
  const changed = events.map((event) => (event.seq === 3 ? { ...event, seq: 9 } : event));
  expect(findTimelineBreak(digest, "order-1", changed)).toBe(3);
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

describe("a sealed reason", () => {
  const salt = "0123456789abcdef0123456789abcdef";
  const asked: TimelineEntry = {
    type: "REFUND_REQUESTED",
    at: 3,
    actor: "operator:li",
    reason: "退货，张三",
    alarm: false,
    refundNo: "r-1",
    details: '{"amount":250}',
  };
  const sealed = sealEntry(digest, asked, () => salt);
  const [created] = entries;
  const erasure: TimelineEntry = {
    type: "PERSONAL_DATA_ERASED",
    at: 4,
    actor: "operator:kim",
    reason: "",
    alarm: false,
    details: '{"erased":["reasons"]}',
  };
  if (created === undefined) throw new Error("three entries");
  const [first, second, third] = chain("order-1", [created, sealed, erasure]);
  if (first === undefined || second === undefined || third === undefined) throw new Error("three events");
  const { reasonSalt: _salt, ...unsalted } = second;
  const erased = { ...unsalted, reason: "" };
  const breakOf = (...events: readonly TimelineEvent[]) => findTimelineBreak(digest, "order-1", events);

  // These values must never change: the timelines of every host contain them.
  it("is replaced in the hashed text by the SHA-256 of the salt, a line feed and the reason", () => {
    expect(sealed.reasonDigest).toBe(createHash("sha256").update(`${salt}\n退货，张三`).digest("hex"));
    expect(timelineText(sealed)).toBe(
      `["REFUND_REQUESTED",3,"operator:li",{"sha256":"${sealed.reasonDigest}"},null,null,null,false,"r-1","{\\"amount\\":250}"]`,
    );
    expect(timelineHash(digest, "order-1", sealed)).toBe(
      "87caa573efff8ecfcd0007fc23ec13ecc207b37c530e564b3c28ce5d63fa1128",
    );
  });

  it("does not change an entry without a reason", () => {
    expect(sealEntry(digest, erasure, () => salt)).toBe(erasure);
  });

  it("keeps the chain intact when the reason and its salt are erased", () => {
    expect(breakOf(first, second, third)).toBeUndefined();
    expect(breakOf(first, erased, third)).toBeUndefined();
  });

  it.each<[string, readonly TimelineEvent[]]>([
    ["was changed", [first, { ...second, reason: "another" }, third]],
    ["was removed without its salt", [first, { ...second, reason: "" }, third]],
    ["is missing without an erasure", [first, erased]],
    ["has another digest", [first, { ...erased, reasonDigest: "0".repeat(64) }, third]],
    ["was written after its erasure", [first, { ...erased, reason: "another" }, third]],
    ["belongs to an event whose other facts were changed", [first, { ...erased, refundNo: "r-2" }, third]],
  ])("reports a break if it %s", (_case, events) => {
    expect(findTimelineBreak(digest, "order-1", events)).toBe(2);
  });

  it("must not be missing from an event after the last erasure", () => {
    const [one, two, three] = chain("order-1", [created, erasure, sealed]);
    if (one === undefined || two === undefined || three === undefined) throw new Error("three events");
    const { reasonSalt: _unused, ...later } = three;
    expect(breakOf(one, two, { ...later, reason: "" })).toBe(3);
  });
});

it("the hash covers the refund number of an event that has one", () => {
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
