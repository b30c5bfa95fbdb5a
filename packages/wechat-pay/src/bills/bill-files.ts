import { readJson } from "@tillkit/wallet-kit";
import * as z from "zod";
import type { SealedFile } from "../signing/decrypt-file.js";

/** A file of a bill, as WeChat Pay's signed response names it. */
export interface BillFile {
  readonly download_url: string;
  /** The SHA-1 digest of the text of the file: decrypted and decompressed. */
  readonly hash_value: string;
  /** Present if the file is encrypted. */
  readonly sealed?: SealedFile;
}

const named = {
  hash_type: z.literal("SHA1"),
  hash_value: z
    .string()
    .regex(/^[0-9a-fA-F]{40}$/)
    .toLowerCase(),
  download_url: z.url(),
};
const plain = z.object(named);

/** Maximum number of files of a bill. WeChat Pay splits a bill into files of about 16 GB. */
const MAX_FILES = 64;
const sealed = z.object({
  download_bill_count: z.int().min(0),
  download_bill_list: z
    .array(
      z.object({
        ...named,
        bill_sequence: z.int(),
        encrypt_key: z.string().min(1).max(2_048),
        nonce: z.string().min(1).max(64),
      }),
    )
    .max(MAX_FILES)
    .nullish(),
});

/** Reads the response about a bill. Returns `undefined` unless it has the documented form. */
export type ReadBillFiles = (answer: Uint8Array) => readonly BillFile[] | undefined;

/** Reads the response about a bill of one file. */
export const oneFile: ReadBillFiles = (answer) => {
  const file = readJson(plain, answer);
  return file === undefined ? undefined : [file];
};

/** Reads the response about a bill of encrypted files, and returns them in their sequence. */
export const sealedFiles: ReadBillFiles = (answer) => {
  const stated = readJson(sealed, answer);
  const files = [...(stated?.download_bill_list ?? [])].sort(
    (left, right) => left.bill_sequence - right.bill_sequence,
  );
  const isWhole = files.every(({ bill_sequence }, place) => bill_sequence === place + 1);
  if (stated?.download_bill_count !== files.length || !isWhole) return undefined;
  return files.map(({ download_url, hash_value, encrypt_key, nonce }) => ({
    download_url,
    hash_value,
    sealed: { encrypt_key, nonce },
  }));
};
