import { createHash } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type Listening, listen } from "./listen.js";
import type { Signers } from "./signed-notifications.js";

/** The served file, and the changes of the response with its URL. */
export interface ServedBill {
  readonly file: Uint8Array;
  /** The text whose digest WeChat Pay signs. */
  readonly stated: Uint8Array;
  /** Changes the response with the URL before it is signed. */
  readonly answer: (body: Uint8Array) => Uint8Array;
}

/** The bill endpoints of both wallets on one address. */
export interface BillServer extends Pick<Listening, "close"> {
  readonly address: string;
  /** Replaces the served bill. */
  serve(bill: ServedBill): void;
}

const FILE_A = "/v3/billdownload/file";
const FILE_B = "/bill.zip";
const GATEWAY_B = "/gateway.do";
const NODE_B = "alipay_data_dataservice_bill_downloadurl_query_response";

/** Opens a server that serves bills at the time `now`, signed by the wallets. */
export async function openBillServer(signers: Signers, now: number): Promise<BillServer> {
  let bill: ServedBill | undefined;
  const { port, close } = await listen((request, response) => {
    request.resume();
    void once(request, "end").then(() => {
      if (bill === undefined) throw new Error("There is nothing to serve.");
      respond(request.url?.split("?")[0] ?? "", bill, response);
    });
  });
  const address = `http://127.0.0.1:${port}`;

  function respond(path: string, { file, stated, answer }: ServedBill, response: ServerResponse): void {
    if (path === FILE_A || path === FILE_B) {
      response.end(file);
    } else if (path === GATEWAY_B) {
      const node = { code: "10000", msg: "Success", bill_download_url: `${address}${FILE_B}` };
      const output = answer(bytesOf(node));
      const parts = [`{"${NODE_B}":`, output, `,"sign":"${signers.signatureOfB(output)}"}`];
      response.end(Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part))));
    } else {
      const hash_value = createHash("sha1").update(stated).digest("hex");
      const named = { hash_type: "SHA1", hash_value, download_url: `${address}${FILE_A}?token=1` };
      const { body, headers } = signers.walletA(answer(bytesOf(named)), now);
      response.writeHead(200, { ...headers }).end(body);
    }
  }

  return {
    address,
    close,
    serve: (next) => {
      bill = next;
    },
  };
}

function bytesOf(value: object): Uint8Array {
  return new Uint8Array(Buffer.from(JSON.stringify(value)));
}
