import { allRows, attempt, change, firstRow } from "./attempt.js";

/** Creates a `QuotaStore` on SQLite. */
export function sqliteQuotaStore(database) {
  const usedOf = ({ scope, subject }, day) =>
    firstRow(database, "select used from quotas where scope = ? and subject = ? and day = ?", [
      scope,
      subject,
      day,
    ])?.used ?? 0;
  const lastOf = ({ scope, subject }) =>
    firstRow(database, "select granted_ms from spacings where scope = ? and subject = ?", [scope, subject])
      ?.granted_ms ?? -Infinity;
  return {
    take: (key, { day, limit, now, spacing }) =>
      attempt(database, () => {
        const used = usedOf(key, day);
        const elapsed = now - lastOf(key);
        if (used >= limit) return { granted: false, used };
        if (elapsed >= 0 && elapsed < spacing)
          return { granted: false, used, retryAt: now - elapsed + spacing };
        const owner = [key.scope, key.subject];
        change(
          database,
          `insert into quotas values (?, ?, ?, 1)
           on conflict (scope, subject, day) do update set used = used + 1`,
          [...owner, day],
        );
        if (spacing > 0)
          change(database, "insert or replace into spacings values (?, ?, ?)", [...owner, now]);
        return { granted: true, used: used + 1 };
      }),
    giveBack: (key, day) =>
      attempt(database, () => {
        change(
          database,
          "update quotas set used = used - 1 where scope = ? and subject = ? and day = ? and used > 0",
          [key.scope, key.subject, day],
        );
      }),
    find: (key, day) => attempt(database, () => usedOf(key, day)),
    list: (day, limit) =>
      attempt(database, () =>
        allRows(
          database,
          "select scope, subject, used from quotas where day = ? and used > 0 order by used desc limit ?",
          [day, limit],
        ),
      ),
    removeBefore: (day, limit) =>
      attempt(database, () =>
        change(
          database,
          "delete from quotas where rowid in (select rowid from quotas where day < ? limit ?)",
          [day, limit],
        ),
      ),
    removeSpacings: (before, limit) =>
      attempt(database, () =>
        change(
          database,
          "delete from spacings where rowid in (select rowid from spacings where granted_ms < ? limit ?)",
          [before, limit],
        ),
      ),
  };
}
