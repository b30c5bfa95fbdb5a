import type { Mutant } from "../mutant.js";

const CHANGE = "packages/core/src/downloads/change-downloads-client.ts";
const CREATE = "packages/core/src/downloads/create-downloads-client.ts";
const ROTATE = "packages/core/src/downloads/rotate-downloads-client.ts";
const REPORT = "packages/core/src/downloads/get-downloads-report.ts";
const COUNT = "packages/core/src/downloads/count-problem.ts";
const RECORD = "packages/core/src/downloads/record-downloads.ts";
const CHANGE_COUNTS = "packages/core/src/downloads/change-counts.ts";
const CLIENTS = "packages/memory/src/downloads/downloads-client-store.ts";
const SQL_CLIENTS = "packages/postgres/src/downloads/downloads-client-store.ts";

/** Mutants of the rules of downloads clients and of the counts that they read. */
export const DOWNLOADS_CLIENTS: readonly Mutant[] = [
  {
    name: "disabled-client-reads",
    guards: "a disabled downloads client gets no report",
    file: REPORT,
    find: "if (client.value === undefined || (client.value.endsAt ?? Infinity) <= now)",
    replace: "if (client.value === undefined)",
  },
  {
    name: "disabling-prolongs-a-client",
    guards: "disabling a rotated client does not prolong it",
    file: CHANGE,
    find: "endsAt: Math.min(endsAt, now)",
    replace: "endsAt: Math.max(endsAt, now)",
  },
  {
    name: "limit-enables-a-client",
    guards: "a new limit does not enable a disabled client",
    file: CHANGE,
    find: "next: ({ endsAt }) => ({ dailyLimit, ...(endsAt === undefined ? {} : { endsAt }) }),",
    replace: "next: () => ({ dailyLimit }),",
  },
  {
    name: "client-with-other-values-taken-for-the-same",
    guards: "an id that exists with other values is a conflict",
    file: CREATE,
    find: "existing.value.appId === appId && existing.value.dailyLimit === dailyLimit",
    replace: "existing.value.appId === appId",
  },
  {
    name: "client-of-another-app-taken-for-the-same",
    guards: "an id of another app is a conflict",
    file: CREATE,
    find: "existing.value.appId === appId && existing.value.dailyLimit === dailyLimit",
    replace: "existing.value.dailyLimit === dailyLimit",
  },
  {
    name: "short-client-id",
    guards: "an id that a person chose is long",
    file: CREATE,
    find: "characters.length >= 16 &&",
    replace: "",
  },
  {
    name: "monotonous-client-id",
    guards: "an id that a person chose has different characters",
    file: CREATE,
    find: "&& new Set(characters).size >= 8",
    replace: "",
  },
  {
    name: "ended-client-rotated",
    guards: "a disabled client is not rotated to life",
    file: ROTATE,
    find: `if (client.value.endsAt !== undefined)
        return err({ name: "downloads-client.ended", clientId } as const);`,
    replace: "",
  },
  {
    name: "rotation-without-overlap",
    guards: "the previous id works for the overlap",
    file: ROTATE,
    find: `now + overlap,
        successor`,
    replace: "now, successor",
  },
  {
    name: "client-changed-over-another-change",
    guards: "of two changes of a client, the second sees the first",
    file: CLIENTS,
    find: "if (stored === undefined || !hasTerms(stored, previous)) return stored;",
    replace: "if (stored === undefined) return stored;",
  },
  {
    name: "sql-client-changed-over-another-change",
    guards: "of two changes of a client, the second sees the first",
    file: SQL_CLIENTS,
    find: "and daily_limit = $2 and ends_ms is not distinct from $3 returning",
    replace: "and $2::bigint is not null and ($3::bigint is null or true) returning",
  },
  {
    name: "client-succeeded-twice",
    guards: "a client has one successor",
    file: CLIENTS,
    find: "if (stored === undefined || !hasTerms(stored, previous) || clients.has(successor.clientId))",
    replace: "if (stored === undefined || clients.has(successor.clientId))",
  },
  {
    name: "sql-client-succeeded-twice",
    guards: "a client has one successor",
    file: SQL_CLIENTS,
    find: "if (ended.length === 0) return { changed: false, value: false };",
    replace: "",
  },
  {
    name: "negative-count-stored",
    guards: "a count is never negative",
    file: COUNT,
    find: "Number.isSafeInteger(count) && count >= 0",
    replace: "Number.isSafeInteger(count)",
  },
  {
    name: "fraction-of-a-download-stored",
    guards: "a count is a whole number",
    file: COUNT,
    find: "Number.isSafeInteger(count) && count >= 0",
    replace: "count >= 0",
  },
  {
    name: "count-of-no-day-stored",
    guards: "a count has a day of the calendar",
    file: COUNT,
    find: `if (!isDate(date)) return { name: "count.invalid", rule: "date" };`,
    replace: "",
  },
  {
    name: "count-of-the-future-stored",
    guards: "a count is of a day that has begun somewhere",
    file: RECORD,
    find: "future = batch.some(({ date }) => isDate(date) && date > lastDay);",
    replace: "future = false;",
  },
  {
    name: "count-of-the-future-added",
    guards: "an addition is of a day that has begun somewhere",
    file: RECORD,
    find: "isDate(count.date) && count.date > lastDownloadsDay(clock.now())",
    replace: "isDate(count.date) && clock.now() < 0",
  },
  {
    name: "count-of-the-future-set",
    guards: "a person sets no count of the future",
    file: CHANGE_COUNTS,
    find: `next !== "delete" && until > lastDownloadsDay(ports.clock.now())`,
    replace: `next !== "delete" && until === lastDownloadsDay(0)`,
  },
];
