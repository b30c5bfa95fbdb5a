import { type App, createApp } from "@tillkit/core";
import type { FailureOf, StorageFailureName } from "@tillkit/core/errors";
import {
  disableApp,
  enableApp,
  type OperatorCommand,
  rotateSecret,
  setAppRules,
} from "@tillkit/core/operators";
import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { commandOf } from "../command-of.js";
import { requireApp, requireEveryApp, sees } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { appSchema, appWithSecretSchema } from "./schemas.js";

const appId = singleLineText(64);
const ofApp = ({ appId: named = "" }: Readonly<Record<string, string>>) => `app:${named}`;

/** Lists the members explicitly, so that no hash of a secret is sent. */
function bodyOf({ secrets, ...app }: App): z.output<typeof appSchema> {
  return {
    appId: app.appId,
    name: app.name,
    accountBased: app.accountBased,
    identityChecks: { ...app.identityChecks },
    disabled: app.disabled,
    secrets: secrets.map(({ gmtCreate, expiresAt }) => ({
      gmtCreate,
      ...(expiresAt === undefined ? {} : { expiresAt }),
    })),
    gmtCreate: app.gmtCreate,
    gmtModified: app.gmtModified,
  };
}

/** Returns the answer to a repeated change: the stored app. */
async function answerApp({ ports }: RouteContext, id: string) {
  const found = await ports.apps.find(id);
  if (found.isErr()) return err(found.error);
  return found.value === undefined
    ? err({ name: "app.unknown" } as const)
    : ok({ value: bodyOf(found.value) });
}

/** Returns the answer to a repeated change without the secret: only its hash is stored. */
async function answerAppWithoutSecret(context: RouteContext, id: string) {
  const answer = await answerApp(context, id);
  return answer.map(({ value }) => ({ value: { app: value } }));
}

/** Core reports an unknown app as `credentials.invalid`. Returns `app.unknown` instead. */
function unknownApp(failure: ApiFailure | FailureOf<"credentials.invalid">): ApiFailure {
  return failure.name === "credentials.invalid" ? { name: "app.unknown" } : failure;
}

/** Creates the endpoint that disables or enables an app. */
const switching = (
  action: "disable" | "enable",
  change: (
    ports: RouteContext["ports"],
    id: string,
    by: OperatorCommand,
  ) => ResultAsync<App, FailureOf<"credentials.invalid" | StorageFailureName>>,
) =>
  operatorChange({
    method: "POST",
    path: `/api/setup/apps/{appId}/${action}`,
    allowed: `app.${action}` as const,
    action: `app.${action}` as const,
    subject: ofApp,
    input: () => z.object({ appId, ...reasonInput() }),
    response: () => appSchema,
    require: (context, { appId: id }) => requireApp(context, id),
    repeat: (context, { appId: id }) => answerApp(context, id),
    run: async (context, { appId: id, reason }) => {
      const changed = await change(context.ports, id, commandOf(context, reason));
      return changed.map((app) => ({ value: bodyOf(app) })).mapErr(unknownApp);
    },
  });

/** The endpoints for apps. */
export const appsRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/setup/apps",
    allowed: "read",
    input: () => z.object({}),
    response: () => z.strictObject({ items: z.array(appSchema).readonly() }),
    run: async (context) => {
      const listed = await context.ports.apps.list();
      return listed.map((apps) => ({
        value: { items: apps.filter((app) => sees(context, app.appId)).map(bodyOf) },
      }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/setup/apps",
    allowed: "app.create",
    action: "app.create",
    input: () =>
      z.object({ name: singleLineText(64), accountBased: z.boolean().optional(), ...reasonInput() }),
    response: () => appWithSecretSchema,
    require: requireEveryApp,
    repeat: (context, _input, { appId: created = "" }) => answerAppWithoutSecret(context, created),
    run: async (context, { name, accountBased, reason }) => {
      const rules = accountBased === undefined ? {} : { accountBased };
      const created = await createApp(context.ports, { name, ...rules }, commandOf(context, reason));
      return created.map(({ app, appSecret }) => ({ value: { app: bodyOf(app), appSecret } }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/setup/apps/{appId}/rotate",
    allowed: "app.rotate-secret",
    action: "app.rotate-secret",
    subject: ofApp,
    input: () =>
      z.object({
        appId,
        overlap: z.int().min(0).describe("Milliseconds for which the previous secret still works."),
        ...reasonInput(),
      }),
    response: () => appWithSecretSchema,
    require: (context, { appId: id }) => requireApp(context, id),
    repeat: (context, { appId: id }) => answerAppWithoutSecret(context, id),
    run: async (context, { appId: id, overlap, reason }) => {
      const rotated = await rotateSecret(context.ports, id, overlap, commandOf(context, reason));
      if (rotated.isErr()) return err(unknownApp(rotated.error));
      const { app, appSecret } = rotated.value;
      return ok({ value: { app: bodyOf(app), appSecret } });
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/setup/apps/{appId}/rules",
    allowed: "app.rules",
    action: "app.rules",
    subject: ofApp,
    input: () =>
      z.object({
        appId,
        accountBased: z.boolean().optional(),
        identityChecks: z
          .object({
            email: z.boolean().optional(),
            phone: z.boolean().optional(),
            card: z.boolean().optional(),
            identityCard: z.boolean().optional(),
            walletAccount: z.boolean().optional(),
            bizNo: z.boolean().optional(),
          })
          .optional(),
        ...reasonInput(),
      }),
    response: () => appSchema,
    require: (context, { appId: id }) => requireApp(context, id),
    repeat: (context, { appId: id }) => answerApp(context, id),
    run: async (context, { appId: id, reason, accountBased, identityChecks }) => {
      const { email, phone, card, identityCard, walletAccount, bizNo } = identityChecks ?? {};
      const checks = {
        ...(email === undefined ? {} : { email }),
        ...(phone === undefined ? {} : { phone }),
        ...(card === undefined ? {} : { card }),
        ...(identityCard === undefined ? {} : { identityCard }),
        ...(walletAccount === undefined ? {} : { walletAccount }),
        ...(bizNo === undefined ? {} : { bizNo }),
      };
      const rules = { ...(accountBased === undefined ? {} : { accountBased }), identityChecks: checks };
      const changed = await setAppRules(context.ports, id, rules, commandOf(context, reason));
      return changed.map((app) => ({ value: bodyOf(app) })).mapErr(unknownApp);
    },
  }),
  switching("disable", disableApp),
  switching("enable", enableApp),
];
