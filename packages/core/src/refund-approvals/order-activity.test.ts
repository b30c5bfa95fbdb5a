import { describe, expect, it } from "vitest";
import { EVENT_DETAILS } from "../orders/event-details.js";
import type { TimelineEvent } from "../orders/timeline.js";
import { unseenActivity } from "./order-activity.js";

/** The events that an operator need not have seen before money moves, written out. */
const WITHOUT_MONEY = [
  "CREATED",
  "IMPORTED",
  "CONNECTED",
  "PREPAYMENT_REJECTED",
  "ALARM_ACKNOWLEDGED",
  "PERSONAL_DATA_ERASED",
];

function eventOf(seq: number, type: string): TimelineEvent {
  const known = Object.keys(EVENT_DETAILS).find((one): one is TimelineEvent["type"] => one === type);
  if (known === undefined) throw new Error(`There is no event ${type}.`);
  return { seq, type: known, at: 1, actor: "wallet", reason: "", alarm: false, previousHash: "", hash: "" };
}

function isUnseen(timeline: readonly TimelineEvent[], seen: number | undefined): boolean {
  return (
    unseenActivity(
      { seen: timeline.length, refunds: [], approvals: [], exceptions: [], timeline },
      seen,
      "r-1",
    ) !== undefined
  );
}

describe.each(Object.keys(EVENT_DETAILS).map((type) => [type] as const))("an event %s", (type) => {
  const timeline = [eventOf(1, "CREATED"), eventOf(2, "PAID"), eventOf(3, type)];
  const expected = !WITHOUT_MONEY.includes(type);

  it(`is ${expected ? "" : "not "}unseen if it follows the last seen event`, () => {
    expect(isUnseen(timeline, 2)).toBe(expected);
    expect(isUnseen([...timeline, eventOf(4, "CREATED")], 2)).toBe(expected);
  });

  it("counts as seen if it is the last seen event, or an earlier one", () => {
    expect(isUnseen(timeline, 3)).toBe(false);
    expect(isUnseen([...timeline, eventOf(4, "CREATED")], 3)).toBe(false);
  });
});
