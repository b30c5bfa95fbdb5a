import { createServer } from "node:http";
import type { Wallet } from "@tillkit/core";
import type { WalletShipments } from "@tillkit/core/ports";
import { systemRandom } from "@tillkit/runtime";
import { onTestFinished } from "vitest";
import { wechatPayWallet } from "../wechat-pay-wallet.js";
import { NOW } from "./keys.js";

/** A request to the mini-program API. `body` is parsed JSON. */
export interface MiniProgramCall {
  readonly path: string;
  readonly token: string | null;
  readonly body: unknown;
}

/** An answer with the status 200 and this JSON, or any text with its status. */
export type MiniProgramReply = { readonly json: object } | { readonly status: number; readonly text: string };

/** Simulates the mini-program API. */
export type MiniProgramHandler = (call: MiniProgramCall) => MiniProgramReply;

/**
 * Starts a server for the running test, and creates a wallet that uses it.
 *
 * The clock of the wallet returns `NOW`.
 */
export async function openMiniProgram(answer: MiniProgramHandler): Promise<{
  readonly wallet: Wallet;
  readonly shipments: WalletShipments;
  /** The requests so far, oldest first. */
  readonly calls: readonly MiniProgramCall[];
}> {
  const calls: MiniProgramCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const call = { path: pathname, token: searchParams.get("access_token"), body };
      calls.push(call);
      const reply = answer(call);
      const { status, text } = "json" in reply ? { status: 200, text: JSON.stringify(reply.json) } : reply;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const url = `http://127.0.0.1:${String(typeof address === "object" ? address?.port : "")}`;
  const wallet = wechatPayWallet({
    clock: { now: () => NOW },
    random: systemRandom,
    gateways: { DEV: url },
    miniProgramGateways: { DEV: url },
  });
  if (wallet.shipments === undefined) throw new Error("The adapter reports deliveries.");
  return { wallet, shipments: wallet.shipments, calls };
}
