import { orThrow } from "@tillkit/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { emptiedHost } from "../testing/cli.js";
import { openSandboxShop } from "../testing/sandbox-shop.js";

const openHost = emptiedHost();

const reconciled = z.object({ bills: z.array(z.object({ payChannel: z.string() }).catchall(z.unknown())) });
const listed = z.object({
  exceptions: z.array(
    z
      .object({ kind: z.string(), outTradeNo: z.string(), day: z.string() })
      .transform(({ kind, outTradeNo, day }) => `${kind} ${outTradeNo} ${day}`),
  ),
});

it("records a lost payment of a day at both wallets, lists a difference of a bill, and closes it when the bill is corrected", async () => {
  const { ask, appId, order, paid, refund, faults, dayGoesBy, bills, tillkit, io } =
    await openSandboxShop(openHost);
  // Starts at noon, so that no later step crosses midnight by itself.
  dayGoesBy();
  const shown = await paid("WALLET_A", "a-shown");
  await paid("WALLET_A", "a-refunded");
  await faults({ walletA: { notify: "drop" } });
  await refund("a-refunded", 150);
  await order("WALLET_A", "a-open");
  const dear = await paid("WALLET_B", "b-dear");
  await paid("WALLET_B", "b-refunded");
  await refund("b-refunded", 600);
  await faults({ walletB: { notify: "drop" } });
  await paid("WALLET_A", "a-lost");
  await paid("WALLET_B", "b-lost");
  const day = dayGoesBy();

  await faults({ walletA: { billFile: "missing-line" }, walletB: { billFile: "wrong-amount" } });
  // WeChat Pay finished the refund after Tillkit requested it, and its notification was lost.
  expect(reconciled.parse(await bills(["reconcile"], 1)).bills).toMatchObject([
    { day, compared: true, totals: { payments: 2, refunds: 1, refundAmount: 150 }, open: 1, healed: 2 },
    {
      day,
      compared: true,
      totals: { payments: 3, paymentAmount: 1_900, refundAmount: 600 },
      open: 2,
      healed: 1,
    },
  ]);
  for (const bizNo of ["a-lost", "b-lost"]) {
    const found = await ask(["orders", "find", "--app", appId, "--biz-no", bizNo]);
    expect(found).toMatchObject({ orders: [{ paymentStatus: "PAID" }] });
  }
  // The account of the second wallet received the amount that the order was created for.
  const open = [
    `PAYMENT_NOT_THERE ${shown.id} ${day}`,
    `PAYMENT_AMOUNT ${dear.id} ${day}`,
    `MOVEMENT_AMOUNT ${dear.id} ${day}`,
  ];
  expect(listed.parse(await bills(["exceptions"], 1)).exceptions.toSorted()).toEqual(open.toSorted());
  const { stdout } = await tillkit(["bills", "exceptions"], io);
  expect(stdout).toMatch(new RegExp(`PAYMENT_AMOUNT +${dear.id} +¥7\\.00 +¥6\\.00 +PAID +b-dear `));

  await faults({ walletA: null, walletB: null });
  expect(reconciled.parse(await bills(["reconcile", "--date", day], 0)).bills).toMatchObject([
    { totals: { payments: 3 }, open: 0, healed: 0, gone: 1 },
    { totals: { payments: 3, paymentAmount: 1_800 }, open: 0, healed: 0, gone: 2 },
  ]);
  // The payments that were recorded today belong to yesterday's bill, so today's bill has no
  // differences.
  dayGoesBy();
  expect(reconciled.parse(await bills(["reconcile"], 0)).bills).toMatchObject([{ open: 0 }, { open: 0 }]);
  expect(listed.parse(await bills(["exceptions"], 0)).exceptions).toEqual([]);
}, 600_000);

it("does not compare a bill that was changed in transit, and compares the other bill", async () => {
  const { paid, faults, dayGoesBy, bills } = await openSandboxShop(openHost);
  dayGoesBy();
  await paid("WALLET_A", "a-1");
  const known = await paid("WALLET_B", "b-1");
  dayGoesBy();
  await faults({ walletA: { billFile: "tampered-drop" }, walletB: { billFile: "extra-line" } });
  expect(reconciled.parse(await bills(["reconcile"], 1)).bills).toMatchObject([
    { payChannel: "WALLET_A", compared: false, failure: { name: "wallet.unknown", cause: "unverified" } },
    { payChannel: "WALLET_B", compared: true, open: 2 },
  ]);
  const { exceptions } = listed.parse(await bills(["exceptions"], 1));
  expect(exceptions.toSorted()).toEqual([
    expect.stringMatching(/^MOVEMENT_MISSING 01K/),
    expect.stringMatching(/^PAYMENT_NOT_HERE 01K/),
  ]);
  expect(exceptions.join()).not.toContain(known.id);
  await faults({ walletA: { billFile: "not-ready" }, walletB: null });
  expect(reconciled.parse(await bills(["reconcile"], 5)).bills).toMatchObject([
    { compared: false, failure: { reason: "not-ready" } },
    { compared: true, open: 0, gone: 2 },
  ]);
}, 600_000);

it("compares bills with goods titles that look like several fields, and the fees of both wallets", async () => {
  const { order, refund, sandbox, faults, dayGoesBy, bills } = await openSandboxShop(openHost);
  dayGoesBy();
  for (const [payChannel, bizNo] of [
    ["WALLET_A", "a-odd"],
    ["WALLET_B", "b-odd"],
  ] as const) {
    const odd = await order(payChannel, bizNo, { goodsTitle: "a,`b, `0.60%,`1.00" });
    await orThrow(sandbox.simulatorControls.pay(odd.id));
    const plain = await order(payChannel, `${bizNo}-plain`);
    await orThrow(sandbox.simulatorControls.pay(plain.id));
    await refund(`${bizNo}-plain`, 200);
  }
  const day = dayGoesBy();
  const figures = { payments: 2, paymentAmount: 1_200, refunds: 1, refundAmount: 200 };
  expect(reconciled.parse(await bills(["reconcile"], 0)).bills).toMatchObject([
    { day, totals: { payments: 2, fees: 7 }, open: 0, flow: { figures: { ...figures, fees: 7, net: 993 } } },
    { day, totals: { payments: 2, fees: 8 }, open: 0, flow: { figures: { ...figures, fees: 8, net: 992 } } },
  ]);
  await faults({ walletA: { flowFile: "wrong-fee" }, walletB: { billFile: "unreadable-line" } });
  expect(reconciled.parse(await bills(["reconcile"], 1)).bills).toMatchObject([
    { open: 1 },
    { totals: { payments: 1, unreadable: { lines: 1, paymentAmount: 600 } }, open: 2 },
  ]);
  const kinds = listed.parse(await bills(["exceptions"], 1)).exceptions.map((text) => text.split(" ")[0]);
  expect(kinds.toSorted()).toEqual(["FEE_AMOUNT", "LINE_MISSING", "UNREADABLE_LINE"]);
  await faults({
    walletA: { flowFile: "no-permission" },
    walletB: { flowFile: "wrong-balance", billFile: null },
  });
  expect(reconciled.parse(await bills(["reconcile"], 1)).bills).toMatchObject([
    { open: 0, gone: 0, flow: { kind: "not-read", failure: { name: "wallet.rejected" } } },
    { open: 1, gone: 2 },
  ]);
  await faults({ walletA: null, walletB: null });
  expect(reconciled.parse(await bills(["reconcile"], 0)).bills).toMatchObject([{ gone: 1 }, { gone: 1 }]);
}, 600_000);
