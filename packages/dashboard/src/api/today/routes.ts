import * as z from "zod";
import { visibleApps } from "../visible-apps.js";
import { singleLineText } from "../single-line-text.js";
import { operatorRoute } from "../route.js";
import { todaySchema } from "./schemas.js";

/** The endpoint of the first page. */
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
];
