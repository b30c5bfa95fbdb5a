import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { billDay, type Clock, type WalletAccount, type WalletFailure } from "@tillkit/core";
import type { CallLimits } from "@tillkit/core/ports";
import { abortAfter, invalidBill, textLines } from "@tillkit/wallet-kit";
import { err, ok, Result } from "neverthrow";
import { problemsText } from "../credentials/credential-problem.js";
import type { ReadCredentials } from "../credentials/credentials-cache.js";
import { signingAccount } from "../credentials/signing-account.js";
import type { CallGateway } from "../gateway/call-gateway.js";
import { noResponseFailure } from "../gateway/send-signed.js";
import type { OpenFile } from "../gateway/open-file.js";
import { notSentRefusal } from "../gateway/read-refusal.js";
import { codeOf, connectionFailure } from "../gateway/send-http-request.js";
import { unreadableResponse } from "../gateway/unreadable-response.js";
import { isAbsent } from "../orders/query-order.js";
import { type DecryptFile, fileDecrypter, WRONG_TAG } from "../signing/decrypt-file.js";
import type { BillFile, ReadBillFiles } from "./bill-files.js";

/** Dependencies and limits of the functions that read bills. */
export interface ReadBillOptions {
  readonly call: CallGateway;
  readonly openFile: OpenFile;
  readonly readCredentials: ReadCredentials;
  readonly clock: Pick<Clock, "now">;
  /** Maximum length of a bill, in bytes of its decompressed text. */
  readonly maxBillBytes: number;
}

/** Identifies a bill at WeChat Pay. */
export interface BillRequest<T> {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly day: string;
  readonly filesOf: ReadBillFiles;
  /**
   * The result if WeChat Pay has no bill although every bill should exist by now (`READY_AFTER`).
   */
  readonly absent: Result<T, WalletFailure>;
}

const FILE_PATH = "/v3/billdownload/file";
/** Maximum length of a line in characters. Documented bills have lines of less than a thousand. */
const MAX_LINE = 16_384;
/** WeChat Pay creates the bill of a day by 10:00 on the next day. */
const READY_AFTER = 10 * 3_600_000;
const TOO_LONG = "ERR_BILL_TOO_LONG";

/**
 * Downloads the text of a bill and reads it with `read`.
 *
 * WeChat Pay signs the addresses of the files and the digests of their text, but not the files. The
 * bill is valid if the digests match. The deadline covers the whole call, including the time that
 * `read` needs.
 */
export async function downloadBill<T, E>(
  options: ReadBillOptions,
  account: WalletAccount,
  { path, query, day, filesOf, absent }: BillRequest<T>,
  { deadline }: CallLimits,
  read: (texts: AsyncIterable<string>) => Promise<Result<T, WalletFailure | E>>,
): Promise<Result<T, WalletFailure | E>> {
  const { call, clock, maxBillBytes } = options;
  const begunAt = performance.now();
  const { endsAt } = billDay(day);
  if (clock.now() < endsAt) return err(NOT_READY);
  const none = () => (clock.now() < endsAt + READY_AFTER ? err(NOT_READY) : absent);
  const wanted = new URLSearchParams({ bill_date: day, ...query, tar_type: "GZIP" });
  const request = { method: "GET", path: `${path}?${wanted.toString()}`, body: "" } as const;
  const answer = await call(account, request, { deadline });
  if (answer.isErr()) return isAbsent(answer.error) ? none() : err(answer.error);
  const files = filesOf(answer.value);
  if (files === undefined) return err(unreadableResponse("bill"));
  if (files.length === 0) return none();
  const signal = abortAfter(deadline - (performance.now() - begunAt));
  const opened = await openFiles(options, account, files, signal);
  if (opened.isErr()) return err(opened.error);
  const digests: string[] = [];
  const length = { left: maxBillBytes };
  async function* bytes(open: readonly OpenBillFile[]): AsyncGenerator<Uint8Array> {
    for (const file of open) {
      const digest = createHash("sha1");
      for await (const chunk of unzipped(file, length)) {
        digest.update(chunk);
        yield chunk;
      }
      digests.push(digest.digest("hex"));
    }
  }
  try {
    const text = textLines(bytes(opened.value), { encoding: "utf-8", maxLength: MAX_LINE });
    return (await read(text)).andThen((whole) =>
      files.every(({ hash_value }, place) => digests[place] === hash_value)
        ? ok(whole)
        : err(invalidBill("its text does not have the digest that WeChat Pay signed")),
    );
  } catch (error) {
    return err(brokenBill(error, signal, maxBillBytes));
  } finally {
    for (const { file } of opened.value) file.destroy();
  }
}

const NOT_READY = notSentRefusal(
  "not-ready",
  "WeChat Pay creates the bill of a day by 10:00 on the next day",
);

interface OpenBillFile {
  readonly file: IncomingMessage;
  readonly decrypt: DecryptFile | undefined;
}

/** Opens all files at once, because their addresses are valid for some minutes only. */
async function openFiles(
  { openFile, readCredentials }: ReadBillOptions,
  account: WalletAccount,
  files: readonly BillFile[],
  signal: AbortSignal,
): Promise<Result<readonly OpenBillFile[], WalletFailure>> {
  const credentials = readCredentials(signingAccount(account));
  if (credentials.isErr()) return err(notSentRefusal("configuration", problemsText(credentials.error)));
  const { merchantKey } = credentials.value;
  const located = Result.combine(
    files.map(({ download_url, sealed }): Result<LocatedFile, WalletFailure> => {
      const { pathname, search } = new URL(download_url);
      if (pathname !== FILE_PATH)
        return err(invalidBill(`the address of its file does not have the path ${FILE_PATH}`));
      const path = FILE_PATH + search;
      if (sealed === undefined) return ok({ path, decrypt: undefined });
      const decrypt = fileDecrypter(merchantKey, sealed);
      return decrypt === undefined
        ? err(invalidBill("its key is not encrypted for merchantPrivateKey"))
        : ok({ path, decrypt });
    }),
  );
  if (located.isErr()) return err(located.error);
  const opened = await Promise.all(
    located.value.map(async ({ path, decrypt }) =>
      (await openFile(account, path, signal)).map((file) => ({ file, decrypt })),
    ),
  );
  const all = Result.combine(opened);
  if (all.isErr()) for (const one of opened) if (one.isOk()) one.value.file.destroy();
  return all;
}

interface LocatedFile {
  readonly path: string;
  readonly decrypt: DecryptFile | undefined;
}

/**
 * Decrypts and decompresses a file.
 *
 * If the caller stops early, the connection is closed.
 */
async function* unzipped(
  { file, decrypt }: OpenBillFile,
  length: { left: number },
): AsyncGenerator<Uint8Array> {
  const nothing = () => undefined;
  // The loop throws every error of the pipeline.
  const text =
    decrypt === undefined
      ? pipeline(file, createGunzip(), nothing)
      : pipeline(file, decrypt, createGunzip(), nothing);
  for await (const chunk of text) {
    if (!(chunk instanceof Uint8Array)) continue;
    length.left -= chunk.length;
    if (length.left < 0) throw Object.assign(new Error(TOO_LONG), { code: TOO_LONG });
    yield chunk;
  }
}

function brokenBill(error: unknown, signal: AbortSignal, maxBytes: number): WalletFailure {
  const code = codeOf(error);
  if (signal.aborted) return noResponseFailure(connectionFailure(error, signal));
  if (code === TOO_LONG) return invalidBill(`it is longer than ${maxBytes} bytes`);
  if (code === WRONG_TAG) return invalidBill("it was not encrypted by WeChat Pay, or is not complete");
  if (code.startsWith("Z_")) return invalidBill("it is not a complete gzip file");
  return noResponseFailure(connectionFailure(error, signal));
}
