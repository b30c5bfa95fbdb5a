import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { orThrow, type WalletAccount } from "@tillkit/core";
import type { FlowEntry } from "@tillkit/core/ports";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { FLOW, FLOW_HEADER, FLOW_LAST, FLOW_TOTALS } from "../testing/flow-text.js";
import { account, merchant, stranger } from "../testing/keys.js";
import { openWallet } from "../testing/open-wallet.js";
import { LIMITS } from "../testing/requests.js";
import { sealFile } from "../testing/seal-file.js";
import type { WireReply } from "../testing/wechat-wire.js";

const DAY = "2026-11-19";
const subMerchant: WalletAccount = {
  ...account,
  id: "01TESTSUBMERCHANT",
  accountId: "1900000999",
  credentials: { provider: account.id },
  provider: account,
};

/** A file that the server serves, and what its response says about it. */
interface ServedFile {
  readonly file: Buffer;
  readonly named: Readonly<Record<string, unknown>>;
}

/** Encrypts a part of a bill for the provider. */
function part(bill_sequence: number, text: string | Uint8Array, publicKey = merchant.publicKey): ServedFile {
  const { file, sealed } = sealFile(gzipSync(text), publicKey);
  const named = {
    bill_sequence,
    hash_type: "SHA1",
    hash_value: createHash("sha1").update(text).digest("hex"),
    download_url: `https://api.mch.weixin.qq.com/v3/billdownload/file?token=${String(bill_sequence)}`,
    ...sealed,
  };
  return { file, named };
}

interface Served {
  readonly files?: readonly ServedFile[];
  readonly answer?: object;
  readonly reply?: WireReply;
  readonly of?: WalletAccount;
  readonly maxBillBytes?: number;
}

/** Reads a bill of one part, unless other parts are given. */
async function read({ files = [part(1, FLOW.join("\r\n"))], answer, reply, of, maxBillBytes }: Served = {}) {
  const requests: string[] = [];
  const stated = {
    download_bill_count: files.length,
    download_bill_list: files.map(({ named }) => named),
    ...answer,
  };
  const { wallet, wire } = await openWallet(
    (call, response) => {
      requests.push(call.target);
      const token = /billdownload\/file\?token=(\d+)$/.exec(call.target)?.[1];
      if (token === undefined) return reply ?? { status: 200, body: JSON.stringify(stated) };
      response.writeHead(200).end(files.find(({ named }) => named["bill_sequence"] === Number(token))?.file);
      return undefined;
    },
    maxBillBytes === undefined ? {} : { maxBillBytes },
  );
  const lines: FlowEntry[] = [];
  const take = (some: readonly FlowEntry[]) => okAsync(void lines.push(...some));
  const totals = await wallet.readFundFlow(of ?? subMerchant, DAY, take, LIMITS);
  expect(wire.refused).toEqual([]);
  return { totals, lines, requests };
}

async function problemOf(served: Served): Promise<string> {
  const failure = (await read(served)).totals._unsafeUnwrapErr();
  expect(failure).toMatchObject({ name: "wallet.unknown", cause: "unverified" });
  return failure.detail;
}

describe("the fund-flow bill of a sub-merchant", () => {
  it("is requested, and decrypted, by its service provider", async () => {
    const { totals, lines, requests } = await read();
    expect(orThrow(totals)).toEqual({ lines: 5, income: 1_003, expense: 5_506 });
    expect(lines.map((line) => line.kind)).toEqual(["payment", "fee", "refund", "fee", "other"]);
    expect(requests).toEqual([
      "/base/v3/bill/sub-merchant-fundflowbill?bill_date=2026-11-19&account_type=BASIC" +
        "&sub_mchid=1900000999&algorithm=AEAD_AES_256_GCM&tar_type=GZIP",
      "/base/v3/billdownload/file?token=1",
    ]);
  });

  it("is read from several files in their sequence, wherever WeChat Pay cuts it", async () => {
    const text = FLOW.join("\r\n");
    const whole = await read();
    for (const cut of [5, 300, 1_001]) {
      const bytes = Buffer.from(text);
      const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
      // A cut may be inside a character, so the parts are bytes.
      const files = [part(2, second), part(1, first)];
      const { totals, lines } = await read({ files });
      expect(orThrow(totals)).toEqual(orThrow(whole.totals));
      expect(lines).toEqual(whole.lines);
    }
  });

  it("is empty without files or movements", async () => {
    const nothing = { lines: 0, income: 0, expense: 0 };
    const empty = [FLOW_HEADER, FLOW_TOTALS, "`0,`0,`0.00,`0,`0.00"].join("\n");
    expect(orThrow((await read({ files: [part(1, empty)] })).totals)).toEqual(nothing);
    for (const answer of [{}, { download_bill_list: null }, { download_bill_list: undefined }])
      expect(orThrow((await read({ files: [], answer })).totals)).toEqual(nothing);
    const reply = { status: 400, body: JSON.stringify({ code: "NO_STATEMENT_EXIST", message: "none" }) };
    expect(orThrow((await read({ reply })).totals)).toEqual(nothing);
  });

  it("fails with a trusted refusal if the provider does not have the permission", async () => {
    const reply = { status: 403, body: JSON.stringify({ code: "NO_AUTH", message: "无权限" }) };
    expect((await read({ reply })).totals._unsafeUnwrapErr()).toMatchObject({
      name: "wallet.rejected",
      reason: "configuration",
      trusted: true,
    });
  });
});

describe("an encrypted fund-flow bill", () => {
  it("is invalid if it was encrypted for another merchant", async () => {
    const text = FLOW.join("\r\n");
    const problem = await problemOf({ files: [part(1, text, stranger.publicKey)] });
    expect(problem).toContain("not encrypted for merchantPrivateKey");
  });

  it("is invalid if a file was changed, is cut, or is not encrypted", async () => {
    const { file, named } = part(1, FLOW.join("\r\n"));
    const changed = Buffer.from(file);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    for (const served of [changed, file.subarray(0, -1), Buffer.alloc(0)])
      expect(await problemOf({ files: [{ file: served, named }] })).toMatch(/not encrypted by WeChat|gzip/);
    expect(await problemOf({ files: [{ file: gzipSync(FLOW.join("\r\n")), named }] })).toMatch(
      /not encrypted by WeChat|gzip/,
    );
  });

  it("is invalid if a file was replaced by another file that WeChat Pay encrypted", async () => {
    const one = part(1, FLOW.join("\r\n"));
    const other = part(1, FLOW.join("\n"));
    const { encrypt_key, nonce } = other.named;
    const named = { ...one.named, encrypt_key, nonce };
    expect(await problemOf({ files: [{ file: other.file, named }] })).toContain("digest");
  });

  it("is invalid if the digest of a later file differs, or a file is missing", async () => {
    const rows = [FLOW_HEADER, ...FLOW.slice(1, 5)].join("\n");
    const end = ["", FLOW_TOTALS, FLOW_LAST].join("\n");
    const [first, second] = [part(1, rows), part(2, end)];
    expect((await read({ files: [first, second] })).totals.isOk()).toBe(true);
    const hash_value = createHash("sha1").update("other").digest("hex");
    const changed = { ...second, named: { ...second.named, hash_value } };
    expect(await problemOf({ files: [first, changed] })).toContain("digest");
    expect(await problemOf({ files: [first] })).toContain("ends early");
  });

  it("is limited in length over all files", async () => {
    const text = FLOW.join("\r\n");
    const [first, second] = [text.slice(0, 400), text.slice(400)];
    const files = [part(1, first), part(2, second)];
    const maxBillBytes = Buffer.byteLength(text);
    expect((await read({ files, maxBillBytes })).totals.isOk()).toBe(true);
    expect(await problemOf({ files, maxBillBytes: maxBillBytes - 1 })).toContain("longer than");
  });

  it.each([
    ["another number of files", { download_bill_count: 2 }],
    ["no number of files", { download_bill_count: undefined }],
    ["a gap in the sequence", { download_bill_list: [part(2, "x").named] }],
    ["no key", { download_bill_list: [{ ...part(1, "x").named, encrypt_key: undefined }] }],
    ["no nonce", { download_bill_list: [{ ...part(1, "x").named, nonce: "" }] }],
    ["another hash algorithm", { download_bill_list: [{ ...part(1, "x").named, hash_type: "MD5" }] }],
  ])("is not read with %s", async (_, answer) => {
    expect(await problemOf({ answer })).toContain("no readable bill");
  });

  it("is not downloaded from another path", async () => {
    const { file, named } = part(1, FLOW.join("\r\n"));
    const download_url = "https://api.mch.weixin.qq.com/v3/refund?token=1";
    expect(await problemOf({ files: [{ file, named: { ...named, download_url } }] })).toContain("path");
  });

  it("is not read from a server that refuses one of its files", async () => {
    const files = [part(1, FLOW.slice(0, 3).join("\n")), part(2, FLOW.slice(3).join("\n"))];
    const { wallet } = await openWallet((call, response) => {
      const token = /token=(\d+)$/.exec(call.target)?.[1];
      const list = { download_bill_count: 2, download_bill_list: files.map(({ named }) => named) };
      if (token === undefined) return { status: 200, body: JSON.stringify(list) };
      if (token === "2") return { status: 400, body: '{"code":"INVALID_REQUEST"}', proof: "none" };
      response.writeHead(200).end(files[0]?.file);
      return undefined;
    });
    const totals = await wallet.readFundFlow(subMerchant, DAY, () => okAsync(undefined), LIMITS);
    expect(totals._unsafeUnwrapErr()).toMatchObject({ name: "wallet.rejected", trusted: false });
  });
});
