import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { openShop, REASON } from "../testing/shop.js";

const openHost = emptiedHost();
const alarmsAnswer = z.object({ alarms: z.array(z.looseObject({ seq: z.number() })) });

/** Opens a shop with a refund that waits for funds. */
async function shopInNeed() {
  const shop = await openShop(openHost);
  const { appId, wallet, openWallets, order, tillkit } = shop;
  wallet.pay(await order("b-1"));
  await tillkit(["orders", "sync", "--app", appId, "b-1"], { openWallets });
  wallet.setOutOfFunds(true);
  const refund = ["orders", "refund", "--app", appId, "b-1", "--all", "--refund-no", "case-17", ...REASON];
  expect((await tillkit(refund, { openWallets })).code).toBe(1);
  return shop;
}

describe("alarms", () => {
  it("are listed until they are acknowledged, and a second acknowledgement is refused", async () => {
    const { appId, ask, tillkit } = await shopInNeed();
    const listed = alarmsAnswer.parse(await ask(["alarms", "list"], { code: 1 }));
    expect(listed.alarms).toMatchObject([
      { appId, bizNo: "b-1", type: "REFUND_WAITING_FOR_FUNDS", refundNo: "case-17" },
    ]);
    expect((await tillkit(["alarms", "list", "--app", appId])).stdout).toMatch(
      /b-1 +REFUND_WAITING_FOR_FUNDS/,
    );
    expect(await ask(["alarms", "list", "--app", "other"])).toEqual({ alarms: [] });
    const acknowledge = ["alarms", "acknowledge", "--app", appId, "b-1", ...REASON];
    const before = [...acknowledge, "--seen", String((listed.alarms[0]?.seq ?? 0) - 1)];
    expect(await ask(before, { code: 1 })).toMatchObject({ error: { name: "alarm.not-open" } });
    expect(await ask(acknowledge)).toEqual({ acknowledged: { appId, bizNo: "b-1" } });
    expect(await ask(["alarms", "list"])).toEqual({ alarms: [] });
    expect(await ask(acknowledge, { code: 1 })).toMatchObject({ error: { name: "alarm.not-open" } });
    const unknown = ["alarms", "acknowledge", "--app", appId, "none", ...REASON];
    expect(await ask(unknown, { code: 1 })).toMatchObject({ error: { name: "order.not-found" } });
  });
});

describe("status", () => {
  it("shows what waits for a person with the command that shows it, and ends with 1", async () => {
    const { ask, tillkit, openWallets } = await shopInNeed();
    expect(await ask(["status"], { openWallets, code: 1 })).toMatchObject({
      alarms: [{ type: "REFUND_WAITING_FOR_FUNDS", count: 1 }],
      refunds: [{ status: "WAITING_FOR_FUNDS", count: 1 }],
      approvals: 0,
      exceptions: [],
    });
    const { stdout } = await tillkit(["status"], { openWallets });
    expect(stdout).toMatch(/1 +orders with the alarm REFUND_WAITING_FOR_FUNDS +tillkit alarms list/);
    expect(stdout).toMatch(/WALLET_A +1 +¥6\.00 +0 +¥0\.00/);
  });

  it("counts an order that waits for its payment, and prints none of its data", async () => {
    const { ask, order, openWallets } = await openShop(openHost);
    await order("b-1");
    const shown = z.object({ today: z.looseObject({}) }).parse(await ask(["status"], { openWallets }));
    expect(shown.today["pending"]).toEqual({ count: 1 });
    expect(JSON.stringify(shown)).not.toMatch(/user-1|b-1|Month/);
  });

  it("ends with 0 if nothing waits", async () => {
    const { ask, tillkit, openWallets } = await openShop(openHost);
    expect(await ask(["status"], { openWallets })).toMatchObject({
      alarms: [],
      refunds: [],
      credentials: [],
    });
    expect((await tillkit(["status"], { openWallets })).stdout).toContain("Nothing waits.");
  });
});
