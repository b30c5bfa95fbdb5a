import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { accountFlow, flowUnder } from "../bills/account-flow.js";
import { contentsUnder, movementsOf } from "../bills/movements.js";
import { openShelf, type ShelvedBill } from "../bills/shelf.js";
import type { FaultBoard } from "../faults.js";
import type { Ledger } from "../ledger.js";
import type { WalletBMerchant } from "../merchant.js";
import type { WireOutcome } from "../wire/serve.js";
import { business, type WalletBRefusal } from "./answers.js";
import { readContent } from "./biz-content.js";
import { writeWalletBBill } from "./bill-files.js";
import type { WalletBCall } from "./calls.js";
import { writeWalletBFlow } from "./flow-files.js";

/** What the bills of WALLET_B need of the rest of the sandbox. */
export interface WalletBBillsOptions {
  readonly ledger: Pick<Ledger, "all">;
  readonly app: Pick<WalletBMerchant, "sellerId">;
  readonly clock: { now(): number };
  readonly faults: Pick<FaultBoard, "takeBillFile" | "takeFlowFile">;
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

/** Every type that WALLET_B documents. Of those that the sandbox has no business for there is never a bill. */
const BILL_TYPES = ["trade", "signcustomer", "merchant_act", "trade_zft_merchant", "zft_acc"] as const;

const billContent = z.object({
  bill_type: z.enum(BILL_TYPES),
  bill_date: z.iso.date(),
  secure: z.enum(["true", "false"]).optional(),
});

/** Opens the bills on the books. Those of a day are there from nine o'clock of the next; an address is good for half a minute. */
export function walletBBills({ ledger, app, clock, faults }: WalletBBillsOptions): WalletBBills {
  const { sellerId } = app;
  const shelf = openShelf({ clock, readyAfter: 9 * HOUR, lifetime: 30 * SECOND });
  const order = (type: (typeof BILL_TYPES)[number], day: string): Result<ShelvedBill, WalletBRefusal> => {
    if (type === "trade") {
      const fault = faults.takeBillFile("walletB");
      return shelf
        .order(day, fault, (form) => {
          const contents = contentsUnder(fault, movementsOf(ledger.all(), sellerId, day), day);
          return writeWalletBBill(contents, sellerId, day, form);
        })
        .mapErr(() => business("isp.bill_not_exist"));
    }
    if (type !== "signcustomer") return err(business("isp.bill_not_exist"));
    const fault = faults.takeFlowFile("walletB");
    if (fault === "no-permission") return err(business("ACQ.ACCESS_FORBIDDEN"));
    return shelf
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
    fetch: (query) =>
      shelf.fetch(query.get("token") ?? "") ?? {
        kind: "reply",
        reply: { status: 403, headers: {}, body: "" },
      },
  };
}
