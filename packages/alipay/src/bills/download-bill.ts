import { isError } from "@tillkit/core/errors";
import { billDay, type WalletAccount, type WalletFailure } from "@tillkit/core";
import type { CallLimits, UnreadableLine } from "@tillkit/core/ports";
import { abortAfter, invalidBill, parseLines, type ParseState, textLines } from "@tillkit/wallet-kit";
import { err, ok, type Result } from "neverthrow";
import { fetchWithLimits } from "../gateway/fetch-with-limits.js";
import { classifyResult, detailOf, refusedOutcome, unknownOutcome } from "../gateway/classify-result.js";
import { callGateway, type GatewayDependencies, noResponseFailure } from "../gateway/call-gateway.js";
import { answered } from "../gateway/post.js";
import type { GatewayResponse } from "../gateway/read-response.js";
import { isBillAddress } from "./bill-address.js";
import { TOO_LONG, unzipBill, type UnzipLimits } from "./unzip-bill.js";

const METHOD = "alipay.data.dataservice.bill.downloadurl.query";
const HOUR = 3_600_000;
/** Time after the end of the day at which Alipay usually has created the bill. */
const READY_AFTER = 9 * HOUR;
/** If a bill does not exist this long after the end of the day, Alipay will not create it. */
const LATEST = 72 * HOUR;
/**
 * Maximum size of an archive in bytes. It is held in memory, because its directory comes last.
 */
const MAX_ARCHIVE = 128 * 1024 * 1024;
/** Maximum length of a line in characters. The longest field is a subject of 256. */
const MAX_LINE = 16_384;

/** Identifies a bill at Alipay. */
interface BillRequest {
  readonly type: string;
  readonly day: string;
  readonly maxBytes: number;
}

/**
 * Downloads the archive of a bill and reads it with `read`.
 *
 * @param none - The result for a day without movements.
 */
export async function downloadBill<T, E>(
  gateway: GatewayDependencies,
  account: WalletAccount,
  { type, day, maxBytes }: BillRequest,
  { deadline }: CallLimits,
  none: T,
  read: (archive: Buffer, limits: UnzipLimits) => Promise<Result<T, WalletFailure | E>>,
): Promise<Result<T, WalletFailure | E>> {
  const begunAt = performance.now();
  const age = gateway.clock.now() - billDay(day).endsAt;
  if (age < 0) return notReady();
  // Without `secure`, Alipay returns a plain http address.
  const content = { bill_type: type, bill_date: day, secure: "true" };
  const named = await callGateway(gateway, account, { deadline })
    .asyncAndThen((call) => call({ method: METHOD, content }))
    .andThen((answer) => addressIn(answer, age));
  if (named.isErr()) return err(named.error);
  if (named.value === EMPTY) return ok(none);
  // A missing fund-flow bill hides no payment and no refund: the trade bill lists them.
  if (named.value === NO_BILL) return type === "trade" ? noBill() : ok(none);
  const address = named.value;
  if (!isBillAddress(address, gateway.addresses[account.appEnv]))
    return err(invalidBill("the address of its file is not an https address of Alipay"));
  const signal = abortAfter(deadline - (performance.now() - begunAt));
  const limits = { signal, maxBytes: Math.min(maxBytes, MAX_ARCHIVE) };
  const archive = await fetchWithLimits(address, { method: "GET" }, limits)
    .mapErr(noResponseFailure)
    .andThen(answered);
  if (archive.isErr()) return err(archive.error);
  try {
    return await read(Buffer.from(archive.value), { signal, maxBytes });
  } catch (error) {
    if (signal.aborted) return unknownOutcome("timeout", "the bill was not read in time");
    const tooLong = isError(error) && error.message === TOO_LONG;
    return err(
      invalidBill(tooLong ? `it is longer than ${maxBytes} bytes` : "it is not a zip file, or it is damaged"),
    );
  }
}

/** How to read each file of an archive, and how to check the totals of all files. */
interface BillTable<L> {
  readonly parser: () => ParseState<L>;
  readonly problem: () => string | undefined;
}

export async function* billLines<L>(
  archive: Buffer,
  { parser, problem }: BillTable<L>,
  limits: UnzipLimits,
): AsyncGenerator<Result<L | UnreadableLine, WalletFailure>> {
  for await (const file of unzipBill(archive, limits))
    yield* parseLines(textLines(file, { encoding: "gbk", maxLength: MAX_LINE }), parser());
  const found = problem();
  if (found !== undefined) yield err(invalidBill(found));
}

/** The result for a day without lines. */
const EMPTY = Symbol("empty");
/** The result if Alipay has no bill of the day. The day may have had movements nevertheless. */
const NO_BILL = Symbol("no bill");

/**
 * Returns the address of a bill, `EMPTY` if the day has no lines, or `NO_BILL`.
 *
 * `NO_BILL_DATA` means an empty day only from 9 hours after the end of the day. `BILL_NOT_EXIST`
 * may mean "not yet" for three days. It never proves that the day was empty.
 */
function addressIn(
  answer: GatewayResponse,
  age: number,
): Result<string | typeof EMPTY | typeof NO_BILL, WalletFailure> {
  const subCode = (answer.sub_code ?? "").replace(/^is[pv]\./i, "").toUpperCase();
  const none = subCode === "NO_BILL_DATA" || answer["bill_file_code"] === "EMPTY_DATA_WITH_BILL_FILE";
  if (none) return age < READY_AFTER ? notReady() : ok(EMPTY);
  if (subCode === "BILL_NOT_EXIST") return age < LATEST ? notReady() : ok(NO_BILL);
  if (subCode === "BILL_DATE_BEFORE_REGISTRATION") return ok(NO_BILL);
  if (subCode === "SYSTEM_RATE_LIMIT" || subCode === "USER_RATE_LIMIT")
    return unknownOutcome("rate-limited", detailOf(answer));
  if (subCode === "UNKNOWN_ERROR") return unknownOutcome("server-error", detailOf(answer));
  return classifyResult(answer).andThen(({ bill_download_url: address }) =>
    typeof address === "string"
      ? ok(address)
      : unknownOutcome("server-error", "the response has no bill_download_url"),
  );
}

function noBill() {
  return refusedOutcome("no-bill", "Alipay has no bill of the day");
}

function notReady() {
  return refusedOutcome("not-ready", "Alipay creates the bill of a day by about 9:00 on the next day");
}
