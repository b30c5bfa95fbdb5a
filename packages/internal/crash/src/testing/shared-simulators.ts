import { once } from "node:events";
import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { buffer, text } from "node:stream/consumers";
import type { SmsMessage } from "@tillkit/core";
import { deliverOverHttp, openSandbox, type Sandbox } from "@tillkit/sandbox";
import { testWalletKeys } from "@tillkit/test-keys";
import { z } from "zod";

/** A simulated WeChat Pay and SMS carrier for several hosts, which counts requests. */
export interface SharedSimulators {
  /** The base URL of WeChat Pay's API. */
  readonly walletAUrl: string;
  /** Accepts a message by POST. */
  readonly smsUrl: string;
  readonly sandbox: Sandbox;
  /** The number of prepay requests, by `outTradeNo`. */
  readonly prepared: ReadonlyMap<string, number>;
  /** The number of queries, by `outTradeNo`. */
  readonly queried: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const SMS = "/sms";
const prepayment = z.object({ out_trade_no: z.string() });

/** Opens the simulators. They deliver every notification to all hosts at once. */
export async function openSharedSimulators(hosts: () => readonly string[]): Promise<SharedSimulators> {
  const prepared = new Map<string, number>();
  const queried = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const sandbox = await openSandbox({
    keys: testWalletKeys,
    deliver: async (delivery) => {
      const { pathname } = new URL(delivery.url);
      const all = hosts().map((host) => deliverOverHttp({ ...delivery, url: `${host}${pathname}` }));
      const answers = await Promise.all(all);
      return answers.find(({ status }) => status !== 204) ?? { status: 204, body: "" };
    },
  });

  /** Counts a request to WeChat Pay and forwards it unchanged, because both sides sign. */
  async function pass(requested: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = requested;
    const body = await buffer(requested);
    const query = /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)\?/.exec(url)?.[1];
    if (method === "GET" && query !== undefined) count(queried, query);
    if (method === "POST" && url === "/v3/pay/transactions/app")
      count(prepared, prepayment.parse(JSON.parse(body.toString())).out_trade_no);
    // A new connection: a kept one could be closed at this moment.
    const on = send(`${sandbox.addresses.walletA}${url}`, { method, headers, agent: false }).end(body);
    const [answer] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(on, "response"));
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  }

  const server = createServer((requested, response) => {
    if (requested.url !== SMS) return void pass(requested, response).catch(() => response.destroy());
    void text(requested)
      .then((message) => sandbox.smsSender.send(z.custom<SmsMessage>().parse(JSON.parse(message))))
      .then((sent) => response.writeHead(sent.isOk() ? 202 : 502).end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const walletAUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    walletAUrl,
    smsUrl: `${walletAUrl}${SMS}`,
    sandbox,
    prepared,
    queried,
    close: async () => {
      await sandbox.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
