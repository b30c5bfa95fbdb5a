import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type DownloadedKey, downloadedKeys, type KeyDownloadOptions } from "./downloaded-keys.js";
import { settledOrAborted } from "../gateway/settled-or-aborted.js";

const { publicKey: key } = generateKeyPairSync("ed25519");
const MINUTE = 60_000;
const aKey = (name: string, expiresAt = 1_000 * MINUTE): DownloadedKey => ({
  name,
  key,
  validFrom: 0,
  expiresAt,
});

/** Returns options that count each download and return `keys`. */
function downloads(...keys: readonly DownloadedKey[]) {
  let count = 0;
  const at = (now: number): KeyDownloadOptions => ({
    now,
    pause: MINUTE,
    download: () => {
      count += 1;
      return Promise.resolve(keys);
    },
  });
  return { at, count: () => count };
}

const namesOf = (keys: readonly DownloadedKey[]) => keys.map(({ name }) => name);

describe("downloadedKeys", () => {
  it("keeps downloaded keys only for their account", async () => {
    const newKeys = downloadedKeys();
    await newKeys.downloadMissing("a", "answer", downloads(aKey("k-1"), aKey("k-2")).at(0))?.done;
    expect(newKeys.find("a", "k-1", 1)).toBe(key);
    expect(newKeys.find("b", "k-1", 1)).toBeUndefined();
    expect(namesOf(newKeys.list("a", 1))).toEqual(["k-1", "k-2"]);
    expect(newKeys.list("b", 1)).toEqual([]);
  });

  it("uses no key after it has expired", async () => {
    const newKeys = downloadedKeys();
    await newKeys.downloadMissing("a", "answer", downloads(aKey("k-1", 10)).at(0))?.done;
    expect(newKeys.find("a", "k-1", 9)).toBe(key);
    expect(newKeys.find("a", "k-1", 10)).toBeUndefined();
    expect(newKeys.list("a", 10)).toEqual([]);
  });

  it("reports each new key of an account once, and no expired key", async () => {
    const newKeys = downloadedKeys();
    const reported: string[] = [];
    const onNew = ({ name }: DownloadedKey) => void reported.push(name);
    const { at } = downloads(aKey("k-1"), aKey("k-2", 5 * MINUTE), aKey("k-1"));
    for (const now of [0, MINUTE, 5 * MINUTE, 6 * MINUTE])
      await newKeys.downloadMissing("a", "answer", { ...at(now), onNew })?.done;
    expect(reported).toEqual(["k-1", "k-2"]);
    await newKeys.downloadMissing("b", "answer", { ...at(0), onNew })?.done;
    expect(reported).toEqual(["k-1", "k-2", "k-1", "k-2"]);
  });

  it("downloads once for all concurrent callers", async () => {
    const newKeys = downloadedKeys();
    const { at, count } = downloads(aKey("k-1"));
    const requests = Array.from({ length: 20 }, () => newKeys.downloadMissing("a", "answer", at(0)));
    expect(requests.map((one) => one?.begun)).toEqual([true, ...Array.from({ length: 19 }, () => false)]);
    for (const one of requests) await one?.done;
    expect(count()).toBe(1);
    expect(newKeys.find("a", "k-1", 1)).toBe(key);
  });

  it("downloads once per pause for each account and purpose, after success and failure", async () => {
    const newKeys = downloadedKeys();
    const { at, count } = downloads();
    await newKeys.downloadMissing("a", "answer", at(0))?.done;
    expect(newKeys.downloadMissing("a", "answer", at(MINUTE - 1))).toBeUndefined();
    await newKeys.downloadMissing("a", "notification", at(1))?.done;
    await newKeys.downloadMissing("b", "answer", at(1))?.done;
    expect(count()).toBe(3);
    await newKeys.downloadMissing("a", "answer", at(MINUTE))?.done;
    expect(count()).toBe(4);
  });

  it("keeps its keys if a download fails", async () => {
    const newKeys = downloadedKeys();
    await newKeys.downloadMissing("a", "answer", downloads(aKey("k-1")).at(0))?.done;
    const rejecting = () => Promise.reject(new Error("no"));
    const throwing = () => {
      throw new Error("no");
    };
    for (const [times, download] of [rejecting, throwing].entries()) {
      const now = (times + 1) * MINUTE;
      await newKeys.downloadMissing("a", "answer", { now, pause: MINUTE, download })?.done;
      expect(namesOf(newKeys.list("a", now))).toEqual(["k-1"]);
      expect(newKeys.downloadMissing("a", "answer", downloads().at(now + 1))).toBeUndefined();
    }
  });

  it("downloads again after the clock was set back by more than the pause", async () => {
    const newKeys = downloadedKeys();
    const { at, count } = downloads();
    await newKeys.downloadMissing("a", "answer", at(100 * MINUTE))?.done;
    await newKeys.downloadMissing("a", "answer", at(0))?.done;
    expect(count()).toBe(2);
  });

  it("keeps a limited number of keys per account, the latest ones", async () => {
    const newKeys = downloadedKeys({ maxKeys: 2 });
    await newKeys.downloadMissing("a", "answer", downloads(aKey("k-1"), aKey("k-2")).at(0))?.done;
    await newKeys.downloadMissing("a", "answer", downloads(aKey("k-1"), aKey("k-3")).at(MINUTE))?.done;
    expect(namesOf(newKeys.list("a", MINUTE))).toEqual(["k-1", "k-3"]);
  });

  it("keeps a limited number of accounts, the most recently used ones", async () => {
    const newKeys = downloadedKeys({ maxAccounts: 2 });
    for (const account of ["a", "b", "c"])
      await newKeys.downloadMissing(account, "answer", downloads(aKey("k")).at(0))?.done;
    expect(["a", "b", "c"].map((account) => newKeys.list(account, 1).length)).toEqual([0, 1, 1]);
  });

  it("returns the time since the last download, or since the account was first used", async () => {
    const newKeys = downloadedKeys();
    expect(newKeys.idleFor("a", "answer", 100)).toBe(0);
    expect(newKeys.idleFor("a", "answer", 160)).toBe(60);
    await newKeys.downloadMissing("a", "answer", downloads().at(160))?.done;
    expect(newKeys.idleFor("a", "answer", 200)).toBe(40);
  });
});

describe("settledOrAborted", () => {
  const never = new Promise<never>(() => undefined);
  const open = new AbortController().signal;

  it("resolves when the work has resolved or rejected", async () => {
    await settledOrAborted(Promise.resolve(1), open);
    await settledOrAborted(Promise.reject(new Error("no")), open);
  });

  it("resolves when the signal aborts, before or while it waits", async () => {
    await settledOrAborted(never, AbortSignal.abort());
    const late = new AbortController();
    const settled = settledOrAborted(never, late.signal);
    late.abort();
    await settled;
  });
});
