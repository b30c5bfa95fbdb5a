import type { HttpReply } from "@tillkit/core/http";
import { z } from "zod";
import { reportBroken } from "./fuzz-target.js";

const notFound = z.strictObject({ code: z.literal(10014), msg: z.string(), traceId: z.string() });

/** Checks the response to a request for an unknown endpoint. */
export function expectNotFound({ status, headers, body }: HttpReply<string>): void {
  if (status !== 404) reportBroken("an unknown endpoint returns 404", { status, body });
  const envelope = notFound.safeParse(JSON.parse(body));
  if (!envelope.success) reportBroken("an unknown endpoint returns the failure envelope", body);
  else if (envelope.data.traceId !== headers["x-trace-id"])
    reportBroken("header and body have the same trace id", { headers, body });
}
