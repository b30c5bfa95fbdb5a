import express from "express";
import { z } from "zod";
import { runAsServer } from "../../harness/run-as-server.js";
import { shopFacts } from "../../shop/shop-facts.js";
import { poolOf } from "./answering.js";

const query = z
  .object({ id: z.string().min(1), start: z.iso.date(), end: z.iso.date() })
  .refine(({ start, end }) => start <= end && daysBetween(start, end) <= 366);

interface CountRow {
  readonly store: string | null;
  readonly day: string | null;
  readonly updates: string;
  readonly fresh: string;
}

/** Serves the downloads report as a team would write it. The database computes all sums. */
runAsServer(async (given) => {
  const facts = shopFacts.parse(given);
  const pool = poolOf(facts);
  return express().get("/misc/v2/downloads-api", async (request, response) => {
    const parsed = query.safeParse(request.query);
    if (!parsed.success) {
      refuse(response.status(400), "INVALID_DATE");
      return;
    }
    const { id, start, end } = parsed.data;
    const { rows: clients } = await pool.query<{ app_id: string; daily_limit: string; used: string }>({
      name: "take",
      text: `with client as (select * from downloads_clients_by_hand where client_id = $1),
        taken as (
          insert into downloads_usage_by_hand as held (client_id, day, used) select client_id, $2::date, 1 from client
          on conflict (client_id, day) do update set used = held.used + 1
          where held.used < (select daily_limit from client) returning used)
        select app_id, daily_limit, coalesce((select used from taken), daily_limit + 1) as used from client`,
      values: [id, today()],
    });
    const [client] = clients;
    if (client === undefined) {
      refuse(response.status(403), "ID_NOT_ALLOWED");
      return;
    }
    const [dailyLimit, usedToday] = [Number(client.daily_limit), Number(client.used)];
    if (usedToday > dailyLimit) {
      refuse(response.status(429), "DAILY_LIMIT_REACHED");
      return;
    }
    const { rows } = await pool.query<CountRow>({
      name: "report",
      text: `select store, to_char(day, 'YYYY-MM-DD') as day, sum(update_downloads) as updates, sum(new_downloads) as fresh
        from downloads_by_hand where app_id = $1 and day between $2 and $3
        group by grouping sets ((store, day), (store), ()) order by store nulls first, day nulls first`,
      values: [client.app_id, start, end],
    });
    const usage = { dailyLimit, usedToday, remainingToday: dailyLimit - usedToday };
    const downloadsData = { start, end, downloads: entriesOf(rows, daysOf(start, end)) };
    response.json({ data: { result: "success", usage, downloadsData } });
  });
});

/** Returns the total first, and then each store's total followed by its days. */
function entriesOf(rows: readonly CountRow[], days: readonly string[]) {
  const byStore = new Map<string, Map<string, CountRow>>();
  const totals: CountRow[] = [];
  for (const row of rows) {
    if (row.store === null || row.day === null) totals.push(row);
    else {
      const counts = byStore.get(row.store) ?? new Map<string, CountRow>();
      byStore.set(row.store, counts.set(row.day, row));
    }
  }
  return totals.map((total) => {
    if (total.store === null) return { store: "All Stores", ...countsOf(total) };
    const counts = byStore.get(total.store);
    const downloadsArray = days.map((date) => ({ date, ...countsOf(counts?.get(date)) }));
    return { store: total.store, ...countsOf(total), downloadsArray };
  });
}

function countsOf(row: CountRow | undefined) {
  const [updateDownloads, newDownloads] = [Number(row?.updates ?? 0), Number(row?.fresh ?? 0)];
  return { updateDownloads, newDownloads, totalDownloads: updateDownloads + newDownloads };
}

function daysOf(start: string, end: string): readonly string[] {
  const first = Date.parse(start);
  return Array.from({ length: daysBetween(start, end) }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}

const DAY_MS = 86_400_000;

function daysBetween(start: string, end: string): number {
  return (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;
}

function today(): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" }).format();
}

function refuse(response: express.Response, errorCode: string): void {
  response.json({ data: { result: "error", responseBody: "There is no report", errorCode } });
}
