import { err, ok, type Result } from "neverthrow";
import { openShelf } from "../bills/shelf.js";
import type { FaultBoard } from "../faults.js";
import type { Ledger } from "../ledger.js";
import type { WalletAMerchant } from "../merchant.js";
import type { WireOutcome } from "../wire/serve.js";
import type { WalletAAnswer, WalletARefusal } from "./answers.js";
import { digestOf, writeWalletABill } from "./bill-text.js";

/** What the bills of WALLET_A need of the rest of the sandbox. */
export interface WalletABillsOptions {
  readonly ledger: Pick<Ledger, "all">;
  readonly merchant: Pick<WalletAMerchant, "mchid">;
  readonly clock: { now(): number };
  readonly faults: Pick<FaultBoard, "takeBillFile">;
  readonly refundTakes: number;
}

/** The bills of WALLET_A. */
export interface WalletABills {
  /** Answers where the bill of a day is; `host` is where the merchant reached WALLET_A. */
  ask(query: URLSearchParams, host: string): Result<WalletAAnswer, WalletARefusal>;
  /** The file under an address that `ask` gave. */
  fetch(query: URLSearchParams): Result<WireOutcome, WalletARefusal>;
}

/** Where bills are asked for. */
export const BILL_PATH = "/v3/bill/tradebill";
/** Where their files are. */
export const BILL_FILE_PATH = "/v3/billdownload/file";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const THREE_MONTHS = 92 * 24 * HOUR;

/** Opens the bills on the books. Those of a day are there from ten o'clock of the next; the address of a file is good for five minutes. */
export function walletABills(options: WalletABillsOptions): WalletABills {
  const { ledger, merchant, clock, faults, refundTakes } = options;
  const shelf = openShelf({
    ledger,
    clock,
    fault: () => faults.takeBillFile("walletA"),
    readyAfter: 10 * HOUR,
    lifetime: 5 * MINUTE,
    write: (contents, _day, madeAt, spoilt) => writeWalletABill(contents, refundTakes, madeAt, spoilt),
  });
  return {
    ask: (query, host) => {
      const day = query.get("bill_date") ?? "";
      const from = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00+08:00`) : NaN;
      if (Number.isNaN(from)) return wrong("bill_date", "not yyyy-MM-dd");
      if (from < clock.now() - THREE_MONTHS) return wrong("bill_date", "more than three months ago");
      if ((query.get("bill_type") ?? "ALL") !== "ALL") return wrong("bill_type", "not ALL");
      if (query.get("tar_type") !== "GZIP") return wrong("tar_type", "not GZIP");
      return shelf
        .order(merchant.mchid, day)
        .mapErr((): WalletARefusal => ({ code: "STATEMENT_CREATING" }))
        .andThen(({ token, text, isEmpty }) => {
          if (isEmpty) return err<never, WalletARefusal>({ code: "NO_STATEMENT_EXIST" });
          const file = {
            hash_type: "SHA1",
            hash_value: digestOf(text),
            download_url: `http://${host}${BILL_FILE_PATH}?token=${token}`,
          };
          return ok({ status: 200, body: JSON.stringify(file) });
        });
    },
    fetch: (query) => {
      const file = shelf.fetch(query.get("token") ?? "");
      return file === undefined ? err({ code: "INVALID_REQUEST" }) : ok(file);
    },
  };
}

function wrong(field: string, issue: string) {
  return err<never, WalletARefusal>({ code: "PARAM_ERROR", detail: { field, issue, location: "query" } });
}
