import { createServer } from "node:http";
import { TillkitClient } from "@tillkit/client";
import { inProcess } from "../harness/in-process.js";
import type { BenchRow } from "../harness/row.js";

const ORDER = {
  id: "01KEZWYTG08MCMM20BEK1FC2K9",
  bizNo: "order-1001",
  customerIdentity: "customer-7",
  amount: 600,
  goodsTitle: "Membership for 30 days",
  payChannel: "WALLET_A",
  paySource: "APP",
  paymentStatus: "PAID",
  gmtCreate: 1_768_449_600_000,
  gmtPaid: 1_768_449_660_000,
};
const BODY = JSON.stringify({ code: 0, msg: "success", data: ORDER });
const CREDENTIALS = { appId: "app_1", appSecret: "secret-1" };
const HEADERS = { APP_ID: CREDENTIALS.appId, APP_SECRET: CREDENTIALS.appSecret };

/** How much processor time the client may add, in microseconds. */
const ADDED_CPU = 50;

/** Measures the overhead of the client, with `fetch` alone as comparison. */
export async function clientRow(): Promise<BenchRow> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": BODY.length }).end(BODY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const baseUrl = `http://127.0.0.1:${port}/pay`;
  const client = new TillkitClient({ baseUrl, ...CREDENTIALS });
  const key = { bizNo: ORDER.bizNo, customerIdentity: ORDER.customerIdentity };
  const url = `${baseUrl}/detail.json?${new URLSearchParams(key).toString()}`;
  const bare = async (): Promise<unknown> => (await fetch(url, { headers: HEADERS })).json();
  const limited = async (): Promise<unknown> =>
    (await fetch(url, { headers: HEADERS, signal: AbortSignal.timeout(8_000) })).json();
  const times = { atOnce: 8 };
  return {
    work: "one order by the client, from a bare server in the same process",
    contestants: [
      inProcess({ name: "TillkitClient", role: "ours", once: () => client.orders.get(key), ...times }),
      inProcess({ name: "bare fetch", role: "limit", once: bare, ...times }),
      inProcess({ name: "fetch with AbortSignal.timeout", role: "alternative", once: limited, ...times }),
    ],
    targets: [{ kind: "added-cpu", than: "bare fetch", atMost: ADDED_CPU }],
    shortRounds: true,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
