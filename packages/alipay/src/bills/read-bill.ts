import {
  billDay,
  type BillTotals,
  type CallLimits,
  EMPTY_BILL,
  EMPTY_FLOW,
  type UnreadableLine,
  type Wallet,
  type WalletAccount,
  type WalletFailure,
} from "@tillkit/core";
import {
  abortAfter,
  badBill,
  handOverBill,
  handOverFlow,
  readStages,
  type Stage,
  textLines,
} from "@tillkit/wallet-kit";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { boundedFetch } from "../gateway/bounded-fetch.js";
import { classifyAnswer, detailOf, rejected, unknown } from "../gateway/classify-answer.js";
import { answered, converse, type Gateway, noAnswer } from "../gateway/call-api.js";
import type { Answer } from "../gateway/read-answer.js";
import { isBillAddress } from "./bill-address.js";
import { type BillBook, disagreement, openBook } from "./bill-book.js";
import { billStages } from "./bill-stages.js";
import { flowDisagreement, openFlowBook } from "./flow-book.js";
import { flowStages } from "./flow-stages.js";
import { TOO_LONG, unzipBill, type UnzipBounds } from "./unzip-bill.js";

const METHOD = "alipay.data.dataservice.bill.downloadurl.query";
const HOUR = 3_600_000;
/** When the wallet has made the bill of a day, counted from the end of the day; it may be late. */
const READY = 9 * HOUR;
/** When a bill that does not exist is none that is late. */
const LATEST = 24 * HOUR;
/** Bytes of an archive: it is unpacked from memory, for only its end says what is in it. */
const MAX_ARCHIVE = 128 * 1024 * 1024;
/** The longest line, in characters; the longest field is a subject of 256. */
const MAX_LINE = 16_384;

/**
 * Reads the trade bill of a day. The wallet signs the address of the archive and nothing in it, nor is there a digest: the bill is believed when it came over https
 * from the wallet, is this seller's and this day's, and agrees with its own counts and sums in both of its files.
 */
export function readBill(gateway: Gateway, maxBytes: number): Wallet["readBill"] {
  return (account, day, take, limits) => {
    const book = openBook();
    const of = { sellerId: account.accountId, day };
    const table = { stages: () => billStages(of, book), problem: () => disagreement(book) };
    const asked = { type: "trade", day, maxBytes };
    const read = readArchive(gateway, account, asked, limits, EMPTY_BILL, async (archive, bounds) =>
      (await handOverBill(billLines(archive, table, bounds), take)).map((totals) => completed(totals, book)),
    );
    return new ResultAsync(read);
  };
}

/** Reads the fund-flow bill of the seller's account, as `readBill` reads the trade bill. */
export function readFundFlow(gateway: Gateway, maxBytes: number): Wallet["readFundFlow"] {
  return (account, day, take, limits) => {
    const book = openFlowBook();
    const of = { sellerId: account.accountId, day };
    const table = { stages: () => flowStages(of, book), problem: () => flowDisagreement(book) };
    const asked = { type: "signcustomer", day, maxBytes };
    const read = readArchive(gateway, account, asked, limits, EMPTY_FLOW, async (archive, bounds) =>
      handOverFlow(billLines(archive, table, bounds), take),
    );
    return new ResultAsync(read);
  };
}

/** What the lines hold, with what the bill states of itself: its fees, and what its totals leave for unreadable lines. */
function completed(totals: BillTotals, { summary, left }: BillBook): BillTotals {
  const { unreadable } = totals;
  return {
    ...totals,
    ...(summary === undefined ? {} : { fees: summary.fees }),
    ...(unreadable === undefined
      ? {}
      : {
          unreadable: {
            ...unreadable,
            paymentAmount: left.payments.received,
            refundAmount: Math.abs(left.refunds.received),
          },
        }),
  };
}

/** Which bill is asked for. */
interface AskedBill {
  readonly type: string;
  readonly day: string;
  readonly maxBytes: number;
}

/** Fetches the archive of a bill and reads it with `read`; `none` stands for the bill of a day without money. */
async function readArchive<T, E>(
  gateway: Gateway,
  account: WalletAccount,
  { type, day, maxBytes }: AskedBill,
  { deadline }: CallLimits,
  none: T,
  read: (archive: Buffer, bounds: UnzipBounds) => Promise<Result<T, WalletFailure | E>>,
): Promise<Result<T, WalletFailure | E>> {
  const begunAt = performance.now();
  const age = gateway.clock.now() - billDay(day).endsAt;
  if (age < 0) return notReady();
  // Without `secure` the address would be plain http.
  const content = { bill_type: type, bill_date: day, secure: "true" };
  const named = await converse(gateway, account, { deadline })
    .asyncAndThen((ask) => ask({ method: METHOD, content }))
    .andThen((answer) => addressIn(answer, age));
  if (named.isErr()) return err(named.error);
  if (named.value === EMPTY) return ok(none);
  const address = named.value;
  if (!isBillAddress(address, gateway.addresses[account.appEnv]))
    return err(badBill("it is said to be at an address that is not the wallet's, or not https"));
  const signal = abortAfter(deadline - (performance.now() - begunAt));
  const bounds = { signal, maxBytes: Math.min(maxBytes, MAX_ARCHIVE) };
  const archive = await boundedFetch(address, { method: "GET" }, bounds).mapErr(noAnswer).andThen(answered);
  if (archive.isErr()) return err(archive.error);
  try {
    return await read(Buffer.from(archive.value), { signal, maxBytes });
  } catch (error) {
    if (signal.aborted) return unknown("timeout", "the bill was not read in time");
    const tooLong = error instanceof Error && error.message === TOO_LONG;
    return err(
      badBill(tooLong ? `it is longer than ${maxBytes} bytes` : "it is no zip file, or a damaged one"),
    );
  }
}

/** How the files of an archive are read: each by stages of its own, and all of them must agree in the end. */
interface BillTable<L> {
  readonly stages: () => Stage<L>;
  readonly problem: () => string | undefined;
}

async function* billLines<L>(
  archive: Buffer,
  { stages, problem }: BillTable<L>,
  bounds: UnzipBounds,
): AsyncGenerator<Result<L | UnreadableLine, WalletFailure>> {
  for await (const file of unzipBill(archive, bounds))
    yield* readStages(textLines(file, { encoding: "gbk", maxLength: MAX_LINE }), stages());
  const found = problem();
  if (found !== undefined) yield err(badBill(found));
}

/** Stands for a day on which there was nothing to state. */
const EMPTY = Symbol("empty");

/** Where the bill is. That there is none is believed no earlier than bills are made, and in words that may mean "not yet" a day later. */
function addressIn(answer: Answer, age: number): Result<string | typeof EMPTY, WalletFailure> {
  const word = (answer.sub_code ?? "").replace(/^is[pv]\./i, "").toUpperCase();
  const none = word === "NO_BILL_DATA" || answer["bill_file_code"] === "EMPTY_DATA_WITH_BILL_FILE";
  if (none) return age < READY ? notReady() : ok(EMPTY);
  if (word === "BILL_NOT_EXIST") return age < LATEST ? notReady() : ok(EMPTY);
  if (word === "SYSTEM_RATE_LIMIT" || word === "USER_RATE_LIMIT")
    return unknown("rate-limited", detailOf(answer));
  if (word === "UNKNOWN_ERROR") return unknown("server-error", detailOf(answer));
  return classifyAnswer(answer).andThen(({ bill_download_url: address }) =>
    typeof address === "string"
      ? ok(address)
      : unknown("server-error", "the answer has no bill_download_url"),
  );
}

function notReady() {
  return rejected(
    "not-ready",
    "WALLET_B makes the bill of a day by nine o'clock of the next, at times later",
  );
}
