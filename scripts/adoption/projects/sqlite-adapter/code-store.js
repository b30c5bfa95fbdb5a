import { attempt, change, firstRow } from "./attempt.js";

const NOTHING_STORED = { codes: [], tries: 0, dayTries: 0, dayEndsAt: 0, endsAt: 0 };

/** Creates a `CodeStore` on SQLite, with the codes of a phone number in one row. */
export function sqliteCodeStore(database) {
  const storedOf = ({ appId, phoneHash }) => {
    const row = firstRow(database, "select state from codes where app_id = ? and phone_hash = ?", [
      appId,
      phoneHash,
    ]);
    return row === undefined ? NOTHING_STORED : JSON.parse(row.state);
  };
  const store = ({ appId, phoneHash }, state) =>
    void change(database, "insert or replace into codes values (?, ?, ?, ?)", [
      appId,
      phoneHash,
      JSON.stringify(state),
      state.endsAt,
    ]);
  const placeOf = ({ codes }, { codeHash }) => codes.findIndex((code) => code.codeHash === codeHash);
  const triesOfDay = ({ dayTries, dayEndsAt }, now) => (now < dayEndsAt ? dayTries : 0);
  return {
    add: (key, { now, perDay }) =>
      attempt(database, () => {
        const stored = storedOf(key);
        if (triesOfDay(stored, now) >= perDay) return "locked";
        const { codeHash, expiresAt } = key;
        const codes = [{ codeHash, expiresAt, triesBefore: stored.tries }, ...stored.codes];
        store(key, { ...stored, codes, endsAt: Math.max(stored.endsAt, expiresAt) });
        return now < (stored.codes[0]?.expiresAt ?? 0) ? "beside" : "alone";
      }),
    dropEarlier: (key) =>
      attempt(database, () => {
        const stored = storedOf(key);
        const place = placeOf(stored, key);
        if (place >= 0) store(key, { ...stored, codes: stored.codes.slice(0, place + 1) });
      }),
    drop: (key) =>
      attempt(database, () => {
        const stored = storedOf(key);
        const place = placeOf(stored, key);
        if (place >= 0) store(key, { ...stored, codes: stored.codes.toSpliced(place, 1) });
      }),
    attempt: (key, { now, dayEndsAt, perCode, perDay }) =>
      attempt(database, () => {
        const stored = storedOf(key);
        const dayTries = triesOfDay(stored, now);
        if (dayTries >= perDay) return "locked";
        const live = stored.codes.slice(0, 2).filter(({ expiresAt }) => now < expiresAt);
        if (live.length === 0) return "none";
        const open = live.filter(({ triesBefore }) => stored.tries - triesBefore < perCode);
        if (open.length === 0) return "exhausted";
        if (open.some(({ codeHash }) => codeHash === key.codeHash)) {
          store(key, { ...stored, codes: [] });
          return "matched";
        }
        const endsAt = Math.max(stored.endsAt, dayEndsAt);
        store(key, { ...stored, tries: stored.tries + 1, dayTries: dayTries + 1, dayEndsAt, endsAt });
        return "wrong";
      }),
    removeExpired: (before, limit) =>
      attempt(database, () =>
        change(
          database,
          "delete from codes where rowid in (select rowid from codes where ends_ms < ? limit ?)",
          [before, limit],
        ),
      ),
  };
}
