import type { WalletAccount } from "@tillkit/core";
import {
  anAccount,
  type Opened,
  type FaultyCall,
  type FaultKind,
  type WalletHarness,
} from "@tillkit/contract-tests";
import { alipayWallet } from "../alipay-wallet.js";
import {
  type AlipayServer,
  type AlipayServerOptions,
  type Misbehaviour,
  openAlipayServer,
} from "./alipay-server.js";
import type { TestPair } from "./keys.js";
import { businessRefusal } from "./trades.js";
import { formOf, notificationBody } from "./wire.js";

/** The app id of the test account. */
export const APP_ID = "2014072300007148";
/** The seller id of the test account. */
export const SELLER_ID = "2088102119685838";

/** The keys of a test environment. */
export interface AlipayHarnessKeys {
  readonly app: Pick<TestPair, "publicPem">;
  readonly wallet: Pick<TestPair, "privatePem">;
  readonly stranger: Pick<TestPair, "privatePem">;
  readonly credentials: Readonly<Record<string, string>>;
  readonly certificates?: AlipayServerOptions["certificates"];
}

/** Creates an account at the test server. */
export function alipayAccount(credentials: Readonly<Record<string, string>>): WalletAccount {
  return anAccount({ payChannel: "WALLET_B", walletAppId: APP_ID, accountId: SELLER_ID, credentials });
}

const METHODS = {
  prepare: "alipay.trade.precreate",
  query: "alipay.trade.query",
  close: "alipay.trade.close",
  refund: "alipay.trade.refund",
  queryRefund: "alipay.trade.fastpay.refund.query",
  readBill: "alipay.data.dataservice.bill.downloadurl.query",
  readFundFlow: "alipay.data.dataservice.bill.downloadurl.query",
} as const satisfies Record<FaultyCall, string>;

const WAYS: Readonly<Record<FaultKind, Misbehaviour>> = {
  timeout: (response, { properly }) => {
    properly();
    response.destroy();
  },
  hang: () => undefined,
  "server-error": (response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad Gateway</html>");
  },
  reject: (response, { say }) => {
    response.end(say(businessRefusal("ACQ.EXIST_FORBIDDEN_WORD")));
  },
  unsigned: (response, { properly }) => {
    response.end(properly().replace(/,"sign":"[^"]*"/, ""));
  },
};

/** Creates an adapter that is connected to a test server. */
export async function openAlipayHarness(
  keys: AlipayHarnessKeys,
): Promise<Opened<WalletHarness> & { readonly server: AlipayServer }> {
  const { app, wallet, stranger, credentials, certificates } = keys;
  const server = await openAlipayServer({
    appId: APP_ID,
    sellerId: SELLER_ID,
    appPublicKey: app.publicPem,
    walletPrivateKey: wallet.privatePem,
    ...(certificates === undefined ? {} : { certificates }),
  });
  const port: WalletHarness = {
    ...alipayWallet({ clock: { now: Date.now }, gateways: { DEV: server.gateway } }),
    account: alipayAccount(credentials),
    now: Date.now,
    openPayment: async (_outTradeNo, payload) => {
      server.open(payload);
    },
    pay: async (_outTradeNo, payload) => server.pay(payload),
    balance: async () => server.balance(),
    injectFault: async (call, how) => server.misbehave(METHODS[call], how === null ? null : WAYS[how]),
    notifications: async () => server.notifications,
    forge: async ({ headers, body }) => {
      const { sign: _theirs, ...facts } = Object.fromEntries(formOf(new TextDecoder().decode(body)));
      return { headers, body: new TextEncoder().encode(notificationBody(facts, stranger.privatePem)) };
    },
    probe: async () => undefined,
  };
  return { port, server, close: () => server.close() };
}
