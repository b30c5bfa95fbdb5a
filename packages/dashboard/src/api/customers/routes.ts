import { readCustomer, LONGEST_KEY } from "@tillkit/core";
import * as z from "zod";
import { operatorRoute } from "../route.js";
import { singleLineText } from "../single-line-text.js";
import { cents, time } from "../unit-schemas.js";
import { requireApp } from "../visible-apps.js";

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
    liveSessions: z.int(),
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
    input: () => z.object({ appId: singleLineText(64), customerIdentity: singleLineText(LONGEST_KEY) }),
    response: () => customerSchema,
    run: async (context, { appId, customerIdentity }) => {
      const visible = requireApp(context, appId);
      if (visible.isErr()) return visible;
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
          now: context.ports.clock.now(),
        },
      }));
    },
  }),
];
