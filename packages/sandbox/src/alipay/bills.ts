import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import { accountFlow, flowUnder } from "../bills/account-flow.js";
import { contentsUnder, movementsOf } from "../bills/movements.js";
import { createBillArchive, type ArchivedBill } from "../bills/bill-archive.js";
import type { FaultSettings } from "../faults.js";
import type { Ledger } from "../ledger.js";
import type { WalletBMerchant } from "../merchant.js";
import type { WireOutcome } from "../wire/serve.js";
import { business, type WalletBRefusal } from "./answers.js";
import { readContent } from "./biz-content.js";
import { writeWalletBBill } from "./bill-files.js";
import type { WalletBCall } from "./call.js";
import { writeWalletBFlow } from "./flow-files.js";

/** The dependencies of Alipay's bills. */
export interface WalletBBillsOptions {
  readonly ledger: Pick<Ledger, "all">;
  readonly app: Pick<WalletBMerchant, "sellerId">;
  readonly clock: { now(): number };
  readonly faults: Pick<FaultSettings, "takeBillFile" | "takeFlowFile">;
}

/** The bills of Alipay. */
export interface WalletBBills {
  /**
   * Creates the method that returns the download URL of a day's bill.
   *
   * @param host - the host name that the merchant used to reach Alipay.
   */
  method(host: string): WalletBCall;
  /** Returns the file of a download URL, or `undefined` if there is none. */
  fetch(query: URLSearchParams): WireOutcome | undefined;
}

/** The name of the method that returns a bill's download URL. */
export const BILL_METHOD = "alipay.data.dataservice.bill.downloadurl.query";
/** The path of the bill archives. */
export const BILL_FILE_PATH = "/downloadBillFile.resource";

const HOUR = 3_600_000;
const SECOND = 1_000;

/**
 * Every bill type that Alipay documents. The sandbox has bills only for `trade` and `signcustomer`.
 */
const BILL_TYPES = ["trade", "signcustomer", "merchant_act", "trade_zft_merchant", "zft_acc"] as const;

const billContent = z.object({
  bill_type: z.enum(BILL_TYPES),
  bill_date: z.iso.date(),
  secure: z.enum(["true", "false"]).optional(),
});

/**
 * Opens the bills over a ledger.
 *
 * The bills of a day are available from nine o'clock (China time) of the next day. A download URL
 * is valid for 30 seconds.
 */
export function walletBBills({ ledger, app, clock, faults }: WalletBBillsOptions): WalletBBills {
  const { sellerId } = app;
  const archive = createBillArchive({ clock, readyAfter: 9 * HOUR, lifetime: 30 * SECOND });
  const order = (type: (typeof BILL_TYPES)[number], day: string): Result<ArchivedBill, WalletBRefusal> => {
    if (type === "trade") {
      const fault = faults.takeBillFile("walletB");
      return archive
        .order(day, fault, (form) => {
          const contents = contentsUnder(fault, movementsOf(ledger.all(), sellerId, day), day);
          return writeWalletBBill(contents, sellerId, day, form);
        })
        .mapErr(() => business("isp.bill_not_exist"));
    }
    if (type !== "signcustomer") return err(business("isp.bill_not_exist"));
    const fault = faults.takeFlowFile("walletB");
    if (fault === "no-permission") return err(business("ACQ.ACCESS_FORBIDDEN"));
    return archive
      .order(day, fault, (form) => {
        const flow = accountFlow(ledger.all(), sellerId, day, false);
        return writeWalletBFlow(flowUnder(fault, flow), sellerId, day, form);
      })
      .mapErr(() => business("isp.bill_not_exist"));
  };
  return {
    method: (host) => ({
      call: "bill",
      answer: (parameters) =>
        readContent(billContent, parameters)
          .andThen(({ bill_type: type, bill_date: day }) =>
            order(type, day).map((shelved) => ({ ...shelved, type, day })),
          )
          .andThen(({ token, isEmpty, type, day }) => {
            const bizType = type === "signcustomer" ? "fnd" : "trade";
            const bizDates = day.replaceAll("-", "");
            return ok({
              bill_download_url: `http://${host}${BILL_FILE_PATH}?bizType=${bizType}&fileType=csv.zip&bizDates=${bizDates}&token=${token}`,
              ...(isEmpty ? { bill_file_code: "EMPTY_DATA_WITH_BILL_FILE" } : {}),
            });
          }),
    }),
    fetch: (query) => archive.fetch(query.get("token") ?? ""),
  };
}
