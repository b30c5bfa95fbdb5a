import type { Mutant } from "../mutant.js";
const DOWNLOADS_SOURCE = "packages/memory/src/downloads/downloads-source.ts";
const CHANGE_STORES = "packages/memory/src/downloads/change-stores.ts";
const CHANGE_DAYS = "packages/memory/src/downloads/change-days.ts";
const SQL_COUNT_IMPORT = "packages/postgres/src/downloads/import-counts.ts";
const SQL_CHANGE_STORES = "packages/postgres/src/downloads/change-stores.ts";
const SQL_CHANGE_DAYS = "packages/postgres/src/downloads/change-days.ts";
const DOWNLOADS_CLIENTS = "packages/memory/src/downloads/downloads-client-store.ts";
const SERVICE_TYPES = "packages/memory/src/services/service-type-store.ts";
const SQL_DOWNLOADS_SOURCE = "packages/postgres/src/downloads/downloads-source.ts";
const SQL_DOWNLOADS_CLIENTS = "packages/postgres/src/downloads/downloads-client-store.ts";
const SQL_SERVICE_TYPES = "packages/postgres/src/services/service-type-store.ts";
const REFUND_STATEMENTS = "packages/postgres/src/refunds/refund-statements.ts";
const SQL_REFUND_STORE = "packages/postgres/src/refunds/refund-store.ts";
const EXCEPTION_STATEMENTS = "packages/postgres/src/bills/bill-exception-statements.ts";
const SQL_EXCEPTION_STORE = "packages/postgres/src/bills/bill-exception-store.ts";
const SQL_LINE_STORE = "packages/postgres/src/bills/bill-line-store.ts";

/** Mutants of the stores of downloads and service types, and of SQL rules for refunds and bills. */
export const STORE_RECORDS: readonly Mutant[] = [
  {
    name: "counts-replaced-instead-of-added",
    guards: "an increment adds to the count of the day",
    file: DOWNLOADS_SOURCE,
    find: "const newDownloads = (before?.newDownloads ?? 0) + count.newDownloads;",
    replace: "const newDownloads = count.newDownloads;",
  },
  {
    name: "sql-counts-replaced-instead-of-added",
    guards: "an increment adds to the count of the day",
    file: SQL_DOWNLOADS_SOURCE,
    find: "set new_downloads = held.new_downloads + excluded.new_downloads,",
    replace: "set new_downloads = excluded.new_downloads,",
  },
  {
    name: "first-count-of-a-day-stands",
    guards: "of two counts of one day in a file, the later one is stored",
    file: DOWNLOADS_SOURCE,
    find: "latest.set(keyOf(named), named);",
    replace: "if (!latest.has(keyOf(named))) latest.set(keyOf(named), named);",
  },
  {
    name: "sql-first-count-of-a-day-stands",
    guards: "of two counts of one day in a file, the later one is stored",
    file: SQL_COUNT_IMPORT,
    find: "order by app_id, store, day, place desc limit",
    replace: "order by app_id, store, day, place limit",
  },
  {
    name: "counts-of-an-unknown-app-stored",
    guards: "counts are stored only for existing apps",
    file: DOWNLOADS_SOURCE,
    find: "if (!apps.has(given.appId)) return err(unknownApp(given.appId));",
    replace: "",
  },
  {
    name: "sql-counts-of-an-unknown-app-stored",
    guards: "counts are stored only for existing apps",
    file: SQL_DOWNLOADS_SOURCE,
    find: "where exists (select from ${apps} where app_id = $1)\n     on conflict",
    replace: "where true\n     on conflict",
  },
  {
    name: "last-day-of-a-report-missing",
    guards: "a report includes its first and its last day",
    file: DOWNLOADS_SOURCE,
    find: "if (date < start || end < date) continue;",
    replace: "if (date < start || end <= date) continue;",
  },
  {
    name: "sql-last-day-of-a-report-missing",
    guards: "a report includes its first and its last day",
    file: SQL_DOWNLOADS_SOURCE,
    find: "day between $2::date and $3::date group",
    replace: "day >= $2::date and day < $3::date group",
  },
  {
    name: "days-in-both-merged",
    guards: "a merge without a rule for days that both stores have changes nothing",
    file: CHANGE_STORES,
    find: '(both.length > 0 && days === "refuse" && !dryRun)',
    replace: "false",
  },
  {
    name: "sql-days-in-both-merged",
    guards: "a merge without a rule for days that both stores have changes nothing",
    file: SQL_CHANGE_STORES,
    find: '(both.length > 0 && days === "refuse" && !dryRun)',
    replace: "false",
  },
  {
    name: "merged-counts-not-audited",
    guards: "the audit log keeps the counts of days that both stores had",
    file: CHANGE_STORES,
    find: "auditChange(state, audit, from === undefined ? undefined : { days: before });",
    replace: "auditChange(state, audit);",
  },
  {
    name: "sql-merged-counts-not-audited",
    guards: "the audit log keeps the counts of days that both stores had",
    file: SQL_CHANGE_STORES,
    find: "return { changed: true, before: { days: both }, value };",
    replace: "return { changed: true, value };",
  },
  {
    name: "dry-run-merges",
    guards: "a dry run of a merge changes nothing",
    file: CHANGE_STORES,
    find: "if (dryRun) return ok(outcome);",
    replace: "",
  },
  {
    name: "sql-dry-run-merges",
    guards: "a dry run of a merge changes nothing",
    file: SQL_CHANGE_STORES,
    find: "if (dryRun) return unchanged(value);",
    replace: "",
  },
  {
    name: "deleted-days-not-audited",
    guards: "the audit log keeps the counts of days that were set or deleted",
    file: CHANGE_DAYS,
    find: "auditChange(state, audit, { days });",
    replace: "auditChange(state, audit);",
  },
  {
    name: "sql-deleted-days-not-audited",
    guards: "the audit log keeps the counts of days that were set or deleted",
    file: SQL_CHANGE_DAYS,
    find: "return { changed: true, before: { days }, value };",
    replace: "return { changed: true, value };",
  },
  {
    name: "dry-run-deletes",
    guards: "a dry run of changed days changes nothing",
    file: CHANGE_DAYS,
    find: "if (dryRun || changed === 0) return ok(outcome);",
    replace: "if (changed === 0) return ok(outcome);",
  },
  {
    name: "sql-dry-run-deletes",
    guards: "a dry run of changed days changes nothing",
    file: SQL_CHANGE_DAYS,
    find: "if (dryRun || changed === 0) return { changed: false, value };",
    replace: "if (changed === 0) return { changed: false, value };",
  },
  {
    name: "client-of-an-unknown-app",
    guards: "a downloads client belongs to an existing app",
    file: DOWNLOADS_CLIENTS,
    find: "if (stored !== undefined || !apps.has(client.appId)) return stored;",
    replace: "if (stored !== undefined) return stored;",
  },
  {
    name: "sql-client-of-an-unknown-app",
    guards: "a downloads client belongs to an existing app",
    file: SQL_DOWNLOADS_CLIENTS,
    find: "const provided = `exists (select from ${apps} where app_id = $2)`;",
    replace: "const provided = `(select count(*) from ${apps}) >= 0`;",
  },
  {
    name: "service-type-of-another-app",
    guards: "an app can sell only its own service types",
    file: SERVICE_TYPES,
    find: "runAtomically(() => serviceTypes.get(compositeKey(appId, serviceTypeNo))),",
    replace:
      "runAtomically(() => serviceTypes.get(compositeKey(appId, serviceTypeNo)) ?? [...serviceTypes.values()].find((type) => type.serviceTypeNo === serviceTypeNo)),",
  },
  {
    name: "sql-service-type-of-another-app",
    guards: "an app can sell only its own service types",
    file: SQL_SERVICE_TYPES,
    find: 'const find = statement("service_type_find", `select ${columns} from ${table} where ${where}`);',
    replace:
      "const find = statement(\"service_type_find\", `select ${columns} from ${table} where $1::text <> '' and service_type_no = $2 limit 1`);",
  },
  {
    name: "retired-twice",
    guards: "a service type that is retired twice keeps the first time",
    file: SERVICE_TYPES,
    find: "type.retiredAt === undefined ? { ...type, retiredAt: at } : undefined,",
    replace: "({ ...type, retiredAt: at }),",
  },
  {
    name: "sql-retired-twice",
    guards: "a service type that is retired twice keeps the first time",
    file: SQL_SERVICE_TYPES,
    find: '"retired_ms = $3", "retired_ms is null");',
    replace: '"retired_ms = $3");',
  },
  {
    name: "sql-refund-number-not-looked-up",
    guards: "a repeated refund number returns the existing refund",
    file: SQL_REFUND_STORE,
    find: "if (stored !== undefined) return { kind:",
    replace: 'if (stored !== undefined && kind === "stored") return { kind:',
  },
  {
    name: "sql-confirmed-refund-fails",
    guards: "a confirmed refund stays confirmed",
    file: REFUND_STATEMENTS,
    find: 'reject: move("refund_reject", {\n      when: `held.r_status in ${OPEN}\n',
    replace:
      "reject: move(\"refund_reject\", {\n      when: `(held.r_status in ${OPEN} or held.r_status = 'CONFIRMED')\n",
  },
  {
    name: "sql-accepted-refund-rejected",
    guards: "a refusal does not fail a refund that the wallet accepted in the meantime",
    file: REFUND_STATEMENTS,
    find: "held.r_status <> 'ABNORMAL' and held.r_wallet_refund_no is null",
    replace: "held.r_status <> 'ABNORMAL'",
  },
  {
    name: "sql-late-confirmation-ignored",
    guards: "a confirmed amount counts, even after a failure",
    file: REFUND_STATEMENTS,
    find: "(held.r_status in ${OPEN} or held.r_status in ('FAILED', 'WITHDRAWN'))",
    replace: "(held.r_status in ${OPEN})",
  },
  {
    name: "sql-adoption-without-its-alarm",
    guards: "an adoption stores its alarm in the same step",
    file: SQL_REFUND_STORE,
    find: "...(isPaidTwice ? [paidTwiceEntry] : [])",
    replace: "",
  },
  {
    name: "sql-confirmation-in-another-status",
    guards: "a refund that is withdrawn while it is confirmed raises an alarm",
    file: REFUND_STATEMENTS,
    find: "($8::text is null or held.r_status = $8)",
    replace: "($8::text is null or $8 <> '')",
  },
  {
    name: "sql-final-refund-marked-sent",
    guards: "a refund that ended is not opened again",
    file: REFUND_STATEMENTS,
    find: "when: \"held.r_status = 'REQUESTED'\",",
    replace: "when: \"held.r_status in ('REQUESTED', 'CONFIRMED', 'FAILED')\",",
  },
  {
    name: "sql-part-taken-for-the-whole",
    guards: "an order becomes REFUND when its whole amount is refunded",
    file: REFUND_STATEMENTS,
    find: "o.refunded_cents + r.amount_cents >= o.amount_cents as whole",
    replace: "o.amount_cents > 0 as whole",
  },
  {
    name: "sql-refund-leaves-the-time",
    guards: "a full refund revokes the service time",
    file: SQL_REFUND_STORE,
    find: "await transaction.query(services.takeBack, [...owner, id]);",
    replace: "",
  },
  {
    name: "sql-bill-exception-resolved-by-itself",
    guards: "only an operator marks a difference as RESOLVED",
    file: EXCEPTION_STATEMENTS,
    find: "held set state = 'GONE', as_of_ms",
    replace: "held set state = 'RESOLVED', as_of_ms",
  },
  {
    name: "sql-bill-exception-closed-while-it-stands",
    guards: "a difference that the last run found stays open",
    file: SQL_EXCEPTION_STORE,
    find: `{ asOf, at, kinds }, limit) =>
      toStorageResult(async () => {`,
    replace: `{ asOf: before, at, kinds }, limit) =>
      toStorageResult(async () => {
        const asOf = before + 1;`,
  },
  {
    name: "sql-bill-resolved-hides-another-amount",
    guards: "a resolved difference opens again with other amounts",
    file: EXCEPTION_STATEMENTS,
    find: "held.state = 'RESOLVED' and ${sameAmounts})",
    replace: "held.state = 'RESOLVED')",
  },
  {
    name: "sql-bill-line-twice-counted-once",
    guards: "the amounts of two lines with the same number are added up",
    file: SQL_LINE_STORE,
    find: "set amount_cents = held.amount_cents + excluded.amount_cents,",
    replace: "set amount_cents = excluded.amount_cents,",
  },
];
