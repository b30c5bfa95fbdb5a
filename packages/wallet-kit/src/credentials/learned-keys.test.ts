import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type LearnedKey, learnedKeys, type LearnOptions } from "./learned-keys.js";
import { settledOrAborted } from "../gateway/settled-or-aborted.js";

const { publicKey: key } = generateKeyPairSync("ed25519");
const MINUTE = 60_000;
const aKey = (name: string, expiresAt = 1_000 * MINUTE): LearnedKey => ({ name, key, expiresAt });

/** Returns options that count each download and return `keys`. */
function downloads(...keys: readonly LearnedKey[]) {
  let count = 0;
  const at = (now: number): LearnOptions => ({
    now,
    pause: MINUTE,
    download: () => {
      count += 1;
      return Promise.resolve(keys);
    },
  });
  return { at, count: () => count };
}

const namesOf = (keys: readonly LearnedKey[]) => keys.map(({ name }) => name);

describe("learnedKeys", () => {
  it("keeps what was downloaded for the account alone", async () => {
    const learned = learnedKeys();
    await learned.learn("a", "answer", downloads(aKey("k-1"), aKey("k-2")).at(0))?.done;
    expect(learned.find("a", "k-1", 1)).toBe(key);
    expect(learned.find("b", "k-1", 1)).toBeUndefined();
    expect(namesOf(learned.list("a", 1))).toEqual(["k-1", "k-2"]);
    expect(learned.list("b", 1)).toEqual([]);
  });

  it("uses no key after it has expired", async () => {
    const learned = learnedKeys();
    await learned.learn("a", "answer", downloads(aKey("k-1", 10)).at(0))?.done;
    expect(learned.find("a", "k-1", 9)).toBe(key);
    expect(learned.find("a", "k-1", 10)).toBeUndefined();
    expect(learned.list("a", 10)).toEqual([]);
  });

  it("downloads once for all who ask while it is under way", async () => {
    const learned = learnedKeys();
    const { at, count } = downloads(aKey("k-1"));
    const asked = Array.from({ length: 20 }, () => learned.learn("a", "answer", at(0)));
    expect(asked.map((one) => one?.begun)).toEqual([true, ...Array.from({ length: 19 }, () => false)]);
    for (const one of asked) await one?.done;
    expect(count()).toBe(1);
    expect(learned.find("a", "k-1", 1)).toBe(key);
  });

  it("downloads once per pause, for each account and purpose by itself, whatever came of it", async () => {
    const learned = learnedKeys();
    const { at, count } = downloads();
    await learned.learn("a", "answer", at(0))?.done;
    expect(learned.learn("a", "answer", at(MINUTE - 1))).toBeUndefined();
    await learned.learn("a", "notification", at(1))?.done;
    await learned.learn("b", "answer", at(1))?.done;
    expect(count()).toBe(3);
    await learned.learn("a", "answer", at(MINUTE))?.done;
    expect(count()).toBe(4);
  });

  it("learns nothing from a download that fails, and keeps what it knows", async () => {
    const learned = learnedKeys();
    await learned.learn("a", "answer", downloads(aKey("k-1")).at(0))?.done;
    const rejecting = () => Promise.reject(new Error("no"));
    const throwing = () => {
      throw new Error("no");
    };
    for (const [times, download] of [rejecting, throwing].entries()) {
      const now = (times + 1) * MINUTE;
      await learned.learn("a", "answer", { now, pause: MINUTE, download })?.done;
      expect(namesOf(learned.list("a", now))).toEqual(["k-1"]);
      expect(learned.learn("a", "answer", downloads().at(now + 1))).toBeUndefined();
    }
  });

  it("downloads again after the clock was set back by more than the pause", async () => {
    const learned = learnedKeys();
    const { at, count } = downloads();
    await learned.learn("a", "answer", at(100 * MINUTE))?.done;
    await learned.learn("a", "answer", at(0))?.done;
    expect(count()).toBe(2);
  });

  it("holds so many keys of an account, the latest", async () => {
    const learned = learnedKeys({ maxKeys: 2 });
    await learned.learn("a", "answer", downloads(aKey("k-1"), aKey("k-2")).at(0))?.done;
    await learned.learn("a", "answer", downloads(aKey("k-1"), aKey("k-3")).at(MINUTE))?.done;
    expect(namesOf(learned.list("a", MINUTE))).toEqual(["k-1", "k-3"]);
  });

  it("holds so many accounts, those used last", async () => {
    const learned = learnedKeys({ maxAccounts: 2 });
    for (const account of ["a", "b", "c"])
      await learned.learn(account, "answer", downloads(aKey("k")).at(0))?.done;
    expect(["a", "b", "c"].map((account) => learned.list(account, 1).length)).toEqual([0, 1, 1]);
  });

  it("knows for how long nothing was downloaded, from when the account was first seen", async () => {
    const learned = learnedKeys();
    expect(learned.idleFor("a", "answer", 100)).toBe(0);
    expect(learned.idleFor("a", "answer", 160)).toBe(60);
    await learned.learn("a", "answer", downloads().at(160))?.done;
    expect(learned.idleFor("a", "answer", 200)).toBe(40);
  });
});

describe("settledOrAborted", () => {
  const never = new Promise<never>(() => undefined);
  const open = new AbortController().signal;

  it("resolves when the work has settled, in whatever way", async () => {
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
