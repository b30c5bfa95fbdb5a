import { audited, compareDownloads, compareDownloadsInput, parseInput } from "@tillkit/core";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { commandOf, operatorName } from "../command-of.js";
import { guardedExport } from "../guarded-export.js";
import { requireApp, sees } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { operatorRoute, operatorStream, type RouteContext } from "../route.js";
import { downloadsCsv } from "./downloads-csv.js";
import { downloadsSchema } from "./schemas.js";

const selection = () =>
  z.object({
    appId: singleLineText(64).optional().describe("Absent for every app that the operator sees."),
    clientId: singleLineText(64)
      .optional()
      .describe("A downloads client, for the app whose counts it reads."),
    from: z.string().optional().describe("The first day, `YYYY-MM-DD`."),
    until: z.string().optional().describe("The last day, `YYYY-MM-DD`, included."),
  });
type Selection = z.output<ReturnType<typeof selection>>;

/** Returns the apps of a selection. Fails if the sender does not see one of them. */
async function appsOf(
  context: RouteContext,
  { appId, clientId }: Selection,
): Promise<Result<readonly string[], ApiFailure>> {
  const { apps, downloadsClients } = context.ports;
  if (appId !== undefined) {
    const visible = requireApp(context, appId);
    if (visible.isErr()) return err(visible.error);
  }
  if (clientId !== undefined) {
    const found = await downloadsClients.find(clientId);
    if (found.isErr()) return err(found.error);
    const client = found.value;
    // A client of an app that the sender does not see must look like one that does not exist.
    if (client !== undefined && !sees(context, client.appId)) await context.recordHidden(client.appId);
    const isWanted = client !== undefined && (appId === undefined || client.appId === appId);
    return isWanted && sees(context, client.appId)
      ? ok([client.appId])
      : err({ name: "downloads-client.unknown" });
  }
  const listed = await apps.list();
  if (listed.isErr()) return err(listed.error);
  const visible = listed.value.map((app) => app.appId).filter((id) => sees(context, id));
  if (appId === undefined) return ok(visible);
  return visible.includes(appId) ? ok([appId]) : err({ name: "app.unknown" });
}

/** The endpoints for download counts. */
export const downloadsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/downloads",
    allowed: "read",
    input: selection,
    response: () => downloadsSchema,
    run: async (context, { from, until, ...selected }) => {
      const { ports } = context;
      const range = parseInput(compareDownloadsInput(ports.policy), { from, until });
      if (range.isErr()) return err(range.error);
      const appIds = await appsOf(context, selected);
      if (appIds.isErr()) return err(appIds.error);
      const compared = await compareDownloads(ports, appIds.value, range.value);
      return compared.map(({ days, stores, allStores, before }) => ({
        value: {
          days,
          stores: stores.map(({ store, daily }) => ({
            ...{ store, new: daily.newDownloads, update: daily.updateDownloads },
          })),
          totals: { new: allStores.newDownloads, update: allStores.updateDownloads },
          before: {
            ...{ from: before.start, until: before.end },
            ...{ new: before.newDownloads, update: before.updateDownloads },
          },
        },
      }));
    },
  }),
  operatorStream({
    path: "/api/downloads.csv",
    allowed: "downloads.export",
    input: () =>
      selection().extend({
        store: singleLineText(64).optional().describe("A store. Absent for every store."),
      }),
    run: async (context, { from, until, store, ...selected }, request) => {
      if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" });
      const { ports } = context;
      const range = parseInput(compareDownloadsInput(ports.policy), { from, until });
      if (range.isErr()) return err(range.error);
      const appIds = await appsOf(context, selected);
      if (appIds.isErr()) return err(appIds.error);
      const [only, ...others] = appIds.value;
      const isOne = only !== undefined && others.length === 0;
      const facts = {
        action: "downloads.export",
        subject: isOne ? `downloads:${only}` : "downloads",
        ...(isOne ? { appId: only } : {}),
        detail: JSON.stringify({ from, until, store }),
      } as const;
      const started = await audited(ports, commandOf(context, ""), facts, () =>
        downloadsCsv(ports, appIds.value, range.value, store),
      );
      const rights = { permission: "downloads.export", apps: appIds.value } as const;
      return started.map((body) => ({
        body: guardedExport(context, request, rights, body),
        contentType: "text/csv; charset=utf-8",
        fileName: "downloads.csv",
      }));
    },
  }),
];
