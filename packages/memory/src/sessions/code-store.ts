import type { AuthCode, CodeStore } from "@tillkit/core/ports";
import { frozen } from "../state/frozen.js";
import { compositeKey, type MemoryState, type StoredCodes } from "../state/memory-state.js";
import { removeWhere } from "../state/remove-where.js";
import { runAtomically } from "../state/run-atomically.js";

const NOTHING_STORED: StoredCodes = { codes: [], tries: 0, dayTries: 0, dayEndsAt: 0, endsAt: 0 };

/** Creates a `CodeStore` in memory. */
export function memoryCodeStore({ codes: numbers }: Pick<MemoryState, "codes">): CodeStore {
  const storedOf = (key: Pick<AuthCode, "appId" | "phoneHash">) =>
    numbers.get(ownerOf(key)) ?? NOTHING_STORED;
  return {
    add: (code, { now, perDay }) =>
      runAtomically(() => {
        const stored = storedOf(code);
        if (triesOfDay(stored, now) >= perDay) return "locked";
        const added = { code: frozen(code), triesBefore: stored.tries };
        const codes = [added, ...stored.codes].slice(0, MOST_CODES);
        const endsAt = Math.max(stored.endsAt, code.expiresAt);
        numbers.set(ownerOf(code), { ...stored, codes, endsAt });
        return stored.codes.slice(0, 1).some(isLive(now)) ? "beside" : "alone";
      }),
    dropEarlier: (code) =>
      runAtomically(() => {
        const stored = storedOf(code);
        const place = placeOf(stored, code);
        if (place >= 0) numbers.set(ownerOf(code), { ...stored, codes: stored.codes.slice(0, place + 1) });
      }),
    drop: (code) =>
      runAtomically(() => {
        const stored = storedOf(code);
        const place = placeOf(stored, code);
        if (place >= 0) numbers.set(ownerOf(code), { ...stored, codes: stored.codes.toSpliced(place, 1) });
      }),
    attempt: (tried, { now, dayEndsAt, perCode, perDay }) =>
      runAtomically(() => {
        const stored = storedOf(tried);
        const dayTries = triesOfDay(stored, now);
        if (dayTries >= perDay) return "locked";
        const live = stored.codes.slice(0, 2).filter(isLive(now));
        if (live.length === 0) return "none";
        const open = live.filter(({ triesBefore }) => stored.tries - triesBefore < perCode);
        if (open.length === 0) return "exhausted";
        if (open.some(({ code }) => code.codeHash === tried.codeHash)) {
          numbers.set(ownerOf(tried), { ...stored, codes: [] });
          return "matched";
        }
        const endsAt = Math.max(stored.endsAt, dayEndsAt);
        const counted = { tries: stored.tries + 1, dayTries: dayTries + 1, dayEndsAt, endsAt };
        numbers.set(ownerOf(tried), { ...stored, ...counted });
        return "wrong";
      }),
    removeExpired: (before, limit) =>
      runAtomically(() => removeWhere(numbers, ({ endsAt }) => endsAt < before, limit)),
  };
}

/** More codes than requests that can wait for a carrier at once. */
const MOST_CODES = 64;

function isLive(now: number) {
  return ({ code }: StoredCodes["codes"][number]) => now < code.expiresAt;
}

function triesOfDay({ dayTries, dayEndsAt }: StoredCodes, now: number): number {
  return now < dayEndsAt ? dayTries : 0;
}

function placeOf({ codes }: StoredCodes, { codeHash }: Pick<AuthCode, "codeHash">): number {
  return codes.findIndex(({ code }) => code.codeHash === codeHash);
}

function ownerOf({ appId, phoneHash }: Pick<AuthCode, "appId" | "phoneHash">): string {
  return compositeKey(appId, phoneHash);
}
