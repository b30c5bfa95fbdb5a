import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Wallet, WalletAccount } from "@tillkit/core";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { alipayWallet } from "../alipay-wallet.js";
import { testPairs } from "./keys.js";
import { alipayAccount } from "./alipay-harness.js";
import { signature, walletJson } from "./wire.js";

const [app, wallet] = testPairs;
const METHOD = "alipay.data.dataservice.bill.downloadurl.query";
/** The day of the test bills. */
export const DAY = "2026-11-19";

/** What the test server returns for a bill. */
export interface ServedBill {
  readonly archive?: Uint8Array;
  /** Members that replace or extend those of the response with the archive's address. */
  readonly node?: Readonly<Record<string, string>>;
  readonly now?: string;
  readonly maxBillBytes?: number;
  /** The status of the download. A redirect leads to the path `/elsewhere`. */
  readonly status?: number;
}

/** Creates an adapter and a server with one archive, for the running test. */
export async function serveBill({ archive, node, now, maxBillBytes, status = 200 }: ServedBill): Promise<{
  readonly adapter: Wallet;
  readonly account: WalletAccount;
  /** The paths and contents of all requests. */
  readonly requests: readonly string[];
}> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { url = "" } = request;
    requests.push(url.split("?")[0] ?? "");
    if (!url.startsWith("/gateway.do"))
      return response.writeHead(status, status < 400 ? { location: "/elsewhere" } : {}).end(archive);
    const address = `http://${request.headers.host ?? ""}/bill.zip?fileId=1`;
    const text = walletJson({ code: "10000", msg: "Success", bill_download_url: address, ...node });
    const sign = signature(text, wallet.privatePem);
    const chunks: Uint8Array[] = [];
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
      requests.push(form.get("biz_content") ?? "");
      response.end(`{"${METHOD.replaceAll(".", "_")}_response":${text},"sign":"${sign}"}`);
    });
    return response;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.custom<AddressInfo>((value) => typeof value === "object").parse(server.address());
  const instant = Date.parse(now ?? "2026-11-20T12:00:00+08:00");
  const adapter = alipayWallet({
    clock: { now: () => instant },
    gateways: { DEV: `http://127.0.0.1:${port}/gateway.do` },
    ...(maxBillBytes === undefined ? {} : { maxBillBytes }),
  });
  const account = alipayAccount({ appPrivateKey: app.pkcs8, alipayPublicKey: wallet.spki });
  return { adapter, account, requests };
}
