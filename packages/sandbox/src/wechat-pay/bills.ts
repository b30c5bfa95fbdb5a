import { err, ok, type Result } from "neverthrow";
import { accountFlow, flowUnder } from "../bills/account-flow.js";
import { contentsUnder, movementsOf } from "../bills/movements.js";
import { createBillArchive, type ArchivedBill } from "../bills/bill-archive.js";
import type { FaultSettings } from "../faults.js";
import type { SandboxKeys } from "../keys.js";
import type { Ledger } from "../ledger.js";
import { SUB_MERCHANTS, type WalletAMerchant } from "../merchant.js";
import type { WireOutcome } from "../wire/serve.js";
import type { WalletAAnswer, WalletARefusal } from "./answers.js";
import { digestOf } from "./bill-file.js";
import { BILL_TYPES, writeWalletABill } from "./bill-text.js";
import { writeWalletAFlow } from "./flow-text.js";
import { fileSealer, type FileSeal } from "./seal-file.js";

/** The dependencies of WeChat Pay's bills. */
export interface WalletABillsOptions {
  readonly ledger: Pick<Ledger, "all">;
  readonly merchant: Pick<WalletAMerchant, "mchid">;
  readonly keys: Pick<SandboxKeys, "walletA">;
  readonly clock: { now(): number };
  readonly faults: Pick<FaultSettings, "takeBillFile" | "takeFlowFile">;
}

/** The bills of WeChat Pay. */
export interface WalletABills {
  /**
   * Returns the download URL of a day's bill.
   *
   * @param path - a path for which {@link isBillPath} is true.
   * @param host - the host name that the merchant used to reach WeChat Pay.
   */
  ask(path: string, query: URLSearchParams, host: string): Result<WalletAAnswer, WalletARefusal>;
  /** Returns the file of a download URL. */
  fetch(query: URLSearchParams): Result<WireOutcome, WalletARefusal>;
}

const TRADE_PATH = "/v3/bill/tradebill";
const FLOW_PATH = "/v3/bill/fundflowbill";
const SUB_FLOW_PATH = "/v3/bill/sub-merchant-fundflowbill";
/** The path of the bill files. */
export const BILL_FILE_PATH = "/v3/billdownload/file";

const SUB_MCHIDS = SUB_MERCHANTS.map(({ walletA }) => walletA.mchid);

/** A bill, and its key if the file is encrypted. */
interface OrderedBill {
  readonly archived: Result<ArchivedBill, "not-ready">;
  readonly seal?: FileSeal;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
const THREE_MONTHS = 92 * 24 * HOUR;
/** The accounts of a merchant. All payments of the sandbox arrive at `BASIC`. */
const ACCOUNTS = ["BASIC", "OPERATION", "FEES"] as const;
/** The accounts of a sub-merchant. */
const SUB_ACCOUNTS = [...ACCOUNTS, "DEPOSIT"] as const;

/** Returns whether this path requests a bill. */
export function isBillPath(path: string): boolean {
  return path === TRADE_PATH || path === FLOW_PATH || path === SUB_FLOW_PATH;
}

/**
 * Opens the bills over a ledger.
 *
 * The bills of a day are available from ten o'clock (China time) of the next day. A download URL is
 * valid for five minutes.
 */
export function walletABills(options: WalletABillsOptions): WalletABills {
  const { ledger, merchant, keys, clock, faults } = options;
  const archive = createBillArchive({ clock, readyAfter: 10 * HOUR, lifetime: 5 * MINUTE });
  type BillResult = Result<OrderedBill, WalletARefusal>;
  const tradeBill = (query: URLSearchParams, day: string, isZipped: boolean): BillResult => {
    const type = BILL_TYPES.find((one) => one === (query.get("bill_type") ?? "ALL"));
    if (type === undefined) return wrong("bill_type", "not ALL, SUCCESS or REFUND");
    const subMchid = query.get("sub_mchid");
    // Without `sub_mchid`, the bill of a service provider also lists all of its sub-merchants.
    const owners = subMchid === null ? [merchant.mchid, ...SUB_MCHIDS] : [subMchid];
    if (subMchid !== null && !SUB_MCHIDS.includes(subMchid)) return err({ code: "NO_AUTH" });
    const fault = faults.takeBillFile("walletA");
    return ok({
      archived: archive.order(day, fault, (form) => {
        const movements = owners
          .flatMap((owner) => movementsOf(ledger.all(), owner, day))
          .sort((left, right) => left.at - right.at);
        const contents = contentsUnder(fault, movements, day);
        return writeWalletABill(contents, { ...form, type, isZipped });
      }),
    });
  };
  const fundFlow = (query: URLSearchParams, day: string, isZipped: boolean): BillResult => {
    const account = ACCOUNTS.find((one) => one === (query.get("account_type") ?? "BASIC"));
    if (account === undefined) return wrong("account_type", "not BASIC, OPERATION or FEES");
    return flowOf(merchant.mchid, account, day, isZipped);
  };
  const subMerchantFlow = (query: URLSearchParams, day: string, isZipped: boolean): BillResult => {
    const account = SUB_ACCOUNTS.find((one) => one === query.get("account_type"));
    if (account === undefined) return wrong("account_type", "not BASIC, OPERATION, FEES or DEPOSIT");
    if (query.get("algorithm") !== "AEAD_AES_256_GCM") return wrong("algorithm", "not AEAD_AES_256_GCM");
    const subMchid = query.get("sub_mchid");
    if (subMchid === null) return wrong("sub_mchid", "missing");
    if (!SUB_MCHIDS.includes(subMchid)) return err({ code: "NO_AUTH" });
    const { seal, encrypt } = fileSealer(keys.walletA.merchant.publicKey);
    return flowOf(subMchid, account, day, isZipped, encrypt).map((ordered) => ({ ...ordered, seal }));
  };
  function flowOf(
    owner: string,
    account: (typeof SUB_ACCOUNTS)[number],
    day: string,
    isZipped: boolean,
    encrypt: (file: Uint8Array) => Uint8Array = (file) => file,
  ): BillResult {
    const fault = faults.takeFlowFile("walletA");
    if (fault === "no-permission") return err({ code: "NO_AUTH" });
    return ok({
      archived: archive.order(day, fault, (form) => {
        const flow = account === "BASIC" ? accountFlow(ledger.all(), owner, day, true) : [];
        const written = writeWalletAFlow(flowUnder(fault, flow), { ...form, isZipped });
        return { ...written, file: encrypt(written.file) };
      }),
    });
  }
  const flows = new Map([
    [FLOW_PATH, fundFlow],
    [SUB_FLOW_PATH, subMerchantFlow],
  ]);
  return {
    ask: (path, query, host) => {
      const day = query.get("bill_date") ?? "";
      const from = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00+08:00`) : NaN;
      if (Number.isNaN(from)) return wrong("bill_date", "not yyyy-MM-dd");
      if (from < clock.now() - THREE_MONTHS) return wrong("bill_date", "more than three months ago");
      const packing = query.get("tar_type");
      if (packing !== null && packing !== "GZIP") return wrong("tar_type", "not GZIP");
      const bill = flows.get(path) ?? tradeBill;
      return bill(query, day, packing === "GZIP").andThen(({ archived, seal }) =>
        archived
          .mapErr((): WalletARefusal => ({ code: "STATEMENT_CREATING" }))
          .andThen(({ token, text, isEmpty }) => {
            if (isEmpty) return err<never, WalletARefusal>({ code: "NO_STATEMENT_EXIST" });
            const file = {
              hash_type: "SHA1",
              hash_value: digestOf(text),
              download_url: `http://${host}${BILL_FILE_PATH}?token=${token}`,
            };
            const body =
              seal === undefined
                ? file
                : { download_bill_count: 1, download_bill_list: [{ bill_sequence: 1, ...file, ...seal }] };
            return ok({ status: 200, body: JSON.stringify(body) });
          }),
      );
    },
    fetch: (query) => {
      const file = archive.fetch(query.get("token") ?? "");
      return file === undefined ? err({ code: "INVALID_REQUEST" }) : ok(file);
    },
  };
}

function wrong(field: string, issue: string) {
  return err<never, WalletARefusal>({ code: "PARAM_ERROR", detail: { field, issue, location: "query" } });
}
