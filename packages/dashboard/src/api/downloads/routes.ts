import { parseInput } from "@tillkit/core";
import type { StorageFailure } from "@tillkit/core/errors";
import type { HttpRequest } from "@tillkit/core/http";
import {
  audited,
  changeCounts,
  compareDownloads,
  compareDownloadsInput,
  downloadsCoverage,
  MAX_CHANGED_DAYS,
  PERIOD_LENGTHS,
} from "@tillkit/core/operators";
import { type DayCounts, type StoreDays, storeFinder } from "@tillkit/core/ports";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { commandOf, operatorName } from "../command-of.js";
import { guardedExport } from "../guarded-export.js";
import { requireApp, sees } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute, operatorStream } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { downloadsCsv } from "./downloads-csv.js";
import { coverageCsv } from "./coverage-csv.js";
import { periodsCsv } from "./periods-csv.js";
import { changedDaysSchema, coverageSchema, downloadsSchema } from "./schemas.js";

const apps = () =>
  z.object({
    appId: singleLineText(64).optional().describe("Absent for every app that the operator sees."),
    clientId: singleLineText(64)
      .optional()
      .describe("A downloads client, for the app whose counts it reads."),
  });
type Selection = z.output<ReturnType<typeof apps>>;

const range = () =>
  apps().extend({
    from: z.string().optional().describe("The first day, `YYYY-MM-DD`."),
    until: z.string().optional().describe("The last day, `YYYY-MM-DD`, included."),
    by: z
      .enum(PERIOD_LENGTHS)
      .optional()
      .describe("The length of a period, a day if absent. A week starts on Monday."),
  });

/** Returns the apps of a selection. Fails if the sender does not see one of them. */
async function appsOf(
  context: RouteContext,
  { appId, clientId }: Selection,
): Promise<Result<readonly string[], ApiFailure>> {
  const { apps: appStore, downloadsClients } = context.ports;
  if (appId !== undefined) {
    const visible = requireApp(context, appId);
    if (visible.isErr()) return err(visible.error);
  }
  if (clientId !== undefined) {
    const client = await downloadsClients.find(clientId);
    if (client.isErr()) return err(client.error);
    // A client of an app that the sender does not see must look like a client that does not exist.
    if (client.value !== undefined && !sees(context, client.value.appId))
      await context.recordHidden(client.value.appId);
    const isWanted = client.value !== undefined && (appId === undefined || client.value.appId === appId);
    return isWanted && sees(context, client.value.appId)
      ? ok([client.value.appId])
      : err({ name: "downloads-client.unknown" });
  }
  const listed = await appStore.list();
  if (listed.isErr()) return err(listed.error);
  const visible = listed.value.map((app) => app.appId).filter((id) => sees(context, id));
  if (appId === undefined) return ok(visible);
  return visible.includes(appId) ? ok([appId]) : err({ name: "app.unknown" });
}

const storeDays = () => ({
  appId: singleLineText(64),
  store: singleLineText(64).describe("The store, by any of its names."),
  from: z.string().describe("The first day, `YYYY-MM-DD`."),
  until: z
    .string()
    .describe(`The last day, \`YYYY-MM-DD\`, included. At most ${MAX_CHANGED_DAYS} days from the first.`),
});

const daysBefore = z.object({
  before: z.object({ days: z.array(z.tuple([z.string(), z.number(), z.number()])) }).optional(),
});

/** What both changes of days have in common. */
const DAYS_CHANGE = {
  method: "POST",
  response: () => changedDaysSchema,
  require: (context: RouteContext, { appId }: { readonly appId: string }) => requireApp(context, appId),
  // The audit entry contains the previous counts.
  repeat: async (
    { ports }: RouteContext,
    { store: name }: { readonly store: string },
    { detail = "{}" }: { readonly detail?: string },
  ) => {
    const names = await ports.downloads.storeNames();
    if (names.isErr()) return err(names.error);
    const store = storeFinder(names.value)(name) ?? name;
    const { before } = daysBefore.parse(JSON.parse(detail));
    const days = (before?.days ?? []).map(([date, news, update]) => ({ date, new: news, update }));
    return ok({ value: { store, before: days } });
  },
} as const;

/** Sets or deletes counts, and returns the previous counts. */
async function changeDays(
  context: RouteContext,
  { reason, ...days }: StoreDays & { readonly reason: string },
  next: DayCounts | "delete",
) {
  const changed = await changeCounts(context.ports, days, next, commandOf(context, reason));
  return changed.map(({ store, before }) => ({
    value: {
      store,
      before: before.map(({ date, newDownloads, updateDownloads }) => ({
        date,
        new: newDownloads,
        update: updateDownloads,
      })),
    },
  }));
}

/** Answers a download of counts of apps as CSV, which the audit log records. */
async function exported(
  context: RouteContext,
  request: HttpRequest,
  appIds: readonly string[],
  { detail, fileName }: { readonly detail: object; readonly fileName: string },
  csv: () => ResultAsync<AsyncIterable<string>, StorageFailure>,
) {
  const [only, ...others] = appIds;
  const isOne = only !== undefined && others.length === 0;
  const facts = {
    action: "downloads.export",
    subject: isOne ? `downloads:${only}` : "downloads",
    ...(isOne ? { appId: only } : {}),
    detail: JSON.stringify(detail),
  } as const;
  const started = await audited(context.ports, commandOf(context, ""), facts, csv);
  const rights = { permission: "downloads.export", apps: appIds } as const;
  return started.map((body) => ({
    body: guardedExport(context, request, rights, body),
    contentType: "text/csv; charset=utf-8",
    fileName,
  }));
}

/** The endpoints for download counts. */
export const downloadsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/downloads",
    allowed: "read",
    input: range,
    response: () => downloadsSchema,
    run: async (context, { from, until, by, ...selected }) => {
      const { ports } = context;
      const days = parseInput(compareDownloadsInput(ports.policy), { from, until, by });
      if (days.isErr()) return err(days.error);
      const appIds = await appsOf(context, selected);
      if (appIds.isErr()) return err(appIds.error);
      const compared = await compareDownloads(ports, appIds.value, days.value);
      return compared.map(({ periods, stores, allStores, before }) => ({
        value: {
          periods,
          stores: stores.map((one) => ({
            store: one.store,
            periods: one.periods.map(
              (counts) => counts && { ...shown(counts), recordedDays: counts.recordedDays },
            ),
            totals: shown(one),
            before: shown(one.before),
          })),
          totals: shown(allStores),
          before: { from: before.start, until: before.end, ...shown(before) },
        },
      }));
    },
  }),
  operatorRoute({
    method: "GET",
    path: "/api/downloads/coverage",
    allowed: "read",
    input: apps,
    response: () => coverageSchema,
    run: async (context, selected) => {
      const appIds = await appsOf(context, selected);
      if (appIds.isErr()) return err(appIds.error);
      return (await downloadsCoverage(context.ports, appIds.value)).map((items) => ({ value: { items } }));
    },
  }),
  operatorStream({
    path: "/api/downloads.csv",
    allowed: "downloads.export",
    input: () =>
      range().extend({ store: singleLineText(64).optional().describe("A store. Absent for every store.") }),
    run: async (context, { from, until, by, store, ...selected }, request) => {
      if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" });
      const { ports } = context;
      const days = parseInput(compareDownloadsInput(ports.policy), { from, until, by });
      if (days.isErr()) return err(days.error);
      const appIds = await appsOf(context, selected);
      if (appIds.isErr()) return err(appIds.error);
      const csvOf = by === undefined || by === "day" ? downloadsCsv : periodsCsv;
      const file = { detail: { from, until, by, store }, fileName: "downloads.csv" };
      return exported(context, request, appIds.value, file, () =>
        csvOf(ports, appIds.value, days.value, store),
      );
    },
  }),
  operatorStream({
    path: "/api/downloads/coverage.csv",
    allowed: "downloads.export",
    input: apps,
    run: async (context, selected, request) => {
      if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" });
      const appIds = await appsOf(context, selected);
      if (appIds.isErr()) return err(appIds.error);
      const file = { detail: { report: "coverage" }, fileName: "downloads-coverage.csv" };
      return exported(context, request, appIds.value, file, () => coverageCsv(context.ports, appIds.value));
    },
  }),
  operatorChange({
    ...DAYS_CHANGE,
    path: "/api/downloads/set",
    allowed: "downloads.set",
    action: "downloads.set",
    input: () =>
      z.object({
        ...storeDays(),
        newDownloads: z.int().min(0).describe("Of each day."),
        updateDownloads: z.int().min(0).describe("Of each day."),
        ...reasonInput(),
      }),
    run: (context, { newDownloads, updateDownloads, ...input }) =>
      changeDays(context, input, { newDownloads, updateDownloads }),
  }),
  operatorChange({
    ...DAYS_CHANGE,
    path: "/api/downloads/delete",
    allowed: "downloads.delete",
    action: "downloads.delete",
    input: () => z.object({ ...storeDays(), ...reasonInput() }),
    run: (context, input) => changeDays(context, input, "delete"),
  }),
];

function shown({ newDownloads, updateDownloads }: DayCounts) {
  return { new: newDownloads, update: updateDownloads };
}
