import {
  findTimelineBreak,
  configurePayTool,
  createApp,
  orThrow,
  type PayChannel,
  type Refund,
  type TimelineEvent,
} from "@tillkit/core";
import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { notificationsRouter } from "@tillkit/express";
import { otherWalletKeys, testWalletKeys } from "@tillkit/test-keys";
import express from "express";
import { describe, expect, it } from "vitest";
import type { Delivery } from "../notification-dispatcher.js";
import { publicKeys, type SandboxKeys } from "../keys.js";
import { merchantOf } from "../merchant.js";
import { sandboxPayTools } from "../pay-tools.js";
import { envelope } from "../testing/json.js";
import { listening } from "../testing/listening.js";
import {
  formOf,
  forgeWalletANotification,
  forgeWalletBNotification,
  withOtherByte,
} from "../testing/notifications.js";
import {
  storedOrder,
  MINUTE,
  openFixture,
  order,
  advanceInSteps,
  reconcile,
  refund,
  SECOND,
  type TestFixture,
} from "../testing/fixture.js";

/** The material of a forgery: a genuine notification of the order, and one of another order. */
interface Truth {
  readonly genuine: Delivery;
  readonly ofAnother: Delivery;
  /** Another merchant of this host, with its own wallet keys: the pay tool's id, and the keys. */
  readonly neighbour: { readonly payToolId: string; readonly keys: SandboxKeys };
  readonly now: number;
  /** Posts a notification over HTTP, unchanged. */
  readonly post: (delivery: Delivery) => Promise<{ readonly status: number; readonly body: string }>;
}

/** A notification that the service must refuse, with the reason and the alarm, if any. */
type Lie = readonly [
  name: string,
  tell: (truth: Truth) => Delivery | Promise<Delivery>,
  reason: string,
  alarm?: TimelineEvent["type"],
];

const header = ({ headers, ...rest }: Delivery, name: string, value: string): Delivery => ({
  ...rest,
  headers: { ...headers, [`wechatpay-${name}`]: value },
});
const headerless = ({ headers, ...rest }: Delivery, name: string): Delivery => ({
  ...rest,
  headers: Object.fromEntries(Object.entries(headers).filter(([known]) => known !== `wechatpay-${name}`)),
});
/** A genuine notification, sent to the URL of another order. */
const misdirected = ({ genuine, ofAnother }: Truth): Delivery => ({ ...ofAnother, url: genuine.url });
/** The URL of a pay tool that does not exist. */
const toUnknownOrder = ({ genuine }: Truth): Delivery => ({
  ...genuine,
  url: genuine.url.replace(/(WALLET_[AB]\/)[^/]+/, "$1nobody"),
});
/** The URL of an order that does not exist. */
const toNoOrder = ({ genuine }: Truth): Delivery => ({
  ...genuine,
  url: genuine.url.replace(/[^/]+$/, "bm8"),
});

/** The URL of another merchant's pay tool. */
const toNeighbour = (delivery: Delivery, { neighbour }: Truth): Delivery => ({
  ...delivery,
  url: delivery.url.replace(/(WALLET_[AB]\/)[^/]+/, `$1${neighbour.payToolId}`),
});

const FORGED_A: readonly Lie[] = [
  [
    "signed for another merchant",
    ({ genuine, now, neighbour: { keys } }) => forgeWalletANotification(genuine, { keys, at: now }),
    "unverified",
  ],
  [
    "signed for another merchant, at its address",
    async (truth) => {
      const { genuine, now, neighbour } = truth;
      return toNeighbour(await forgeWalletANotification(genuine, { keys: neighbour.keys, at: now }), truth);
    },
    "unknown-order",
  ],
  ["at the address of another merchant", (truth) => toNeighbour(truth.genuine, truth), "unverified"],
  [
    "with all headers of another message",
    ({ genuine, ofAnother }) => ({ ...genuine, headers: { ...genuine.headers, ...ofAnother.headers } }),
    "unverified",
  ],
  [
    "with a second signature after its own",
    ({ genuine }) => {
      const signature = genuine.headers["wechatpay-signature"] ?? "";
      return header(genuine, "signature", `${signature}, ${signature}`);
    },
    "unverified",
  ],
  [
    "forged with an unknown key",
    ({ genuine, now }) => forgeWalletANotification(genuine, { signing: "forged-certificate", at: now }),
    "unverified",
  ],
  [
    "forged with the id of the downloaded key",
    ({ genuine, now }) => forgeWalletANotification(genuine, { signing: "forged-public-key", at: now }),
    "unverified",
  ],
  [
    "signed by an unknown key",
    ({ genuine, now }) => forgeWalletANotification(genuine, { signing: "retired", at: now }),
    "unverified",
  ],
  ["with the id of an unknown key", ({ genuine }) => header(genuine, "serial", "PUB_KEY_ID_0"), "unverified"],
  ["with a byte appended", ({ genuine }) => ({ ...genuine, body: `${genuine.body} ` }), "unverified"],
  ["with another nonce", ({ genuine }) => header(genuine, "nonce", "another"), "unverified"],
  [
    "with another time",
    ({ genuine, now }) => header(genuine, "timestamp", String(now / SECOND + 1)),
    "unverified",
  ],
  ["without a signature", ({ genuine }) => headerless(genuine, "signature"), "malformed"],
  ["without a key id", ({ genuine }) => headerless(genuine, "serial"), "malformed"],
  [
    "with another kind of signature",
    ({ genuine }) => header(genuine, "signature-type", "WECHATPAY2-SHA1-RSA"),
    "malformed",
  ],
  [
    "from 301 seconds ago",
    ({ genuine, now }) => forgeWalletANotification(genuine, { at: now - 301 * SECOND }),
    "stale",
  ],
  [
    "from 301 seconds ahead",
    ({ genuine, now }) => forgeWalletANotification(genuine, { at: now + 301 * SECOND }),
    "stale",
  ],
  ["that is a probe", ({ genuine }) => header(genuine, "signature", "WECHATPAY/SIGNTEST/c2ln"), "probe"],
  [
    "with changed ciphertext, signed",
    ({ genuine, now }) =>
      forgeWalletANotification(genuine, {
        resource: ({ ciphertext }) => ({ ciphertext: withOtherByte(ciphertext, 3) }),
        at: now,
      }),
    "unverified",
  ],
  [
    "with a changed tag, signed",
    ({ genuine, now }) =>
      forgeWalletANotification(genuine, {
        resource: ({ ciphertext }) => ({ ciphertext: withOtherByte(ciphertext, -1) }),
        at: now,
      }),
    "unverified",
  ],
  [
    "with other associated data, signed",
    ({ genuine, now }) =>
      forgeWalletANotification(genuine, { resource: () => ({ associated_data: "other" }), at: now }),
    "unverified",
  ],
  [
    "encrypted with another key, signed",
    ({ genuine, now }) => forgeWalletANotification(genuine, { apiV3Key: "0".repeat(32), at: now }),
    "unverified",
  ],
  [
    "with the ciphertext of another order, unsigned",
    ({ genuine, ofAnother }) => {
      const { ciphertext } = envelope(genuine.body).resource;
      const other = envelope(ofAnother.body).resource.ciphertext;
      return { ...genuine, body: genuine.body.replace(ciphertext, other) };
    },
    "unverified",
  ],
  ["that is not JSON", ({ genuine }) => ({ ...genuine, body: "<xml/>" }), "unverified"],
  ["of another order", misdirected, "unknown-order"],
  ["for an unknown account", toUnknownOrder, "unknown-account"],
  ["for an unknown order", toNoOrder, "unknown-order"],
];

const factsA =
  (facts: Readonly<Record<string, unknown>>) =>
  ({ genuine, now }: Truth) =>
    forgeWalletANotification(genuine, { facts, at: now });

const LIES_A: Readonly<Record<"payment" | "refund", readonly Lie[]>> = {
  payment: [
    ...FORGED_A,
    ["with one cent less", factsA({ amount: { total: 599, currency: "CNY" } }), "mismatch", "MISMATCH"],
    ["in another currency", factsA({ amount: { total: 600, currency: "USD" } }), "mismatch", "MISMATCH"],
    ["without an amount", factsA({ amount: undefined }), "mismatch", "MISMATCH"],
    ["of another app", factsA({ appid: "wx0000000000000000" }), "mismatch", "MISMATCH"],
    ["of another merchant", factsA({ mchid: "1900000001" }), "mismatch", "MISMATCH"],
    ["about an unknown order number", factsA({ out_trade_no: "NOTOURS" }), "unknown-order"],
  ],
  refund: [
    ...FORGED_A,
    ["with one cent more", factsA({ amount: { total: 600, refund: 201 } }), "mismatch", "MISMATCH"],
    ["of another merchant", factsA({ mchid: "1900000001" }), "mismatch", "MISMATCH"],
    ["about an unknown refund", factsA({ out_refund_no: "NOTOURS" }), "mismatch", "UNKNOWN_REFUND"],
    ["about an unknown order number", factsA({ out_trade_no: "NOTOURS" }), "unknown-order"],
  ],
};

const changedB =
  (changes: Readonly<Record<string, string>>) =>
  ({ genuine }: Truth) =>
    forgeWalletBNotification(genuine, changes);
/** Changes the body after it was signed. */
const spoiltB =
  (change: (body: string) => string) =>
  ({ genuine }: Truth): Delivery => ({ ...genuine, body: change(genuine.body) });

const LIES_B: readonly Lie[] = [
  [
    "signed for another merchant",
    ({ genuine, neighbour: { keys } }) =>
      forgeWalletBNotification(genuine, {}, { key: keys.walletB.wallet.privateKey }),
    "unverified",
  ],
  [
    "signed for another merchant, at its address",
    (truth) => {
      const key = truth.neighbour.keys.walletB.wallet.privateKey;
      return toNeighbour(forgeWalletBNotification(truth.genuine, {}, { key }), truth);
    },
    "unknown-order",
  ],
  ["at the address of another merchant", (truth) => toNeighbour(truth.genuine, truth), "unverified"],
  [
    "with another state",
    spoiltB((body) => body.replace(/trade_status=[A-Z_]+/, "trade_status=TRADE_FINISHED")),
    "unverified",
  ],
  [
    "forged with an unknown key",
    ({ genuine }) => forgeWalletBNotification(genuine, {}, { key: testWalletKeys.retired.privateKey }),
    "unverified",
  ],
  [
    "signed and declared with SHA-1",
    ({ genuine }) => forgeWalletBNotification(genuine, { sign_type: "RSA" }, { digest: "RSA-SHA1" }),
    "unverified",
  ],
  [
    "signed with SHA-1",
    ({ genuine }) => forgeWalletBNotification(genuine, {}, { digest: "RSA-SHA1" }),
    "unverified",
  ],
  [
    "with another amount",
    spoiltB((body) => body.replace("total_amount=6.00", "total_amount=5.99")),
    "unverified",
  ],
  ["with another subject", spoiltB((body) => body.replace("subject=Thirty", "subject=Forty")), "unverified"],
  ["with an additional parameter", spoiltB((body) => `${body}&mdiscount_amount=0.00`), "unverified"],
  ["with a missing parameter", spoiltB((body) => body.replace(/&trade_no=\d+/, "")), "unverified"],
  ["with a parameter twice", spoiltB((body) => `${body}&total_amount=6.00`), "malformed"],
  ["without a signature", spoiltB((body) => body.replace(/&sign=[^&]+/, "")), "malformed"],
  ["with an empty signature", spoiltB((body) => body.replace(/&sign=[^&]+/, "&sign=")), "malformed"],
  ["that is not a form", spoiltB(() => "%"), "malformed"],
  ["of another order", misdirected, "unknown-order"],
  ["for an unknown account", toUnknownOrder, "unknown-account"],
  ["for an unknown order", toNoOrder, "unknown-order"],
  ["with one cent less", changedB({ total_amount: "5.99" }), "mismatch", "MISMATCH"],
  ["of another app", changedB({ app_id: "2014072300007149" }), "mismatch", "MISMATCH"],
  ["of another seller", changedB({ seller_id: "2088102119685839" }), "mismatch", "MISMATCH"],
  ["about an unknown order number", changedB({ out_trade_no: "NOTOURS" }), "unknown-order"],
];

const REFUSED = {
  WALLET_A: { status: 401, body: '{"code":"FAIL","message":"not taken"}' },
  WALLET_B: { status: 200, body: "fail" },
} as const;
const TAKEN = { WALLET_A: { status: 204, body: "" }, WALLET_B: { status: 200, body: "success" } } as const;

const FORGERIES = [
  ["WALLET_A", "payment", LIES_A.payment],
  ["WALLET_A", "refund", LIES_A.refund],
  ["WALLET_B", "payment", LIES_B],
  ["WALLET_B", "refund", LIES_B],
] as const;

for (const [payChannel, about, lies] of FORGERIES)
  describe(`a notification by ${payChannel} of a ${about}`, () => {
    for (const [name, deliver, reason, alarm] of lies)
      it(`${name} is rejected, and the genuine one counts`, async () => {
        const fixture = await openFixture();
        const truth = await (about === "payment"
          ? payments(fixture, payChannel)
          : refunds(fixture, payChannel));
        const lie = await deliver(truth);
        const before = await everything(fixture);
        const delivered = fixture.serviceEvents.length;

        // A repeated forgery raises no second alarm.
        for (const _ of [1, 2]) expect(await truth.post(lie)).toMatchObject(REFUSED[payChannel]);
        const after = await everything(fixture);
        const refused = { type: "notification.refused", payChannel, reason };
        const alarmed = { type: "order.alarm", event: alarm };
        // Tillkit queries the wallet about a refund that it does not know.
        const events = fixture.serviceEvents.slice(delivered).filter(({ type }) => type !== "wallet.called");
        expect(events).toMatchObject(alarm === undefined ? [refused, refused] : [alarmed, refused, refused]);
        const news = after.timeline.slice(before.timeline.length);
        expect(news).toMatchObject(
          alarm === undefined ? [] : [{ type: alarm, alarm: true, actor: "wallet" }],
        );
        expect({ ...after, timeline: before.timeline }).toEqual(before);

        expect(await truth.post(truth.genuine)).toMatchObject(TAKEN[payChannel]);
        await reconcile(fixture.ports);
        await advanceInSteps(fixture, MINUTE, MINUTE);
        const end = await everything(fixture);
        expect(end.order).toMatchObject({
          paymentStatus: "PAID",
          refundedAmount: about === "payment" ? 0 : 200,
        });
        expect(findTimelineBreak(fixture.ports.digest, end.order.id, end.timeline)).toBeUndefined();
      });
  });

describe.each(["WALLET_A", "WALLET_B"] as const)("a genuine notification by %s", (payChannel) => {
  it("is accepted 50 times concurrently over HTTP, and changes the order once", async () => {
    const fixture = await openFixture();
    const { genuine, post } = await payments(fixture, payChannel);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(genuine)));
    for (const answer of answers) expect(answer).toMatchObject(TAKEN[payChannel]);
    const { order: paid, timeline, services } = await everything(fixture);
    expect(paid).toMatchObject({ paymentStatus: "PAID" });
    expect(timeline.map(({ type }) => type)).toEqual(["CREATED", "PAID"]);
    expect(services).toHaveLength(1);
  });
});

// A TRADE_CLOSED notification of WALLET_B with a payment time means a paid and refunded trade.
it.each([
  ["WALLET_A", "NOTPAY", "PENDING"],
  ["WALLET_A", "USERPAYING", "PENDING"],
  ["WALLET_A", "CLOSED", "CLOSE"],
  ["WALLET_B", "WAIT_BUYER_PAY", "PENDING"],
  ["WALLET_B", "TRADE_CLOSED", "PAID"],
] as const)(
  "a notification by %s of %s leaves the order %s, and a payment still counts",
  async (payChannel, state, status) => {
    const fixture = await openFixture();
    const { genuine, now, post } = await payments(fixture, payChannel);
    const other =
      payChannel === "WALLET_A"
        ? await forgeWalletANotification(genuine, { facts: { trade_state: state }, at: now })
        : forgeWalletBNotification(genuine, { trade_status: state });
    for (const _ of [1, 2]) expect(await post(other)).toMatchObject(TAKEN[payChannel]);
    expect((await everything(fixture)).order.paymentStatus).toBe(status);
    for (const _ of [1, 2]) expect(await post(genuine)).toMatchObject(TAKEN[payChannel]);
    const { order: paid, services } = await everything(fixture);
    expect([paid.paymentStatus, services.length]).toEqual(["PAID", 1]);
  },
);

describe("a notification by WALLET_B", () => {
  it("is accepted at any age, because the wallet repeats it for a day", async () => {
    const fixture = await openFixture();
    const { genuine } = await payments(fixture, "WALLET_B");
    await fixture.advance(25 * 60 * MINUTE);
    expect(await fixture.post(genuine)).toMatchObject(TAKEN.WALLET_B);
    expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "PAID" });
  });

  it("is verified with SHA-256 for any sign_type", async () => {
    const fixture = await openFixture();
    const { genuine } = await payments(fixture, "WALLET_B");
    expect(formOf(genuine)["sign_type"]).toBe("RSA2");
    expect(await fixture.post(forgeWalletBNotification(genuine, { sign_type: "RSA" }))).toMatchObject(
      TAKEN.WALLET_B,
    );
  });
});

it.each([
  ["WALLET_A", ["x-note: 1", "x-note: 2"]],
  ["WALLET_B", ["&note=", "&note=&other=", "&alipay_cert_sn=1", "&alipay_cert_sn=2&note="]],
] as const)(
  "a notification by %s of a wrong amount raises one alarm, for any unsigned parts",
  async (payChannel, additions) => {
    const fixture = await openFixture();
    const { genuine, now, post } = await payments(fixture, payChannel);
    const amount = { total: 599, currency: "CNY" };
    const lie =
      payChannel === "WALLET_A"
        ? await forgeWalletANotification(genuine, { facts: { amount }, at: now })
        : forgeWalletBNotification(genuine, { total_amount: "5.99" });
    const variants = additions.map((addition) => {
      if (payChannel === "WALLET_B") return { ...lie, body: `${lie.body}${addition}` };
      const [name = "", value = ""] = addition.split(": ");
      return { ...lie, headers: { ...lie.headers, [name]: value } };
    });
    for (const one of [lie, ...variants, lie]) expect(await post(one)).toMatchObject(REFUSED[payChannel]);
    const { timeline } = await everything(fixture);
    expect(timeline.filter(({ alarm }) => alarm)).toMatchObject([{ type: "MISMATCH" }]);
    expect(fixture.serviceEvents.filter(({ type }) => type === "order.alarm")).toHaveLength(1);
  },
);

describe("a notification by WALLET_A", () => {
  it("is accepted up to 300 seconds after its time", async () => {
    const fixture = await openFixture();
    const { genuine, now } = await payments(fixture, "WALLET_A");
    expect(
      await fixture.post(await forgeWalletANotification(genuine, { at: now - 300 * SECOND })),
    ).toMatchObject(TAKEN.WALLET_A);
    expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "PAID" });
  });

  it("of a payment with a coupon counts for the whole amount, although the customer paid less", async () => {
    const fixture = await openFixture();
    const { genuine, now } = await payments(fixture, "WALLET_A");
    const amount = { total: 600, payer_total: 1, currency: "CNY", payer_currency: "CNY" };
    expect(
      await fixture.post(await forgeWalletANotification(genuine, { facts: { amount }, at: now })),
    ).toMatchObject(TAKEN.WALLET_A);
    expect(await storedOrder(fixture, "b")).toMatchObject({ paymentStatus: "PAID" });
  });
});

/** Creates two paid orders whose notifications have not reached the service. */
async function payments(fixture: TestFixture, payChannel: PayChannel): Promise<Truth> {
  fixture.hold(true);
  const numbers: string[] = [];
  for (const bizNo of ["other", "b"]) {
    const { order: made } = await expectOk(
      order(fixture, bizNo, { payChannel, serviceTypeNo: fixture.serviceTypeNo }),
    );
    numbers.push(made.id);
  }
  for (const number of numbers) await orThrow(fixture.sandbox.simulatorControls.pay(number));
  return lastTwo(fixture);
}

/** Creates two orders with a refund each, whose outcomes have not reached the service. */
async function refunds(fixture: TestFixture, payChannel: PayChannel): Promise<Truth> {
  for (const bizNo of ["other", "b"]) {
    const { order: made } = await expectOk(order(fixture, bizNo, { payChannel }));
    expect(await orThrow(fixture.sandbox.simulatorControls.pay(made.id))).toMatchObject({
      notified: true,
    });
  }
  fixture.hold(true);
  const fault = { refund: "unsigned" } as const;
  await fixture.faults(payChannel === "WALLET_A" ? { walletA: fault } : { walletB: fault });
  for (const bizNo of ["other", "b"]) await expectFailure(refund(fixture, bizNo, "r-1", 200));
  await fixture.faults({ walletA: null, walletB: null });
  await fixture.advance(SECOND);
  return lastTwo(fixture);
}

/** Returns the last notification of each of the two orders. They may be sent at the same time. */
async function lastTwo(fixture: TestFixture): Promise<Truth> {
  const reportOf = async (bizNo: string) => {
    const { notifyUrl } = await storedOrder(fixture, bizNo);
    return (
      fixture.sent.findLast(({ url }) => url === notifyUrl) ??
      expect.fail(`no notification was sent about ${bizNo}`)
    );
  };
  const [ofAnother, genuine] = [await reportOf("other"), await reportOf("b")];
  fixture.hold(false);
  const now = fixture.sandbox.clock.now();
  const payChannel = (await storedOrder(fixture, "b")).payChannel;
  return {
    genuine,
    ofAnother,
    now,
    neighbour: await neighbourOf(fixture, payChannel),
    post: await overHttp(fixture),
  };
}

/** Creates another app of the same host, whose merchant has other keys. */
async function neighbourOf({ ports }: TestFixture, payChannel: PayChannel): Promise<Truth["neighbour"]> {
  const { app } = await expectOk(createApp(ports, { name: "Neighbour" }));
  const tool = sandboxPayTools(merchantOf(otherWalletKeys), publicKeys(otherWalletKeys))[payChannel];
  const { payTool } = await expectOk(configurePayTool(ports, app.appId, tool));
  return { payToolId: payTool.id, keys: otherWalletKeys };
}

/** Serves the notification endpoints over HTTP. */
async function overHttp({ ports }: TestFixture): Promise<Truth["post"]> {
  const baseUrl = await listening(express().use("/wallets", notificationsRouter(ports)));
  return async ({ url, headers, body }) => {
    const path = url.slice(ports.notificationsUrl.length);
    const reply = await fetch(`${baseUrl}/wallets${path}`, { method: "POST", headers: { ...headers }, body });
    return { status: reply.status, body: await reply.text() };
  };
}

/** Returns everything that a notification of the order could change. */
async function everything({ ports, appId }: TestFixture) {
  const key = { appId, bizNo: "b" };
  const found = await expectOk(ports.orders.find(key));
  if (found === undefined) throw new Error("The order is gone.");
  const list: readonly Refund[] = await expectOk(ports.refunds.list(key));
  const timeline = await expectOk(ports.orders.timeline(key));
  const services = await expectOk(ports.services.list(appId, "of-b"));
  return { order: found, refunds: list, timeline, services };
}
