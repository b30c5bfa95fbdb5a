import { type HttpRequest, limitedSurfaces, type Surface, withConcurrencyLimit } from "@tillkit/core/http";
import { headersIn } from "@tillkit/core/ports";
import { dashboardSurface } from "@tillkit/dashboard";
import { receiptsSurface } from "@tillkit/sms";
import { openSandbox } from "@tillkit/sandbox";
import { testWalletKeys as keys } from "@tillkit/test-keys";
import { beforeAll, describe, expect, it } from "vitest";
import { testClock } from "@tillkit/memory";
import { openFixture, type TestFixture } from "./fixture.js";
import { adapters } from "./notifications.js";
import { publicKeys } from "../../../sandbox/src/keys.js";
import { merchantOf } from "../../../sandbox/src/merchant.js";
import { sandboxPayTools } from "../../../sandbox/src/pay-tools.js";
import { type WorstRequest, worstBodies, worstHeaders, worstQueries } from "./worst-requests.js";

/**
 * How many times as much processor time as a small request the worst request may take.
 *
 * A small request takes up to 0.05 ms. Work that grows with the square of the size takes a million
 * times as much.
 */
const MAX_FACTOR = 1_000;
/** The smallest time that can be measured well, in milliseconds. */
const RESOLUTION = 0.05;
const ROUNDS = 3;
/** The most rounds of a request above its limit. A round may collect garbage of other requests. */
const MOST_ROUNDS = 30;
const SECRET = "0123456789abcdef0123456789abcdef";

/** A surface with the endpoints that anybody can reach. */
interface Exposed {
  readonly surface: Surface;
  readonly endpoints: readonly (readonly [method: string, path: string])[];
  /** Headers that let a request get as far as it can without credentials. */
  readonly headers?: Readonly<Record<string, string>>;
}

let fixture: TestFixture;
beforeAll(async () => {
  const payTools = sandboxPayTools(merchantOf(keys), publicKeys(keys));
  fixture = await openFixture({ wallets: adapters(), payTools });
});

async function expose(name: string): Promise<Exposed> {
  const { ports, state } = fixture.again();
  const { payments, notifications, metrics } = limitedSurfaces(ports);
  switch (name) {
    case "payments":
      return {
        surface: payments,
        endpoints: [
          ["POST", "/order.json"],
          ["POST", "/auth.json"],
          ["GET", "/detail.json"],
          ["GET", "/sms.json"],
          ["GET", `/customerServiceMgmt/${"%61".repeat(4_000)}.json`],
          ["GET", `/${"a/".repeat(4_000)}`],
        ],
        headers: { app_id: fixture.apps.demo.appId, app_secret: "sk_wrong" },
      };
    case "notifications":
      return {
        surface: notifications,
        endpoints: [
          ...[...state.orders.values()]
            .slice(0, 4)
            .map(({ order }) => ["POST", order.notifyUrl.slice(ports.notificationsUrl.length)] as const),
          ["GET", "/return/WALLET_B"],
        ],
        headers: {
          "wechatpay-timestamp": String(Math.floor(ports.clock.now() / 1_000)),
          "wechatpay-nonce": "n",
          "wechatpay-serial": "PUB_KEY_ID_0",
          "wechatpay-signature": "AAAA",
        },
      };
    case "metrics":
      return {
        surface: metrics,
        endpoints: [
          ["GET", "/misc/v2/downloads-api"],
          ["GET", "/misc/downloads-api"],
        ],
      };
    case "receipts":
      return {
        surface: withConcurrencyLimit(
          ports,
          receiptsSurface({
            observer: ports.observer,
            aliyun: { secret: SECRET },
            tencent: { secret: SECRET },
            twilio: { authToken: "12345", url: "https://pay.example/receipts/twilio" },
          }),
        ),
        endpoints: [
          ["POST", "/twilio"],
          ["POST", `/aliyun/${SECRET}`],
          ["POST", `/tencent/${"a".repeat(4_000)}`],
        ],
        headers: { "x-twilio-signature": "A".repeat(28) },
      };
    case "dashboard":
      return {
        surface: dashboardSurface(ports, {
          accounts: {
            passwords: { hash: async (password) => password, matches: async () => false },
            mountPath: "/dashboard",
          },
          page: import.meta.dirname,
        }),
        endpoints: [
          ["POST", "/api/session"],
          ["POST", "/api/orders/app_1/biz-1/refunds"],
          ["GET", "/api/orders"],
          ["GET", "/api/session"],
          ["GET", `/api/orders/${"%61".repeat(2_000)}/${"%61".repeat(2_000)}`],
          ["GET", `/${"a/".repeat(4_000)}`],
        ],
      };
    default: {
      const sandbox = await openSandbox({
        keys,
        clock: { ...testClock(), onAdvance: () => () => undefined },
        deliver: () => Promise.resolve({ status: 500, body: "" }),
      });
      return {
        surface: sandbox.control,
        endpoints: [
          ["POST", "/pay"],
          ["POST", "/faults"],
          ["GET", "/sms"],
          ["GET", `/orders/${"%61".repeat(4_000)}`],
        ],
      };
    }
  }
}

/**
 * Returns the processor time of one request in milliseconds: the least of several rounds.
 *
 * There are more rounds while it is above `limit`.
 */
async function costOf(
  surface: Surface,
  request: HttpRequest,
  times: number,
  limit = Infinity,
): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < (least > limit ? MOST_ROUNDS : ROUNDS); round += 1) {
    const before = process.cpuUsage();
    for (let nth = 0; nth < times; nth += 1) await surface.handle(request);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000 / times);
    // Work that takes this long is far beyond every limit.
    if (least > 2_000) break;
  }
  return least;
}

describe.each(["payments", "notifications", "metrics", "receipts", "dashboard", "sandbox control"])(
  "the worst requests without credentials: %s",
  (name) => {
    it(`take at most ${String(MAX_FACTOR)} times as much processor time as a small one`, async () => {
      const { surface, endpoints, headers = {} } = await expose(name);
      const rows: { readonly factor: number; readonly request: string }[] = [];
      for (const [method, path] of endpoints) {
        const sent = ({ query = "", headers: added = {}, body = "" }: Omit<WorstRequest, "name">) => ({
          method,
          path,
          query,
          headers: headersIn({ ...headers, ...added }),
          body: new TextEncoder().encode(body),
          peer: "192.0.2.1",
        });
        if (!surface.owns(method, path)) continue;
        await costOf(surface, sent({}), 50);
        const small = Math.max(RESOLUTION, await costOf(surface, sent({}), 100));
        const bodies = method === "POST" ? worstBodies(surface.maxRequestBytes) : [];
        for (const worst of [...bodies, ...worstQueries(), ...worstHeaders()]) {
          const factor = (await costOf(surface, sent(worst), 1, MAX_FACTOR * small)) / small;
          rows.push({ factor, request: `${method} ${path.slice(0, 40)} with ${worst.name}` });
        }
      }
      rows.sort((left, right) => right.factor - left.factor);
      const [largest] = rows;
      console.log(`${name}: ${largest?.factor.toFixed(0) ?? ""} times, ${largest?.request ?? ""}`);
      expect(rows.length).toBeGreaterThan(50);
      expect(rows.filter(({ factor }) => factor > MAX_FACTOR)).toEqual([]);
    });
  },
);
