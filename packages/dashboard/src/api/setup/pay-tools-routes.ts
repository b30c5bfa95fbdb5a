import type { PayTool } from "@tillkit/core";
import { changePayTool, changePayToolInput, inspectPayTool } from "@tillkit/core/operators";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { commandOf } from "../command-of.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { singleLineText } from "../single-line-text.js";
import { sees } from "../visible-apps.js";
import { payToolSchema } from "./schemas.js";

type PayToolRow = z.output<typeof payToolSchema>;

/** Returns a pay tool of an app that the operator sees. Any other pay tool is unknown. */
async function visiblePayTool(context: RouteContext, id: string): Promise<Result<PayTool, ApiFailure>> {
  const listed = await context.ports.payTools.listAll();
  if (listed.isErr()) return err(listed.error);
  const tool = listed.value.find((one) => one.id === id);
  return tool === undefined || !sees(context, tool.appId) ? err({ name: "pay-tool.unknown" }) : ok(tool);
}

/** Returns rows without any value of a credential. */
async function rowsOf(
  context: RouteContext,
  tools: readonly PayTool[],
): Promise<Result<readonly PayToolRow[], ApiFailure>> {
  const currentIds = new Set<string>();
  for (const owner of new Set(tools.map((tool) => tool.appId))) {
    const current = await context.ports.payTools.list(owner);
    if (current.isErr()) return err(current.error);
    for (const { id } of current.value) currentIds.add(id);
  }
  const rows: PayToolRow[] = [];
  for (const payTool of tools) {
    const inspected = await inspectPayTool(context.ports, payTool, context.language);
    const ends = new Map(inspected.credentials.map(({ name, expiresAt }) => [name, expiresAt]));
    const credentials = inspected.credentialNames.map(({ name, isSet }) => {
      const expiresAt = ends.get(name);
      return { name, isSet, ...(expiresAt === undefined ? {} : { expiresAt }) };
    });
    const { gmtCreate: _created, walletOptions, ...tool } = payTool;
    const { problems } = inspected;
    const options = walletOptions === undefined ? {} : { walletOptions: { ...walletOptions } };
    rows.push({ ...tool, ...options, isCurrent: currentIds.has(tool.id), problems, credentials });
  }
  return ok(rows);
}

/** Answers with one pay tool. */
async function answerPayTool(context: RouteContext, id: string) {
  const visible = await visiblePayTool(context, id);
  if (visible.isErr()) return err(visible.error);
  const rows = await rowsOf(context, [visible.value]);
  if (rows.isErr()) return err(rows.error);
  const [value] = rows.value;
  return value === undefined ? err({ name: "pay-tool.unknown" } as const) : ok({ value });
}

/** The endpoints for pay tools. */
export const payToolsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/setup/pay-tools",
    allowed: "read",
    input: () => z.object({}),
    response: () => z.strictObject({ items: z.array(payToolSchema).readonly() }),
    run: async (context) => {
      const listed = await context.ports.payTools.listAll();
      if (listed.isErr()) return err(listed.error);
      const rows = await rowsOf(
        context,
        listed.value.filter(({ appId }) => sees(context, appId)),
      );
      return rows.map((items) => ({ value: { items } }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/setup/pay-tools/{id}/change",
    allowed: "pay-tool.change",
    action: "pay-tool.change",
    subject: ({ id = "" }) => `pay-tool:${id}`,
    input: () => changePayToolInput().extend({ id: singleLineText(64), ...reasonInput() }),
    response: () => payToolSchema,
    secret: ["credentials"],
    repeat: (context, { id }) => answerPayTool(context, id),
    run: async (context, { id, reason, ...change }) => {
      const visible = await visiblePayTool(context, id);
      if (visible.isErr()) return err(visible.error);
      // An operator may name only a provider whose app the operator sees.
      const provider = change.credentials?.["provider"];
      const named = typeof provider === "string" ? await visiblePayTool(context, provider) : visible;
      if (named.isErr()) return err(named.error);
      const changed = await changePayTool(context.ports, id, change, commandOf(context, reason));
      return changed.isErr() ? err(changed.error) : answerPayTool(context, id);
    },
  }),
];
