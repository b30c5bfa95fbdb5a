import { createServiceType, type ServiceType } from "@tillkit/core";
import { fail } from "@tillkit/core/errors";
import {
  LONGEST_KEY,
  type OperatorCommand,
  renameServiceType,
  restoreServiceType,
  retireServiceType,
} from "@tillkit/core/operators";
import { err, ok, type ResultAsync } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { commandOf } from "../command-of.js";
import { requireApp } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { serviceTypeSchema } from "./schemas.js";

const appId = singleLineText(64);

/** The path and the audit entry of a change of one type. */
const changeOf = <A extends "rename" | "retire" | "restore">(name: A) =>
  ({
    method: "POST",
    path: `/api/apps/{appId}/service-types/{serviceTypeNo}/${name}`,
    allowed: `service-type.${name}`,
    action: `service-type.${name}`,
    subject: ({ appId: app = "", serviceTypeNo = "" }: Readonly<Record<string, string>>) =>
      `service-type:${app}/${serviceTypeNo}`,
  }) as const;

/** The input of a change of one type. */
const typeInput = () => ({ appId, serviceTypeNo: singleLineText(LONGEST_KEY), ...reasonInput() });

/** Answers with a type, for the repetition of a change. */
async function answerType({ ports }: RouteContext, app: string, serviceTypeNo: string) {
  const found = await ports.serviceTypes.find(app, serviceTypeNo);
  if (found.isErr()) return err(found.error);
  return found.value === undefined ? fail("service-type.unknown") : ok({ value: found.value });
}

/** Retires or restores a type. */
const switching = (
  name: "retire" | "restore",
  change: (
    ports: RouteContext["ports"],
    app: string,
    serviceTypeNo: string,
    by: OperatorCommand,
  ) => ResultAsync<ServiceType, ApiFailure>,
) =>
  operatorChange({
    ...changeOf(name),
    input: () => z.object(typeInput()),
    response: () => serviceTypeSchema,
    require: (context, { appId: id }) => requireApp(context, id),
    repeat: (context, { appId: id, serviceTypeNo }) => answerType(context, id, serviceTypeNo),
    run: async (context, { appId: id, serviceTypeNo, reason }) => {
      const changed = await change(context.ports, id, serviceTypeNo, commandOf(context, reason));
      return changed.map((value) => ({ value }));
    },
  });

/** The endpoints for service types. */
export const serviceTypesRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/setup/service-types",
    allowed: "read",
    input: () => z.object({ app: appId }),
    response: () => z.strictObject({ items: z.array(serviceTypeSchema).readonly() }),
    run: async (context, { app }) => {
      const visible = requireApp(context, app);
      if (visible.isErr()) return visible;
      const listed = await context.ports.serviceTypes.list(app);
      return listed.map((items) => ({ value: { items } }));
    },
  }),
  operatorChange({
    method: "POST",
    path: "/api/setup/service-types",
    allowed: "service-type.create",
    action: "service-type.create",
    input: () =>
      z.object({
        appId,
        serviceTypeNo: singleLineText(LONGEST_KEY).optional(),
        serviceName: singleLineText(64),
        durationMs: z.int(),
        ...reasonInput(),
      }),
    response: () => serviceTypeSchema,
    require: (context, { appId: id }) => requireApp(context, id),
    // The subject of the audit entry contains the number if it was generated.
    repeat: (context, { appId: id, serviceTypeNo }, { subject }) =>
      answerType(context, id, serviceTypeNo ?? subject.slice(`service-type:${id}/`.length)),
    run: async (context, { appId: id, serviceTypeNo, serviceName, durationMs, reason }) => {
      const type = { serviceName, durationMs, ...(serviceTypeNo === undefined ? {} : { serviceTypeNo }) };
      const created = await createServiceType(context.ports, id, type, commandOf(context, reason));
      return created.map((value) => ({ value }));
    },
  }),
  operatorChange({
    ...changeOf("rename"),
    input: () => z.object({ ...typeInput(), serviceName: singleLineText(64) }),
    response: () => serviceTypeSchema,
    require: (context, { appId: id }) => requireApp(context, id),
    repeat: (context, { appId: id, serviceTypeNo }) => answerType(context, id, serviceTypeNo),
    run: async (context, { appId: id, serviceTypeNo, serviceName, reason }) => {
      const by = commandOf(context, reason);
      const renamed = await renameServiceType(context.ports, id, serviceTypeNo, serviceName, by);
      return renamed.map((value) => ({ value }));
    },
  }),
  switching("retire", retireServiceType),
  switching("restore", restoreServiceType),
];
