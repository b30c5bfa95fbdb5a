import { attempt, change, firstRow } from "./attempt.js";

/** Creates a `CodeStore` on SQLite. */
export function sqliteCodeStore(database) {
  return {
    replace: ({ appId, phoneHash, codeHash, expiresAt }) =>
      attempt(database, () => {
        const values = [appId, phoneHash, codeHash, expiresAt];
        change(database, "insert or replace into codes values (?, ?, ?, 0, ?)", values);
      }),
    drop: ({ appId, phoneHash, codeHash }) =>
      attempt(database, () => {
        const values = [appId, phoneHash, codeHash];
        change(database, "delete from codes where app_id = ? and phone_hash = ? and code_hash = ?", values);
      }),
    attempt: ({ appId, phoneHash, codeHash }, now, maxTries) =>
      attempt(database, () => {
        const owner = [appId, phoneHash];
        const stored = firstRow(database, "select * from codes where app_id = ? and phone_hash = ?", owner);
        if (stored === undefined) return "wrong";
        if (stored.tries >= maxTries) return "exhausted";
        if (stored.code_hash !== codeHash || now >= stored.expires_ms) {
          change(database, "update codes set tries = tries + 1 where app_id = ? and phone_hash = ?", owner);
          return "wrong";
        }
        change(database, "delete from codes where app_id = ? and phone_hash = ?", owner);
        return "matched";
      }),
    removeExpired: (before, limit) =>
      attempt(database, () =>
        change(
          database,
          "delete from codes where rowid in (select rowid from codes where expires_ms < ? limit ?)",
          [before, limit],
        ),
      ),
  };
}
