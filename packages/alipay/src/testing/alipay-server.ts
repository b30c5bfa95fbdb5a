import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PayPayload, RawNotification } from "@tillkit/core";
import * as z from "zod";
import { openTrades, type ResultHeader } from "./trades.js";
import { formOf, isSignedRequest, notificationBody, shanghaiTime, signature, walletJson } from "./wire.js";

/** What a {@link Misbehaviour} can use for its response. */
export interface AnswerWays {
  /** Executes the method and returns the signed response. */
  readonly properly: () => string;
  /** Returns a signed response with these result members, without executing the method. */
  readonly say: (node: ResultHeader) => string;
  /** Signs any text, as Alipay would. */
  readonly sign: (text: string | Uint8Array) => string;
}

/** Replaces the correct response of a method. */
export type Misbehaviour = (response: ServerResponse, ways: AnswerWays) => void;

/** A test server that simulates Alipay for one app. */
export interface AlipayServer {
  readonly gateway: string;
  /** The parameters of every request, in order. */
  readonly requests: ReadonlyMap<string, string>[];
  readonly notifications: RawNotification[];
  /** Returns the number of connections so far. */
  readonly connections: () => number;
  /** Makes one method misbehave. `null` restores the method. */
  misbehave(method: string, how: Misbehaviour | null): void;
  /** Opens a payment as a customer, with a payload, a code or an address. */
  open(payload: PayPayload): boolean;
  pay(payload: PayPayload): boolean;
  balance(): number;
  close(): Promise<void>;
}

/** Options of {@link openAlipayServer}. */
export interface AlipayServerOptions {
  readonly appId: string;
  readonly sellerId: string;
  readonly appPublicKey: string;
  readonly walletPrivateKey: string;
  /** Certificate mode: the SNs that requests must contain, and the SN in responses. */
  readonly certificates?: { readonly app: string; readonly root: string; readonly wallet: string };
}

/** Starts the test server on a free port of this machine. */
export async function openAlipayServer(options: AlipayServerOptions): Promise<AlipayServer> {
  const { appId, sellerId, appPublicKey, walletPrivateKey, certificates } = options;
  const notifications: RawNotification[] = [];
  const requests: ReadonlyMap<string, string>[] = [];
  const faults = new Map<string, Misbehaviour>();
  let reportCount = 0;
  const trades = openTrades(Date.now, (facts) => {
    reportCount += 1;
    const all = {
      notify_type: "trade_status_sync",
      notify_id: `notify-${String(reportCount)}`,
      notify_time: shanghaiTime(Date.now()),
      app_id: appId,
      seller_id: sellerId,
      charset: "utf-8",
      version: "1.0",
      sign_type: "RSA2",
      ...(certificates === undefined ? {} : { alipay_cert_sn: certificates.wallet }),
      ...facts,
    };
    const body = new TextEncoder().encode(notificationBody(all, walletPrivateKey));
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    notifications.push({ headers, body });
  });

  /** Returns the error response of an invalid request, before the order is processed. */
  function fault(form: ReadonlyMap<string, string>): ResultHeader | undefined {
    const invalid = (what: string) => ({
      code: "40002",
      msg: "Invalid Arguments",
      sub_code: `isv.invalid-${what}`,
    });
    if (form.get("app_id") !== appId) return invalid("app-id");
    if (form.get("sign_type") !== "RSA2") return invalid("signature-type");
    if (form.get("charset") !== "utf-8" || form.get("version") !== "1.0" || form.get("format") !== "JSON")
      return invalid("format");
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(form.get("timestamp") ?? "")) return invalid("timestamp");
    if (
      form.get("app_cert_sn") !== certificates?.app ||
      form.get("alipay_root_cert_sn") !== certificates?.root
    )
      return invalid("cert-sn");
    return isSignedRequest(form, appPublicKey) ? undefined : invalid("signature");
  }

  const sign = (text: string | Uint8Array) => signature(text, walletPrivateKey);

  function signedAnswer(method: string, node: ResultHeader): string {
    const text = walletJson(node);
    const sn = certificates === undefined ? "" : `"alipay_cert_sn":"${certificates.wallet}",`;
    const signed = sign(text).replaceAll("/", "\\/");
    return `{"${method.replaceAll(".", "_")}_response":${text},${sn}"sign":"${signed}"}`;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(z.instanceof(Uint8Array).parse(chunk));
    const query = new URL(request.url ?? "", "http://wallet").search;
    const form = formOf(query, Buffer.concat(chunks).toString("utf8"));
    requests.push(form);
    const method = form.get("method") ?? "";
    const properly = () =>
      signedAnswer(method, fault(form) ?? trades.answer(method, contentOf(form.get("biz_content") ?? "{}")));
    const misbehaviour = faults.get(method);
    if (misbehaviour === undefined)
      response.setHeader("content-type", "text/html;charset=utf-8").end(properly());
    else misbehaviour(response, { properly, say: (node) => signedAnswer(method, node), sign });
  }

  /** Returns the order in a payload, if the app signed it. */
  function orderOf(payload: PayPayload): ReadonlyMap<string, string> | undefined {
    if ("qr_code" in payload) return trades.scanned(payload.qr_code);
    if ("tradeNO" in payload) return trades.created(payload.tradeNO);
    const query =
      "pay_url" in payload
        ? new URL(payload.pay_url).search
        : new URLSearchParams(z.record(z.string(), z.string()).parse(payload)).toString();
    const form = formOf(query);
    const problem = fault(form);
    if (problem !== undefined) throw new Error(`The wallet rejects the payload: ${JSON.stringify(problem)}`);
    return contentOf(form.get("biz_content") ?? "{}");
  }

  // Long enough that only the client closes connections during a test.
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    serve(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  let connections = 0;
  server.on("connection", () => (connections += 1));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.custom<AddressInfo>((value) => typeof value === "object").parse(server.address());

  const open = (payload: PayPayload) => {
    const order = orderOf(payload);
    return order !== undefined && trades.open(order);
  };
  return {
    gateway: `http://127.0.0.1:${String(port)}/gateway.do`,
    requests,
    notifications,
    connections: () => connections,
    misbehave: (method, how) => {
      if (how === null) faults.delete(method);
      else faults.set(method, how);
    },
    open,
    pay: (payload) => open(payload) && trades.pay(orderOf(payload)?.get("out_trade_no") ?? ""),
    balance: trades.balance,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const content = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform((list) => list.join())]),
);

function contentOf(text: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(content.parse(JSON.parse(text))));
}
