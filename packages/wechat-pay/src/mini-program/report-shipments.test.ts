import { expectFailure, expectOk } from "@tillkit/contract-tests";
import { orThrow, type WalletAccount } from "@tillkit/core";
import type { WalletShipment } from "@tillkit/core/ports";
import { describe, expect, it } from "vitest";
import { account, credentials, NOW } from "../testing/keys.js";
import {
  openMiniProgram,
  type MiniProgramHandler,
  type MiniProgramReply,
} from "../testing/mini-program-wire.js";
import { LIMITS } from "../testing/requests.js";
import { textContaining } from "../testing/text-containing.js";

const APP_SECRET = "0123456789abcdef0123456789abcdef";
const TOKEN = "80_an&access=token";
const shop: WalletAccount = {
  ...account,
  credentials: { ...credentials, shipments: "VIRTUAL", appSecret: APP_SECRET },
};
/** A merchant whose service provider is `account`. */
const subMerchant: WalletAccount = {
  ...account,
  id: "01TESTSUBMERCHANT",
  accountId: "1900000999",
  credentials: { provider: account.id, shipments: "VIRTUAL" },
  provider: account,
};
const shipment: WalletShipment = {
  outTradeNo: "01JCXW9Z3K7Q2N5T8V0B4D6F1H",
  walletTradeNo: "4200000001202611200000000001",
  payerId: "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o",
  goodsTitle: "VIP 会员",
  paidAt: Date.UTC(2026, 10, 20, 11, 59, 30),
};
const REPORT = "/wxa/sec/order/upload_shipping_info";
const QUERY = "/wxa/sec/order/get_order";
const STABLE_TOKEN = "/cgi-bin/stable_token";
const ISSUED = { json: { access_token: TOKEN, expires_in: 7_200 } };
const DONE = { json: { errcode: 0, errmsg: "ok" } };
const refused = (errcode: number) => ({
  json: { errcode, errmsg: `refused ${shipment.payerId}, hint: [1a2b-3c] rid: 650a4efa-79ed4280-651d9c91` },
});
const inState = (order_state: number) => ({ json: { ...DONE.json, order: { order_state } } });

/** Answers a report with each of `reports` in turn, and a query with `state`. */
function answering(
  reports: readonly MiniProgramReply[],
  state: MiniProgramReply = inState(1),
): MiniProgramHandler {
  const rest = [...reports];
  return ({ path }) => (path === QUERY ? state : (rest.shift() ?? DONE));
}

async function reported(answer: MiniProgramHandler, given: Partial<WalletShipment> = {}, of = shop) {
  const { shipments, calls } = await openMiniProgram(answer);
  const result = await shipments.report(of, { ...shipment, ...given }, TOKEN, LIMITS);
  return { result, calls, paths: calls.map(({ path }) => path) };
}

async function failureOf(code: number) {
  const { result, calls } = await reported(() => refused(code));
  expect(calls[0]?.path).toBe(REPORT);
  return result._unsafeUnwrapErr();
}

describe("a report of a delivery", () => {
  it("names the payment, the goods and the payer, and has the token in its query", async () => {
    const { result, calls } = await reported(() => DONE);
    expect(orThrow(result)).toBe("reported");
    expect(calls).toEqual([
      {
        path: REPORT,
        token: TOKEN,
        body: {
          order_key: { order_number_type: 2, transaction_id: shipment.walletTradeNo },
          logistics_type: 3,
          delivery_mode: 1,
          shipping_list: [{ item_desc: "VIP 会员" }],
          // WeChat refuses milliseconds that are zero.
          upload_time: "2026-11-20T19:59:30.001+08:00",
          payer: { openid: shipment.payerId },
        },
      },
    ]);
  });

  it("names an order without WeChat Pay's number by its own number and the merchant who placed it", async () => {
    const { walletTradeNo: _, ...rest } = { ...shipment, paidAt: NOW };
    for (const of of [shop, subMerchant]) {
      const { shipments, calls } = await openMiniProgram(() => DONE);
      await expectOk(shipments.report(of, rest, TOKEN, LIMITS));
      expect(calls[0]?.body).toMatchObject({
        order_key: { order_number_type: 1, mchid: account.accountId, out_trade_no: shipment.outTradeNo },
        upload_time: "2026-11-20T20:00:00.250+08:00",
      });
    }
  });

  it.each([
    ["PICKUP", 4],
    ["SAME_CITY", 2],
  ])("has the logistics type of %s", async (shipments, logistics_type) => {
    const of = { ...shop, credentials: { ...shop.credentials, shipments } };
    expect((await reported(() => DONE, {}, of)).calls[0]?.body).toMatchObject({ logistics_type });
  });

  it("is not sent if the option is off", async () => {
    const { result, calls } = await reported(() => DONE, {}, account);
    expect(result._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "configuration" });
    expect(calls).toEqual([]);
  });

  it.each([10060002, 10060003, 10060023])(
    "counts as reported if WeChat already has a report: %i",
    async (code) => {
      const { result, paths } = await reported(() => refused(code));
      expect(orThrow(result)).toBe("already-reported");
      expect(paths).toEqual([REPORT]);
    },
  );

  it.each([
    [2, "already-reported"],
    [3, "already-reported"],
    [4, "already-reported"],
    [5, "refunded"],
    [6, "already-reported"],
  ])("is not needed for a payment in the state %i", async (state, answer) => {
    for (const code of [10060004, 268485216]) {
      const { result, paths } = await reported(answering([refused(code)], inState(state)));
      expect(orThrow(result)).toBe(answer);
      expect(paths).toEqual([REPORT, QUERY]);
    }
  });

  it("fails with `not-ready` if a payment cannot be shipped yet", async () => {
    const { result, paths } = await reported(answering([refused(10060004)]));
    expect(result._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "not-ready" });
    expect(paths).toEqual([REPORT, QUERY]);
  });

  it("is sent once more with the current time if WeChat refuses the time of the payment", async () => {
    const { result, calls, paths } = await reported(answering([refused(268485216)]));
    expect(orThrow(result)).toBe("reported");
    expect(paths).toEqual([REPORT, QUERY, REPORT]);
    expect(calls[2]?.body).toMatchObject({ upload_time: "2026-11-20T20:00:00.250+08:00" });
    const again = await reported(answering([refused(268485216), refused(268485216)]));
    expect(again.paths).toEqual([REPORT, QUERY, REPORT]);
    expect(again.result._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", reason: "other" });
  });
});

describe("a refused report", () => {
  it("fails with `absent` until WeChat lists the payment", async () => {
    expect(await failureOf(10060001)).toMatchObject({ name: "wallet.rejected", reason: "absent" });
  });

  it.each([
    [40013, "walletAppId"],
    [40125, "appSecret"],
    [40164, "whitelist"],
    [40243, "unfreeze the AppSecret"],
    [41002, "walletAppId"],
    [41004, "appSecret"],
    [48001, "order shipping management"],
    [48004, "banned"],
    [50002, "frozen or closed"],
    [61004, "whitelist"],
    [89501, "administrator"],
    [89503, "administrator"],
    [89506, "administrator"],
    [89507, "administrator"],
  ])("fails with `configuration`, and names the remedy: %i", async (code, remedy) => {
    expect(await failureOf(code)).toEqual({
      name: "wallet.rejected",
      reason: "configuration",
      trusted: false,
      detail: textContaining(new RegExp(`^${String(code)} refused \\(the payer\\): .*${remedy}`)),
    });
  });

  it.each([45009, 45011, 44990])("fails with `rate-limited`: %i", async (code) => {
    expect(await failureOf(code)).toMatchObject({ name: "wallet.unknown", cause: "rate-limited" });
  });

  it.each([-1, 10060012, 10060019, 12345])("fails with `server-error`: %i", async (code) => {
    expect(await failureOf(code)).toMatchObject({ name: "wallet.unknown", cause: "server-error" });
  });

  it.each([
    10060005, 10060006, 10060007, 10060008, 10060009, 10060014, 10060020, 10060024, 10060025, 10060026,
    10060031, 40097, 47001, 268485194, 268485195, 268485196, 268485197, 268485224, 268485226, 268485227,
    268485228,
  ])("fails with the reason `other`, because another report cannot change it: %i", async (code) => {
    expect(await failureOf(code)).toMatchObject({ name: "wallet.rejected", reason: "other" });
  });

  it.each([40001, 40014, 42001])("fails with `access-token.refused`: %i", async (code) => {
    expect(await failureOf(code)).toEqual({ name: "access-token.refused" });
    const { result } = await reported(answering([refused(10060004)], refused(code)));
    expect(result._unsafeUnwrapErr()).toEqual({ name: "access-token.refused" });
  });

  it("fails with a text that names neither the payer nor the number of the request", async () => {
    const failure = JSON.stringify([await failureOf(10060031), await failureOf(48001)]);
    expect(failure).toContain("10060031 refused (the payer)");
    expect(failure).not.toMatch(/oUpF8|rid|hint|650a4efa/);
  });

  it.each([
    [{ status: 429, text: "" }, "rate-limited"],
    [{ status: 502, text: "" }, "server-error"],
    [{ status: 200, text: "<html>proxy</html>" }, "unverified"],
    [{ status: 403, text: '{"errcode":0}' }, "unverified"],
  ])("has an unknown outcome if the answer is %o", async (reply, cause) => {
    const { result } = await reported(() => reply);
    expect(result._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown", cause });
  });

  it("has an unknown outcome if the state of the payment is not readable", async () => {
    const { result } = await reported(answering([refused(10060004)], DONE));
    expect(result._unsafeUnwrapErr()).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  });
});

describe("a request of an access token", () => {
  const request = async (answer: MiniProgramReply, of: WalletAccount = shop) => {
    const { shipments, calls } = await openMiniProgram(() => answer);
    return { result: shipments.requestAccessToken(of, LIMITS), calls };
  };

  it("asks for the stable token, and replaces it five minutes before it expires", async () => {
    const { result, calls } = await request(ISSUED);
    expect(await expectOk(result)).toEqual({ token: TOKEN, expiresAt: NOW + 6_900_000 });
    const { walletAppId: appid } = shop;
    const body = { grant_type: "client_credential", appid, secret: APP_SECRET, force_refresh: false };
    expect(calls).toEqual([{ path: STABLE_TOKEN, token: null, body }]);
  });

  it("replaces a token with a short lifetime when half of the lifetime has passed", async () => {
    const { result } = await request({ json: { access_token: TOKEN, expires_in: 60 } });
    expect(await expectOk(result)).toMatchObject({ expiresAt: NOW + 30_000 });
  });

  it.each([40001, 40125, 40243, 40164, 61004, 48004, 50002, 89503])(
    "fails with `configuration` and a remedy after the code %i",
    async (code) => {
      const { result } = await request(refused(code));
      const failure = await expectFailure(result);
      expect(failure).toMatchObject({ name: "wallet.rejected", reason: "configuration" });
      expect(failure).toMatchObject({ detail: textContaining(": ") });
    },
  );

  it.each([
    [45009, "rate-limited"],
    [45011, "rate-limited"],
    [-1, "server-error"],
  ])("has an unknown outcome after the code %i", async (code, cause) => {
    const { result } = await request(refused(code));
    expect(await expectFailure(result)).toMatchObject({ name: "wallet.unknown", cause });
  });

  it("fails if the answer has no token or no lifetime", async () => {
    for (const answer of [{}, { access_token: "", expires_in: 7_200 }, { access_token: TOKEN }])
      expect(await expectFailure((await request({ json: answer })).result)).toMatchObject({
        cause: "unverified",
      });
  });

  it("uses the secret of the provider only if both use one mini-program", async () => {
    const provider = { ...account, credentials: { ...credentials, appSecret: APP_SECRET } };
    const shared = await request(ISSUED, { ...subMerchant, provider });
    await expectOk(shared.result);
    expect(shared.calls[0]?.body).toMatchObject({ secret: APP_SECRET });
    const own = { ...subMerchant, walletAppId: "wx0000000000000002" };
    const other = await request(DONE, { ...own, provider });
    expect(await expectFailure(other.result)).toMatchObject({ reason: "configuration" });
    expect(other.calls).toEqual([]);
  });
});
