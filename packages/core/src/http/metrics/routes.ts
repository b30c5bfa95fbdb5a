import type { HttpReply } from "../request.js";
import { downloadsResponse } from "./response-schemas.js";
import { legacyReply } from "./legacy-reply.js";

/** The two versions of the downloads report. They differ only in the HTTP status of failures. */
export const metricsRoutes = [
  {
    method: "GET",
    path: "/misc/downloads-api",
    version: "legacy",
    response: downloadsResponse,
    reply: legacyReply,
  },
  {
    method: "GET",
    path: "/misc/v2/downloads-api",
    version: "v2",
    response: downloadsResponse,
    reply: (reply: HttpReply<string>) => reply,
  },
] as const;
