import { audited, exportCustomer, listSessions, readCustomer } from "@tillkit/core/operators";
import { err, ok } from "neverthrow";
import * as z from "zod";
import { commandOf, operatorName } from "../command-of.js";
import { guardedExport } from "../guarded-export.js";
import { operatorRoute, operatorStream } from "../route.js";
import { cents, time } from "../unit-schemas.js";
import { requireApp } from "../visible-apps.js";
import { customerChanges, customerKey, ofCustomer } from "./changes-routes.js";

const customerSchema = z
  .strictObject({
    appId: z.string(),
    customerIdentity: z.string(),
    services: z
      .array(
        z.strictObject({
          serviceNo: z.string(),
          serviceTypeNo: z.string(),
          serviceName: z.string(),
          expireTime: time(),
        }),
      )
      .readonly()
      .describe("Oldest first, including expired services."),
    sessions: z
      .array(
        z.strictObject({
          id: z.string(),
          gmtCreate: time(),
          lastUsedAt: time().describe("At most a day before the last use."),
          expiresAt: time(),
          label: z.string().optional().describe("What the host calls the device."),
        }),
      )
      .readonly()
      .describe("The live sessions, newest first. Empty if customers do not log in through Tillkit."),
    totals: z.strictObject({
      orders: z.int(),
      paid: cents().describe("The sum of the paid orders, including refunded ones."),
      refunded: cents(),
      isLeast: z.boolean().describe("Whether there may be older orders, which the sums do not contain."),
    }),
    now: time().describe("The time of the server, to compare with the end of a service."),
  })
  .meta({ id: "Customer" });

/** The endpoints of one customer. The list of orders has the filter `customer`. */
export const customersRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/customers/{appId}/{customerIdentity}",
    allowed: "read",
    input: () => z.object(customerKey()),
    response: () => customerSchema,
    run: async (context, { appId, customerIdentity }) => {
      const visible = requireApp(context, appId);
      if (visible.isErr()) return visible;
      const sessions = await listSessions(context.ports, appId, { customerIdentity });
      if (sessions.isErr()) return err(sessions.error);
      const read = await readCustomer(context.ports, appId, customerIdentity);
      return read.map(({ services, ...customer }) => ({
        value: {
          appId,
          customerIdentity,
          services: services.map(({ serviceNo, serviceTypeNo, serviceName, expireTime }) => ({
            serviceNo,
            serviceTypeNo,
            serviceName,
            expireTime,
          })),
          ...customer,
          sessions: sessions.value.map(({ customerId: _id, ...session }) => session),
          now: context.ports.clock.now(),
        },
      }));
    },
  }),
  operatorStream({
    path: "/api/customers/{appId}/{customerIdentity}/export",
    allowed: "customer.export",
    input: () => z.object(customerKey()),
    run: async (context, { appId, customerIdentity }, request) => {
      const visible = requireApp(context, appId);
      if (visible.isErr()) return visible;
      if (context.exports.isFull(operatorName(context))) return err({ name: "exports.limited" } as const);
      const subject = ofCustomer({ appId, customerIdentity });
      const facts = { action: "customer.export", subject, appId } as const;
      const data = await audited(context.ports, commandOf(context, ""), facts, () =>
        exportCustomer(context.ports, appId, { customerIdentity }),
      );
      if (data.isErr()) return err(data.error);
      const rights = { permission: "customer.export", apps: [appId] } as const;
      return ok({
        body: guardedExport(context, request, rights, oneBlock(JSON.stringify(data.value, undefined, 2))),
        contentType: "application/octet-stream",
        fileName: "customer.json",
      });
    },
  }),
  ...customerChanges,
];

async function* oneBlock(text: string): AsyncGenerator<string, void, undefined> {
  yield text;
}
