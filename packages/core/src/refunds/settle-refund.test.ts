import { errAsync, okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { defaultPolicy } from "../policy.js";
import { parseInput } from "../shared/input.js";
import { openRefundFixture, LOST, requested, stating } from "../testing/refund-fixture.js";
import { settleRefund, settleRefundInput } from "./settle-refund.js";
import { orThrow } from "../errors/or-throw.js";

const parameters = { bizNo: "b-1", refundNo: "refund-1", reason: "in cash", operator: "kim" };
const input = orThrow(parseInput(settleRefundInput(defaultPolicy), parameters));

function openFixture(
  status: "ABNORMAL" | "FAILED" | "SENT" | "SETTLED",
  answers: Parameters<typeof openRefundFixture>[0] = {},
  lost: NonNullable<Parameters<typeof openRefundFixture>[1]>["lost"] = {},
) {
  const fixture = openRefundFixture(answers, { start: { ...requested, status }, lost });
  return { ...fixture, settled: () => settleRefund(fixture.ports, "app_1", input) };
}

describe("settleRefund", () => {
  it.each(["ABNORMAL", "FAILED"] as const)(
    "records who paid the customer of a %s refund, and how",
    async (status) => {
      const { settled, reported, lastEvent } = openFixture(status);
      expect((await orThrow(settled())).status).toBe("SETTLED");
      expect(lastEvent()).toMatchObject({
        type: "REFUND_SETTLED",
        actor: "operator:kim",
        reason: "in cash",
        details: '{"amount":200}',
        alarm: false,
      });
      expect(reported.at(-1)).toBe("refund-1 SETTLED 200");
    },
  );

  it.each(["ABNORMAL", "FAILED"] as const)(
    "records nothing if the wallet has made the refund that is %s in Tillkit",
    async (status) => {
      const { settled, taken } = openFixture(status, { queryRefund: () => okAsync(stating("CONFIRMED")) });
      expect((await settled())._unsafeUnwrapErr()).toEqual({
        name: "refund.status-conflict",
        status: "CONFIRMED",
      });
      expect(taken.slice(0, 2)).toEqual(["book order-1-refund-1", "confirmed"]);
    },
  );

  it("records nothing while the wallet processes a refund that is FAILED in Tillkit", async () => {
    const { settled, held: stored } = openFixture("FAILED", {
      queryRefund: () => okAsync(stating("PROCESSING")),
    });
    expect((await settled())._unsafeUnwrapErr()).toEqual({ name: "refund.outcome-unknown" });
    expect(stored().status).toBe("FAILED");
  });

  it("records the settlement even if the wallet does not answer", async () => {
    const { settled } = openFixture("ABNORMAL", { queryRefund: () => errAsync(LOST) });
    expect((await orThrow(settled())).status).toBe("SETTLED");
  });

  it("changes nothing the second time, and calls no wallet", async () => {
    const { settled, reported, taken } = openFixture("SETTLED");
    expect((await orThrow(settled())).status).toBe("SETTLED");
    expect(reported).toEqual([]);
    expect(taken).toEqual(["settled"]);
  });

  it("passes an audit entry to the store only if the origin of the command is given", async () => {
    const audits: unknown[] = [];
    const { ports } = openFixture(
      "ABNORMAL",
      {},
      {
        settle: (_key, _refundNo, _settlement, audit) => {
          audits.push(audit);
          return okAsync(undefined);
        },
      },
    );
    await settleRefund(ports, "app_1", input, { from: "cli", traceId: "" });
    await settleRefund(ports, "app_1", input);
    expect(audits).toEqual([
      {
        at: ports.clock.now(),
        operator: "kim",
        reason: "in cash",
        from: "cli",
        traceId: "",
        action: "refund.settle",
        outcome: "done",
        subject: "order:app_1/b-1",
        appId: "app_1",
        detail: '{"refundNo":"refund-1","amount":200}',
      },
      undefined,
    ]);
  });

  it.each(["ABNORMAL", "SENT"] as const)(
    "records nothing while the wallet processes a refund that is %s in Tillkit",
    async (status) => {
      const { settled, taken } = openFixture(status, { queryRefund: () => okAsync(stating("PROCESSING")) });
      for (let times = 0; times < 2; times += 1)
        expect((await settled())._unsafeUnwrapErr()).toEqual({
          name: "refund.status-conflict",
          status: "SENT",
        });
      expect(taken).not.toContain("settled");
    },
  );

  it("requires time and evidence if the wallet has no record of a refund that it had accepted", async () => {
    const start = { ...requested, status: "SENT", walletRefundNo: "5030" } as const;
    const { ports, held: stored } = openRefundFixture({}, { start });
    const evidence = { ...input, evidence: "console, line 3" };
    expect((await settleRefund(ports, "app_1", evidence))._unsafeUnwrapErr()).toEqual({
      name: "refund.outcome-unknown",
    });
    const overdue = { ...ports, policy: { ...ports.policy, refundOverdue: 0 } };
    expect((await settleRefund(overdue, "app_1", input))._unsafeUnwrapErr()).toEqual({
      name: "parameter.missing",
      parameter: "evidence",
    });
    expect(stored().status).toBe("SENT");
    expect((await orThrow(settleRefund(overdue, "app_1", evidence))).status).toBe("SETTLED");
  });

  it("ends a refund that the wallet has not accepted and does not have", async () => {
    const { settled } = openFixture("SENT");
    expect((await orThrow(settled())).status).toBe("SETTLED");
  });

  it("fails if the storage fails", async () => {
    const broken = { name: "storage.unavailable" } as const;
    const confirming = { queryRefund: () => okAsync(stating("CONFIRMED")) };
    const { settled, taken } = openFixture("FAILED", confirming, { confirm: () => errAsync(broken) });
    expect((await settled())._unsafeUnwrapErr()).toEqual(broken);
    expect(taken).not.toContain("settled");
  });

  it("fails if the refund disappears in the meantime", async () => {
    const { settled } = openFixture("FAILED", {}, { settle: () => okAsync(undefined) });
    expect((await settled())._unsafeUnwrapErr()).toEqual({ name: "refund.not-found" });
  });
});
