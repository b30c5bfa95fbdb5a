import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { aRefundWorld, LOST, requested, stating } from "../testing/refund-world.js";
import { settleRefund, settleRefundInput } from "./settle-refund.js";

const said = { bizNo: "b-1", refundNo: "refund-1", reason: "in cash", operator: "kim" };
const input = parseInput(settleRefundInput(defaultPolicy), said)._unsafeUnwrap();

function aWorld(
  status: "ABNORMAL" | "FAILED" | "SENT" | "SETTLED",
  answers: Parameters<typeof aRefundWorld>[0] = {},
  lost: NonNullable<Parameters<typeof aRefundWorld>[1]>["lost"] = {},
) {
  const world = aRefundWorld(answers, { start: { ...requested, status }, lost });
  return { ...world, settled: () => settleRefund(world.ports, "app_1", input) };
}

describe("settleRefund", () => {
  it.each(["ABNORMAL", "FAILED"] as const)(
    "records who paid the customer of a refund that is %s, and how",
    async (status) => {
      const { settled, told, lastEvent } = aWorld(status);
      expect((await settled())._unsafeUnwrap().status).toBe("SETTLED");
      expect(lastEvent()).toMatchObject({ type: "REFUND_SETTLED", actor: "operator:kim", alarm: false });
      expect(lastEvent()?.reason).toContain("paid to the customer by other means: in cash");
      expect(told.at(-1)).toBe("refund-1 SETTLED 200");
    },
  );

  it.each(["ABNORMAL", "FAILED"] as const)(
    "records nothing when the wallet made the refund that is %s here",
    async (status) => {
      const { settled, taken } = aWorld(status, { queryRefund: () => okAsync(stating("CONFIRMED")) });
      expect((await settled())._unsafeUnwrapErr()).toEqual({
        ...{ name: "refund.status-conflict", status: "CONFIRMED" },
      });
      expect(taken.slice(0, 2)).toEqual(["book order-1-refund-1", "confirmed"]);
    },
  );

  it("records nothing while the wallet processes a refund that is FAILED here", async () => {
    const { settled, held } = aWorld("FAILED", { queryRefund: () => okAsync(stating("PROCESSING")) });
    expect((await settled())._unsafeUnwrapErr()).toEqual({ name: "refund.outcome-unknown" });
    expect(held().status).toBe("FAILED");
  });

  it("records it without an answer of the wallet: the customer has been paid", async () => {
    const { settled } = aWorld("ABNORMAL", { queryRefund: () => errAsync(LOST) });
    expect((await settled())._unsafeUnwrap().status).toBe("SETTLED");
  });

  it("moves nothing the second time, and asks no wallet", async () => {
    const { settled, told, taken } = aWorld("SETTLED");
    expect((await settled())._unsafeUnwrap().status).toBe("SETTLED");
    expect(told).toEqual([]);
    expect(taken).toEqual(["settled"]);
  });

  it("refuses a refund that is still open", async () => {
    const { settled } = aWorld("SENT");
    expect((await settled())._unsafeUnwrapErr()).toEqual({
      ...{ name: "refund.status-conflict", status: "SENT" },
    });
  });

  it("fails as the storage does", async () => {
    const broken = { name: "storage.unavailable" } as const;
    const confirming = { queryRefund: () => okAsync(stating("CONFIRMED")) };
    const { settled, taken } = aWorld("FAILED", confirming, { confirm: () => errAsync(broken) });
    expect((await settled())._unsafeUnwrapErr()).toEqual(broken);
    expect(taken).not.toContain("settled");
  });

  it("finds no refund that goes meanwhile", async () => {
    const { settled } = aWorld("FAILED", {}, { settle: () => okAsync(undefined) });
    expect((await settled())._unsafeUnwrapErr()).toEqual({ name: "refund.not-found" });
  });
});
