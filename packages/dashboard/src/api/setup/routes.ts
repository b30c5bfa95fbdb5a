import { createDownloadsClient } from "@tillkit/core";
import {
  disableDownloadsClient,
  enableDownloadsClient,
  type OperatorCommand,
  rotateDownloadsClient,
  setDownloadsClientLimit,
} from "@tillkit/core/operators";
import type { DownloadsClient } from "@tillkit/core/ports";
import { err, ok, type Result, type ResultAsync } from "neverthrow";
import * as z from "zod";
import { commandOf } from "../command-of.js";
import { requireApp, sees } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { reasonInput } from "../reason-input.js";
import type { ApiFailure } from "../api-failure.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { appsRoutes } from "./apps-routes.js";
import { payToolsRoutes } from "./pay-tools-routes.js";
import { downloadsClientSchema, testNumberSchema } from "./schemas.js";
import { serviceTypesRoutes } from "./service-types-routes.js";
import { storesRoutes } from "./stores-routes.js";

const appId = singleLineText(64);
const rotation = z.object({ successor: z.string() });

function ofClient({ clientId = "" }: { readonly clientId?: string }): string {
  return `downloads-client:${clientId}`;
}

/** Returns a client of an app that the operator sees. Any other client is unknown. */
async function visibleClient(
  context: RouteContext,
  clientId: string,
): Promise<Result<DownloadsClient, ApiFailure>> {
  const client = await context.ports.downloadsClients.find(clientId);
  if (client.isErr()) return err(client.error);
  return client.value === undefined || !sees(context, client.value.appId)
    ? err({ name: "downloads-client.unknown" })
    : ok(client.value);
}

async function repeatOfClient(context: RouteContext, { clientId }: { readonly clientId: string }) {
  return (await visibleClient(context, clientId)).map((value) => ({ value }));
}

/** What every change of a downloads client has in common. */
const CLIENT_CHANGE = {
  method: "POST",
  subject: ofClient,
  response: () => downloadsClientSchema,
  repeat: repeatOfClient,
} as const;

/** Changes a client that the operator sees. */
async function changeVisibleClient(
  context: RouteContext,
  { clientId, reason }: { readonly clientId: string; readonly reason: string },
  change: (by: OperatorCommand) => ResultAsync<DownloadsClient, ApiFailure>,
): Promise<Result<{ readonly value: DownloadsClient }, ApiFailure>> {
  const visible = await visibleClient(context, clientId);
  if (visible.isErr()) return err(visible.error);
  return (await change(commandOf(context, reason))).map((value) => ({ value }));
}

/** The endpoints for what an admin sets up. */
export const setupRoutes = [
  ...appsRoutes,
  ...payToolsRoutes,
  ...serviceTypesRoutes,
  ...storesRoutes,
  operatorRoute({
    method: "GET",
    path: "/api/setup/downloads-clients",
    allowed: "read",
    input: () => z.object({}),
    response: () => z.strictObject({ items: z.array(downloadsClientSchema).readonly() }),
    run: async (context) => {
      const listed = await context.ports.downloadsClients.list();
      return listed.map((clients) => ({
        value: { items: clients.filter((client) => sees(context, client.appId)) },
      }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/setup/downloads-clients",
    allowed: "downloads-client.create",
    action: "downloads-client.create",
    input: () =>
      z.object({ appId, clientId: singleLineText(64).optional(), dailyLimit: z.int(), ...reasonInput() }),
    response: () => downloadsClientSchema,
    require: (context, { appId: id }) => requireApp(context, id),
    // The subject of the audit entry contains the id if it was generated.
    repeat: async ({ ports }, { clientId }, { subject }) => {
      const found = await ports.downloadsClients.find(clientId ?? subject.slice("downloads-client:".length));
      if (found.isErr()) return err(found.error);
      return found.value === undefined
        ? err({ name: "downloads-client.unknown" })
        : ok({ value: found.value });
    },
    run: async (context, { appId: id, clientId, dailyLimit, reason }) => {
      const client = { appId: id, dailyLimit, ...(clientId === undefined ? {} : { clientId }) };
      const created = await createDownloadsClient(context.ports, client, commandOf(context, reason));
      return created.map((value) => ({ value }));
    },
  }),
  operatorChange({
    ...CLIENT_CHANGE,
    path: "/api/setup/downloads-clients/{clientId}/limit",
    allowed: "downloads-client.limit",
    action: "downloads-client.limit",
    input: () => z.object({ clientId: singleLineText(64), dailyLimit: z.int(), ...reasonInput() }),
    run: (context, input) =>
      changeVisibleClient(context, input, (by) =>
        setDownloadsClientLimit(context.ports, input.clientId, input.dailyLimit, by),
      ),
  }),
  ...[
    { name: "disable", change: disableDownloadsClient } as const,
    { name: "enable", change: enableDownloadsClient } as const,
  ].map(({ name, change }) =>
    operatorChange({
      ...CLIENT_CHANGE,
      path: `/api/setup/downloads-clients/{clientId}/${name}`,
      allowed: `downloads-client.${name}`,
      action: `downloads-client.${name}`,
      input: () => z.object({ clientId: singleLineText(64), ...reasonInput() }),
      run: (context, input) =>
        changeVisibleClient(context, input, (by) => change(context.ports, input.clientId, by)),
    }),
  ),
  operatorChange({
    ...CLIENT_CHANGE,
    path: "/api/setup/downloads-clients/{clientId}/rotate",
    allowed: "downloads-client.rotate",
    action: "downloads-client.rotate",
    input: () =>
      z.object({
        clientId: singleLineText(64),
        overlap: z.int().min(0).describe("Milliseconds for which the previous id still works."),
        ...reasonInput(),
      }),
    // The audit entry names the new client.
    repeat: (context, _input, { detail = "{}" }) =>
      repeatOfClient(context, { clientId: rotation.parse(JSON.parse(detail)).successor }),
    run: (context, input) =>
      changeVisibleClient(context, input, (by) => rotateDownloadsClient(context.ports, input, by)),
  }),
  operatorRoute({
    method: "GET",
    path: "/api/setup/test-numbers",
    allowed: "app.rules",
    input: () => z.object({}),
    response: () => z.strictObject({ items: z.array(testNumberSchema).readonly() }),
    run: async ({ ports }) => {
      const items = ports.policy.testNumbers.map(({ mobileNo, expiresAt }) => ({
        mobileNo: `${mobileNo.slice(0, 3)}****${mobileNo.slice(-2)}`,
        ...(expiresAt === undefined ? {} : { expiresAt }),
      }));
      return ok({ value: { items } });
    },
  }),
];
