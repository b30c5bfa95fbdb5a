import { z } from "zod";
import { openShelf } from "../bills/shelf.js";
import type { FaultBoard } from "../faults.js";
import type { Ledger } from "../ledger.js";
import type { WalletBMerchant } from "../merchant.js";
import type { WireOutcome } from "../wire/serve.js";
import { business } from "./answers.js";
import { readContent } from "./biz-content.js";
import { writeWalletBBill } from "./bill-files.js";
import type { WalletBCall } from "./calls.js";

/** What the bills of WALLET_B need of the rest of the sandbox. */
export interface WalletBBillsOptions {
  readonly ledger: Pick<Ledger, "all">;
  readonly app: Pick<WalletBMerchant, "sellerId">;
  readonly clock: { now(): number };
  readonly faults: Pick<FaultBoard, "takeBillFile">;
}

/** The bills of WALLET_B. */
export interface WalletBBills {
  /** The method that answers where the bill of a day is, for a merchant who reached WALLET_B at `host`. */
  method(host: string): WalletBCall;
  /** What is under an address that the method gave. */
  fetch(query: URLSearchParams): WireOutcome;
}

/** The method that bills are asked for with. */
export const BILL_METHOD = "alipay.data.dataservice.bill.downloadurl.query";
/** Where their archives are. */
export const BILL_FILE_PATH = "/downloadBillFile.resource";

const HOUR = 3_600_000;
const SECOND = 1_000;

const billContent = z.object({
  bill_type: z.literal("trade"),
  bill_date: z.iso.date(),
  secure: z.enum(["true", "false"]).optional(),
});

/** Opens the bills on the books. Those of a day are there from nine o'clock of the next; an address is good for half a minute. */
export function walletBBills({ ledger, app, clock, faults }: WalletBBillsOptions): WalletBBills {
  const shelf = openShelf({
    ledger,
    clock,
    fault: () => faults.takeBillFile("walletB"),
    readyAfter: 9 * HOUR,
    lifetime: 30 * SECOND,
    write: (contents, day, madeAt, spoilt) => writeWalletBBill(contents, app.sellerId, day, madeAt, spoilt),
  });
  return {
    method: (host) => ({
      call: "bill",
      answer: (parameters) =>
        readContent(billContent, parameters).andThen(({ bill_date: day }) =>
          shelf
            .order(app.sellerId, day)
            .map(({ token, isEmpty }) => ({
              bill_download_url: `http://${host}${BILL_FILE_PATH}?bizType=trade&fileType=csv.zip&bizDates=${day.replaceAll("-", "")}&token=${token}`,
              ...(isEmpty ? { bill_file_code: "EMPTY_DATA_WITH_BILL_FILE" } : {}),
            }))
            .mapErr(() => business("isp.bill_not_exist")),
        ),
    }),
    fetch: (query) =>
      shelf.fetch(query.get("token") ?? "") ?? {
        kind: "reply",
        reply: { status: 403, headers: {}, body: "" },
      },
  };
}
