import { createHash, type Hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import {
  billDay,
  type BillTotals,
  type CallLimits,
  type Clock,
  EMPTY_BILL,
  EMPTY_FLOW,
  type Wallet,
  type WalletAccount,
  type WalletFailure,
} from "@tillkit/core";
import {
  abortAfter,
  invalidBill,
  parseLines,
  readJson,
  streamBillLines,
  streamFlowLines,
  textLines,
} from "@tillkit/wallet-kit";
import { err, errAsync, ok, type Result, ResultAsync } from "neverthrow";
import * as z from "zod";
import { type CallGateway, noResponseFailure } from "../gateway/call-gateway.js";
import { connectionFailure, codeOf } from "../gateway/send-http-request.js";
import type { OpenFile } from "../gateway/open-file.js";
import { notSentRefusal } from "../gateway/read-refusal.js";
import { isAbsent } from "../orders/query-order.js";
import { unreadableResponse } from "../gateway/unreadable-response.js";
import { billParser, createBillAccumulator, type BillAccumulator } from "./bill-parser.js";
import { flowParser } from "./flow-parser.js";
import { subMerchant } from "../credentials/signing-account.js";

/** Dependencies and limits of the functions that read bills. */
export interface ReadBillOptions {
  readonly call: CallGateway;
  readonly openFile: OpenFile;
  readonly clock: Pick<Clock, "now">;
  /** Maximum length of a bill, in bytes of its decompressed text. */
  readonly maxBillBytes: number;
}

/** The signed response that contains the address of a bill file and the digest of its text. */
const billFile = z.object({
  hash_type: z.literal("SHA1"),
  hash_value: z.string().regex(/^[0-9a-fA-F]{40}$/),
  download_url: z.url(),
});

const TRADE_BILL = "/v3/bill/tradebill";
const FILE_PATH = "/v3/billdownload/file";
/** Maximum length of a line in characters. Documented bills have lines of less than a thousand. */
const MAX_LINE = 16_384;
/** By 10:00 on the next day every bill exists. */
const READY_AFTER = 10 * 3_600_000;
const TOO_LONG = "ERR_BILL_TOO_LONG";

/**
 * Reads the trade bill of a day and passes its lines to `take`.
 *
 * WeChat Pay signs the address of the file and the digest of its text, but not the file. The bill
 * is valid if the digest matches and the totals agree. The deadline covers the whole call,
 * including the time that `take` needs.
 */
export function readBill(options: ReadBillOptions): Wallet["readBill"] {
  return (account, day, take, limits) => {
    const accumulator = createBillAccumulator();
    const of = { merchantId: account.accountId, providerId: account.provider?.accountId, day };
    const query = new URLSearchParams({ bill_type: "ALL", ...subMerchant(account) }).toString();
    const request = { path: TRADE_BILL, type: query, day };
    const read = readText(options, account, request, limits, EMPTY_BILL, async (texts) =>
      (await streamBillLines(parseLines(texts, billParser(of, accumulator)), take)).map((totals) =>
        completed(totals, accumulator),
      ),
    );
    return new ResultAsync(read);
  };
}

/**
 * Reads the fund-flow bill of the merchant's basic account. See {@link readBill}.
 *
 * WeChat Pay encrypts the fund-flow bills of sub-merchants, and the adapter does not read them.
 */
export function readFundFlow(options: ReadBillOptions): Wallet["readFundFlow"] {
  return (account, day, take, limits) => {
    if (account.provider !== undefined) return errAsync(NO_FLOW);
    const request = { path: "/v3/bill/fundflowbill", type: "account_type=BASIC", day };
    const read = readText(options, account, request, limits, EMPTY_FLOW, async (texts) =>
      streamFlowLines(parseLines(texts, flowParser(day)), take),
    );
    return new ResultAsync(read);
  };
}

/** Adds the fees of the bill and the amounts of its unreadable lines to the totals. */
function completed(totals: BillTotals, { stated: { fees, left } }: BillAccumulator): BillTotals {
  const { unreadable } = totals;
  return {
    ...totals,
    ...(fees === undefined ? {} : { fees }),
    ...(unreadable === undefined || left === undefined
      ? {}
      : { unreadable: { ...unreadable, paymentAmount: left.order, refundAmount: left.refund } }),
  };
}

/** Identifies a bill at WeChat Pay. */
interface BillRequest {
  readonly path: string;
  readonly type: string;
  readonly day: string;
}

/**
 * Downloads the text of a bill and reads it with `read`.
 *
 * @param none - The result for a day without movements.
 */
async function readText<T, E>(
  { call, openFile, clock, maxBillBytes }: ReadBillOptions,
  account: WalletAccount,
  { path: of, type, day }: BillRequest,
  { deadline }: CallLimits,
  none: T,
  read: (texts: AsyncIterable<string>) => Promise<Result<T, WalletFailure | E>>,
): Promise<Result<T, WalletFailure | E>> {
  const begunAt = performance.now();
  const { endsAt } = billDay(day);
  if (clock.now() < endsAt) return err(NOT_READY);
  const path = `${of}?bill_date=${encodeURIComponent(day)}&${type}&tar_type=GZIP`;
  const answer = await call(account, { method: "GET", path, body: "" }, { deadline });
  if (answer.isErr()) {
    if (!isAbsent(answer.error)) return err(answer.error);
    if (clock.now() < endsAt + READY_AFTER) return err(NOT_READY);
    // A missing fund-flow bill hides no payment and no refund: the trade bill lists them.
    return of === TRADE_BILL ? err(NO_BILL) : ok(none);
  }
  const file = readJson(billFile, answer.value);
  if (file === undefined) return err(unreadableResponse("bill"));
  const { pathname, search } = new URL(file.download_url);
  if (pathname !== FILE_PATH)
    return err(invalidBill(`the address of its file does not have the path ${FILE_PATH}`));
  const signal = abortAfter(deadline - (performance.now() - begunAt));
  const opened = await openFile(account, FILE_PATH + search, signal);
  if (opened.isErr()) return err(opened.error);
  const digest = createHash("sha1");
  try {
    const text = textLines(unzipped(opened.value, digest, maxBillBytes), {
      encoding: "utf-8",
      maxLength: MAX_LINE,
    });
    return (await read(text)).andThen((whole) =>
      timingSafeEqual(digest.digest(), Buffer.from(file.hash_value, "hex"))
        ? ok(whole)
        : err(invalidBill("its text does not have the digest that WeChat Pay signed")),
    );
  } catch (error) {
    return err(brokenBill(error, signal, maxBillBytes));
  }
}

const NO_FLOW = notSentRefusal(
  "configuration",
  "the fund-flow bill of a sub-merchant is encrypted and not supported; nothing was sent",
);

/** The failure if WeChat Pay has no bill, which does not state that the day was empty. */
const NO_BILL: WalletFailure = {
  name: "wallet.rejected",
  reason: "no-bill",
  trusted: true,
  detail: "WeChat Pay has no bill of the day",
};

const NOT_READY = notSentRefusal(
  "not-ready",
  "WeChat Pay creates the bill of a day by 10:00 on the next day",
);

/**
 * Decompresses a file and updates `digest` with its text.
 *
 * If the caller stops early, the connection is closed.
 */
async function* unzipped(file: IncomingMessage, digest: Hash, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  // The loop throws every error of the pipeline.
  for await (const chunk of pipeline(file, createGunzip(), () => undefined)) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > maxBytes) throw Object.assign(new Error(TOO_LONG), { code: TOO_LONG });
    digest.update(chunk);
    yield chunk;
  }
}

function brokenBill(error: unknown, signal: AbortSignal, maxBytes: number): WalletFailure {
  const code = codeOf(error);
  if (signal.aborted) return noResponseFailure(connectionFailure(error, signal));
  if (code === TOO_LONG) return invalidBill(`it is longer than ${maxBytes} bytes`);
  if (code.startsWith("Z_")) return invalidBill("it is not a complete gzip file");
  return noResponseFailure(connectionFailure(error, signal));
}
