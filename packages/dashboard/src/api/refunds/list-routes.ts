import { PAY_CHANNELS, REFUND_STATUSES } from "@tillkit/core";
import { LONGEST_KEY } from "@tillkit/core/operators";
import type { RefundFilter } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { cursorInput, cursorText } from "../cursor.js";
import { listExport } from "../list-export.js";
import {
  amountRangeInput,
  filterObject,
  pageLimit,
  pastedNumberInput,
  queryNumber,
  timeRangeInput,
} from "../query-input.js";
import { operatorRoute, operatorStream } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { singleLineText } from "../single-line-text.js";
import { requireApp, visibleApps } from "../visible-apps.js";
import { refundsCsv } from "./refunds-csv.js";
import { refundOfOrderRow } from "./rows.js";
import { refundsPageSchema } from "./schemas.js";
import { withChannels } from "./with-channels.js";

/** The filter of the list and of its export. */
const refundFilterInput = {
  appId: singleLineText(64).optional(),
  status: z.enum(REFUND_STATUSES).optional(),
  operator: singleLineText(64).optional(),
  number: pastedNumberInput()
    .optional()
    .describe("The number of the refund, its number at the wallet, or the `bizNo` of its order."),
  ...timeRangeInput,
  confirmedFrom: queryNumber()
    .optional()
    .describe("Only refunds that the payment channel confirmed at or after this time."),
  confirmedUntil: queryNumber()
    .optional()
    .describe("Only refunds that the payment channel confirmed before this time."),
  channel: z.enum(PAY_CHANNELS).optional(),
  ...amountRangeInput,
};
type RefundFilterInput = z.output<z.ZodObject<typeof refundFilterInput>>;

/** Returns the filter, limited to the apps that the operator sees. */
function refundFilterOf(
  context: RouteContext,
  { appId, channel, min, max, ...criteria }: RefundFilterInput,
): Result<RefundFilter, ApiFailure> {
  const filter = {
    ...criteria,
    apps: visibleApps(context, appId),
    payChannel: channel,
    minAmount: min,
    maxAmount: max,
  };
  return appId === undefined ? ok(filter) : requireApp(context, appId).map(() => filter);
}

/** The endpoints that list refunds. */
export const refundListRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/refunds",
    allowed: "read",
    input: () =>
      filterObject({
        ...refundFilterInput,
        before: cursorInput(
          z.object({
            gmtCreate: z.int(),
            appId: singleLineText(64),
            bizNo: singleLineText(LONGEST_KEY),
            refundNo: singleLineText(64),
          }),
        ).optional(),
        limit: pageLimit(),
      }),
    response: () => refundsPageSchema,
    run: async (context, { before, limit, ...input }) => {
      const filter = refundFilterOf(context, input);
      if (filter.isErr()) return filter;
      const found = await context.ports.refunds.search({ ...filter.value, before, limit });
      if (found.isErr()) return err(found.error);
      const { items, next } = found.value;
      const listed = await withChannels(context.ports, items);
      return listed.map((refunds) => ({
        value: {
          items: refunds.map((refund) => refundOfOrderRow(context, refund)),
          ...(next === undefined ? {} : { older: cursorText(next), searchedUntil: next.gmtCreate }),
        },
      }));
    },
  }),
  operatorStream({
    path: "/api/refunds.csv",
    allowed: "refunds.export",
    input: () => filterObject(refundFilterInput),
    run: async (context, input, request) => {
      const filter = refundFilterOf(context, input);
      if (filter.isErr()) return filter;
      return listExport(context, request, {
        action: "refunds.export",
        subject: "refunds",
        appId: input.appId,
        apps: filter.value.apps,
        filter: input,
        fileName: "refunds.csv",
        lines: refundsCsv(context.ports, filter.value),
      });
    },
  }),
];
