import {
  type AuthCode,
  codeAttemptOutcome,
  type CodeStore,
  isLiveCode,
  triesOfDay,
} from "@tillkit/core/ports";
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
        return stored.codes.slice(0, 1).some(({ code: newest }) => isLiveCode(newest, now))
          ? "beside"
          : "alone";
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
    attempt: (tried, limits) =>
      runAtomically(() => {
        const stored = storedOf(tried);
        const outcome = codeAttemptOutcome(stored, tried.codeHash, limits);
        if (outcome === "matched") numbers.set(ownerOf(tried), { ...stored, codes: [] });
        if (outcome === "wrong") {
          const { now, dayEndsAt } = limits;
          const dayTries = triesOfDay(stored, now) + 1;
          const endsAt = Math.max(stored.endsAt, dayEndsAt);
          numbers.set(ownerOf(tried), { ...stored, tries: stored.tries + 1, dayTries, dayEndsAt, endsAt });
        }
        return outcome;
      }),
    removeExpired: (before, limit) =>
      runAtomically(() => removeWhere(numbers, ({ endsAt }) => endsAt < before, limit)),
  };
}

/**
 * Maximum number of stored codes of one phone number.
 *
 * Fewer requests of one phone number can wait for a carrier at the same time.
 */
const MOST_CODES = 64;

function placeOf({ codes }: StoredCodes, { codeHash }: Pick<AuthCode, "codeHash">): number {
  return codes.findIndex(({ code }) => code.codeHash === codeHash);
}

function ownerOf({ appId, phoneHash }: Pick<AuthCode, "appId" | "phoneHash">): string {
  return compositeKey(appId, phoneHash);
}
