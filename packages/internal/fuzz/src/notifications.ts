import { alipayWallet } from "@tillkit/alipay";
import { type Order, type PayChannel, PAY_CHANNELS, type Wallet } from "@tillkit/core";
import {
  withConcurrencyLimit,
  type HttpReply,
  type HttpRequest,
  notificationsSurface,
  type Surface,
} from "@tillkit/core/http";
import { testClock } from "@tillkit/memory";
import { systemRandom } from "@tillkit/runtime";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { wechatPayWallet } from "@tillkit/wechat-pay";
import fc from "fast-check";
import { publicKeys } from "../../../sandbox/src/keys.js";
import { merchantOf } from "../../../sandbox/src/merchant.js";
import { sandboxPayTools } from "../../../sandbox/src/pay-tools.js";
import { openTargetBy, reportBroken, type FuzzTarget } from "./fuzz-target.js";
import { byteChanges } from "./byte-changes.js";
import { hostileJson, HOSTILE_NAMES, hostileText } from "./hostile.js";
import { expectNotFound } from "./not-found.js";
import { expectNoSecret } from "./payments-answers.js";
import {
  type Change,
  changed,
  changesOf,
  requestOf,
  type SpelledRequest,
  describeRequest,
} from "./requests.js";
import { type Signers, signersOf } from "./signed-notifications.js";
import {
  isSameNotification,
  generateNotification,
  type NotificationRequest,
} from "./wallet-notifications.js";
import { openFixture, type ServiceCopy, type TestFixture } from "./fixture.js";
import { bizNoOf, type OrderStage, ORDER_STAGES } from "./fixture-orders.js";

/** One notification, and its changes in transit. */
interface RequestStep extends NotificationRequest {
  readonly payChannel: PayChannel;
  /**
   * The state of the order that the notification reports.
   *
   * `to` is the state of the order whose URL gets the notification. Defaults to the reported order.
   */
  readonly about: OrderStage;
  readonly to: OrderStage | undefined;
  readonly onTheWay: readonly Change[];
}

/** The members of a notification that the service trusts. */
const FACTS = [
  "mchid",
  "appid",
  "out_trade_no",
  "trade_state",
  "amount",
  "success_time",
  "transaction_id",
  "out_refund_no",
  "refund_status",
  "refund_id",
  "app_id",
  "seller_id",
  "total_amount",
  "trade_status",
  "trade_no",
  "gmt_payment",
  "refund_fee",
  "gmt_refund",
  "sign_type",
  "alipay_cert_sn",
  ...HOSTILE_NAMES,
];
const VALUES = [
  '"REFUND.SUCCESS"',
  '"CLOSED"',
  '"TRADE_CLOSED"',
  '"TRADE_FINISHED"',
  '"0.01"',
  '"6.00"',
  '"6.001"',
  '"600"',
  '{"total":600,"currency":"CNY"}',
  '{"total":1,"currency":"CNY"}',
  '{"total":600,"currency":"USD"}',
  '{"total":600.5}',
  '{"total":"600"}',
  '{"total":600,"refund":200}',
  '{"total":600,"refund":-200}',
  '{"total":600,"refund":1e21}',
];
const HEADERS = [
  "wechatpay-timestamp",
  "wechatpay-nonce",
  "wechatpay-signature",
  "wechatpay-signature-type",
  "wechatpay-serial",
];

/**
 * Creates the target of the notification endpoints, with the adapters of both wallets.
 *
 * @param change - wraps or replaces the surface.
 * @param readers - replaces the adapters.
 */
export function notifications(
  change: (surface: Surface<string>) => Surface<string> = (surface) => surface,
  readers: Readonly<Record<PayChannel, Wallet>> = adapters(),
): FuzzTarget {
  return {
    name: "notifications",
    share: 25,
    open: async () => {
      const fixture = await openFixture({
        wallets: readers,
        payTools: sandboxPayTools(merchantOf(keys), publicKeys(keys)),
      });
      const signers = signersOf(keys);
      const few = { maxLength: 2 } as const;
      const rarely = <T>(arbitrary: fc.Arbitrary<readonly T[]>) =>
        fc.oneof({ weight: 3, arbitrary: fc.constant<readonly T[]>([]) }, { weight: 1, arbitrary });
      const step = fc.record<RequestStep>({
        payChannel: fc.constantFrom(...PAY_CHANNELS),
        about: fc.constantFrom(...ORDER_STAGES),
        to: fc.oneof(fc.constant(undefined), fc.constantFrom(...ORDER_STAGES)),
        kind: fc.constantFrom("payment", "refund"),
        facts: fc.array(
          fc.record({
            name: fc.constantFrom(...FACTS),
            json: fc.oneof(fc.constantFrom(...VALUES), hostileJson),
          }),
          few,
        ),
        text: rarely(byteChanges),
        envelope: rarely(byteChanges),
        onTheWay: fc.array(
          fc.oneof(
            changesOf([]),
            byteChanges.map((changes) => ({ kind: "bytes", changes }) as const),
            fc.record({ kind: fc.constant("header"), name: fc.constantFrom(...HEADERS), value: hostileText }),
          ),
          few,
        ),
      });
      return openTargetBy<readonly RequestStep[]>({
        cases: fc.array(step, { maxLength: 8, size: "max" }),
        requestsIn: (steps) => steps.length,
        play: (steps) => play(fixture, signers, steps, change),
        toText: (steps) => {
          const service = fixture.again();
          return steps.map((each) => describeRequest(sentAt(service, signers, each).request)).join("\n");
        },
      });
    },
  };
}

/**
 * Creates the adapters of both wallets, which read notifications and check accounts.
 *
 * No test case calls a wallet.
 */
export function adapters(): Readonly<Record<PayChannel, Wallet>> {
  const clock = testClock();
  return {
    WALLET_A: wechatPayWallet({ clock, random: systemRandom, gateways: { DEV: "http://127.0.0.1:9" } }),
    WALLET_B: alipayWallet({ clock, gateways: { DEV: "http://127.0.0.1:9/gateway.do" } }),
  };
}

async function play(
  fixture: TestFixture,
  signers: Signers,
  steps: readonly RequestStep[],
  change: (surface: Surface<string>) => Surface<string>,
): Promise<void> {
  const service = fixture.again();
  const { ports } = service;
  const surface = change(withConcurrencyLimit(ports, notificationsSurface(ports)));
  const secrets = [...fixture.secrets, keys.walletA.apiV3Key];
  for (const step of steps) {
    const { request, mayMove } = sentAt(service, signers, step);
    if (!surface.owns(request.method, request.path)) continue;
    const before = moneyIn(service);
    const reply = await surface.handle(request);
    expectNoSecret(reply, secrets);
    expectWalletAnswer(service, request, reply);
    if (mayMove || moneyIn(service) === before) continue;
    reportBroken("a false or changed notification changes nothing", { before, after: moneyIn(service) });
  }
}

const ADDRESS = /^\/notify\/WALLET_[AB]\/[0-9A-Za-z_-]{1,64}\/[0-9A-Za-z_-]+\/?$/;

/** Checks the response: the one that the wallet requires, the page for a browser, or 404. */
function expectWalletAnswer(
  { ports }: ServiceCopy,
  { method, path }: HttpRequest,
  reply: HttpReply<string>,
): void {
  const { status, headers, body } = reply;
  const isEndpoint =
    method === "POST" ? ADDRESS.test(path) : /^GET \/return\/WALLET_[AB]\/?$/.test(`${method} ${path}`);
  const payChannel = PAY_CHANNELS.find((channel) => path.includes(channel));
  if (!isEndpoint || payChannel === undefined) {
    expectNotFound(reply);
    return;
  }
  const isPage = status === 200 && headers["content-type"] === "text/html; charset=utf-8";
  const demanded = [true, false].map((taken) => ports.wallets[payChannel].answer(taken));
  const isDemanded = demanded.some((one) => one.status === status && one.body === body);
  if (method === "GET" ? !isPage : !isDemanded)
    reportBroken("the response is the one that the wallet requires", { status, body });
}

/** Returns everything that a notification can change, as text. */
function moneyIn({ state }: ServiceCopy): string {
  const orders = [...state.orders.values()].map(({ order, refunds }) => [
    order.id,
    order.paymentStatus,
    order.refundedAmount,
    [...refunds.values()],
  ]);
  return JSON.stringify([orders, [...state.services.values()].map((services) => [...services.values()])]);
}

interface Sent {
  readonly request: SpelledRequest;
  /** Whether the wallet signed the request, and it matches the order whose URL it was sent to. */
  readonly mayMove: boolean;
}

function sentAt(service: ServiceCopy, signers: Signers, step: RequestStep): Sent {
  const about = orderOf(service, step.about, step.payChannel);
  const to = orderOf(service, step.to ?? step.about, step.payChannel);
  const { news, fits } = generateNotification(service, signers, step, about);
  const draft = {
    method: "POST",
    path: to.notifyUrl.slice(service.ports.notificationsUrl.length),
    from: "body",
    members: [],
    headers: news.headers,
    query: "",
    form: false,
    body: news.body,
    changes: [],
  } as const;
  const request = requestOf(step.onTheWay.reduce(changed, draft), service.ports.policy.maxRequestBytes);
  const isReceived = request.body !== "too-large" && isSameNotification(about, request.body, news.body);
  const isOwnAddress = request.path === draft.path || request.path === `${draft.path}/`;
  return { request, mayMove: fits && isReceived && isOwnAddress && about.id === to.id };
}

function orderOf({ state }: ServiceCopy, fate: OrderStage, payChannel: PayChannel): Order {
  const bizNo = bizNoOf(fate, payChannel);
  const stored = [...state.orders.values()].find(({ order }) => order.bizNo === bizNo);
  if (stored === undefined) throw new Error("The fixture has an order in every state.");
  return stored.order;
}
