import * as z from "zod";
import { visibleApps } from "../command-of.js";
import { line } from "../line-input.js";
import { operatorRoute } from "../route.js";
import { todaySchema } from "./schemas.js";

/** The endpoint of the first page. */
export const todayRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/today",
    allowed: "read",
    input: () => z.object({ appId: line(64).optional() }),
    response: () => todaySchema,
    run: async (context, { appId }) =>
      (await context.readFigures(visibleApps(context, appId))).map((value) => ({ value })),
  }),
];
