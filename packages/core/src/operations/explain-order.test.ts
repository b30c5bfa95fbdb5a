import { createHash } from "node:crypto";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { type TimelineEntry, type TimelineEvent, timelineHash } from "../orders/timeline.js";
import { defaultPolicy } from "../policy.js";
import type { Digest } from "../shared/digest.js";
import { anOrder, stub } from "../testing/stubs.js";
import { explainOrder } from "./explain-order.js";
import { orThrow } from "../errors/or-throw.js";

const digest = stub<Digest>({
  sha256: (text) => createHash("sha256").update(text).digest("hex"),
});
const order = anOrder({ nextQueryAt: 9_000 });
const entry: TimelineEntry = {
  type: "CREATED",
  at: 0,
  actor: "caller",
  reason: "",
  details: '{"amount":600}',
  to: "PENDING",
  alarm: false,
};
const first: TimelineEvent = {
  ...entry,
  seq: 1,
  previousHash: order.id,
  hash: timelineHash(digest, order.id, entry),
};

const explained = (timeline: readonly TimelineEvent[], bizNo = "b-1", language?: "en" | "zh") =>
  explainOrder(
    {
      digest,
      policy: defaultPolicy,
      clock: { now: () => 7_000, sleep: async () => undefined },
      refunds: stub({
        readRecord: (key) => {
          const isKnown = key.appId === "app_1" && key.bizNo === "b-1";
          return okAsync(isKnown ? { order, refunds: [], timeline } : undefined);
        },
      }),
      refundApprovals: stub({ listOfOrder: () => okAsync([]) }),
    },
    "app_1",
    bizNo,
    language,
  );

describe("explainOrder", () => {
  it("returns the order with its records, and its explanation in English", async () => {
    const explanation = await orThrow(explained([first]));
    expect(explanation).toMatchObject({ order, refunds: [], timeline: [first], chainHolds: true });
    expect(explanation.sentences).toContain(
      "The next query of WeChat Pay about the order is at 1970-01-01T08:00:09+08:00.",
    );
  });

  it("returns the explanation in Chinese if requested", async () => {
    const explanation = await orThrow(explained([first], "b-1", "zh"));
    expect(explanation.sentences).toContain("下次向微信支付查询的时间为 1970-01-01T08:00:09+08:00。");
  });

  it("detects a changed, shortened or emptied timeline", async () => {
    const changed = [{ ...first, reason: "nothing" }];
    const cut = [{ ...first, seq: 2 }];
    for (const timeline of [changed, cut, []])
      expect((await orThrow(explained(timeline))).chainHolds).toBe(false);
    const explanation = await orThrow(explained(changed));
    expect(explanation.sentences.join("\n")).toContain("is broken at event 1");
  });

  it("fails for an unknown order", async () => {
    expect((await explained([first], "b-2"))._unsafeUnwrapErr()).toEqual({ name: "order.not-found" });
  });
});
