import * as z from "zod";
import { visibleApps } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { operatorRoute } from "../route.js";
import { statusRoute } from "./status.js";
import { todaySchema } from "./schemas.js";

/** The endpoints of the first page, and of `tillkit status`. */
export const todayRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/today",
    allowed: "read",
    input: () => z.object({ appId: singleLineText(64).optional() }),
    response: () => todaySchema,
    run: async (context, { appId }) =>
      (await context.readFigures(visibleApps(context, appId))).map((value) => ({ value })),
  }),
  statusRoute,
];
