import {
  billDay,
  type BillLine,
  type BillTotals,
  type CallLimits,
  EMPTY_BILL,
  type Wallet,
  type WalletAccount,
  type WalletFailure,
} from "@tillkit/core";
import { abortAfter, badBill, handOverBill, readStages, textLines } from "@tillkit/runtime";
import { err, ok, type Result, ResultAsync } from "neverthrow";
import { boundedFetch } from "../bounded-fetch.js";
import { classifyAnswer, detailOf, rejected, unknown } from "../classify-answer.js";
import { answered, converse, type Gateway, noAnswer } from "../gateway.js";
import type { Answer } from "../read-answer.js";
import { isBillAddress } from "./bill-address.js";
import { disagreement, openBook } from "./bill-book.js";
import { type BillOf, billStages } from "./bill-stages.js";
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
 * Reads the bill of a day. The wallet signs the address of the archive and nothing in it, nor is there a digest: the bill is believed when it came over https
 * from the wallet, is this seller's and this day's, and agrees with its own counts and sums in both of its files.
 */
export function readBill(gateway: Gateway, maxBytes: number): Wallet["readBill"] {
  return (account, day, take, limits) => new ResultAsync(read(gateway, maxBytes, account, day, take, limits));
}

async function read<E>(
  gateway: Gateway,
  maxBytes: number,
  account: WalletAccount,
  day: string,
  take: (lines: readonly BillLine[]) => ResultAsync<void, E>,
  { deadline }: CallLimits,
): Promise<Result<BillTotals, WalletFailure | E>> {
  const begunAt = performance.now();
  const age = gateway.clock.now() - billDay(day).endsAt;
  if (age < 0) return notReady();
  // Without `secure` the address would be plain http.
  const content = { bill_type: "trade", bill_date: day, secure: "true" };
  const named = await converse(gateway, account, { deadline })
    .asyncAndThen((ask) => ask({ method: METHOD, content }))
    .andThen((answer) => addressIn(answer, age));
  if (named.isErr()) return err(named.error);
  if (named.value === EMPTY) return ok(EMPTY_BILL);
  const address = named.value;
  if (!isBillAddress(address, gateway.addresses[account.appEnv]))
    return err(badBill("it is said to be at an address that is not the wallet's, or not https"));
  const signal = abortAfter(deadline - (performance.now() - begunAt));
  const bounds = { signal, maxBytes: Math.min(maxBytes, MAX_ARCHIVE) };
  const archive = await boundedFetch(address, { method: "GET" }, bounds).mapErr(noAnswer).andThen(answered);
  if (archive.isErr()) return err(archive.error);
  try {
    const of = { sellerId: account.accountId, day };
    return await handOverBill(billLines(Buffer.from(archive.value), of, { signal, maxBytes }), take);
  } catch (error) {
    if (signal.aborted) return unknown("timeout", "the bill was not read in time");
    const tooLong = error instanceof Error && error.message === TOO_LONG;
    return err(
      badBill(tooLong ? `it is longer than ${maxBytes} bytes` : "it is no zip file, or a damaged one"),
    );
  }
}

async function* billLines(
  archive: Buffer,
  of: BillOf,
  bounds: UnzipBounds,
): AsyncGenerator<Result<BillLine, WalletFailure>> {
  const book = openBook();
  for await (const file of unzipBill(archive, bounds))
    yield* readStages(textLines(file, { encoding: "gbk", maxLength: MAX_LINE }), billStages(of, book));
  const problem = disagreement(book);
  if (problem !== undefined) yield err(badBill(problem));
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
