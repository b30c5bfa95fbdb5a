import type { HttpReply } from "@tillkit/core/http";
import { z } from "zod";
import { reportBroken } from "./fuzz-target.js";

const notFound = z.strictObject({ code: z.literal(10014), msg: z.string(), traceId: z.string() });

/** Checks the response to a request for an unknown endpoint. */
export function expectNotFound({ status, headers, body }: HttpReply): void {
  if (status !== 404) reportBroken("what is no endpoint is answered with 404", { status, body });
  const envelope = notFound.safeParse(JSON.parse(body));
  if (!envelope.success) reportBroken("what is no endpoint is answered in the envelope of a failure", body);
  else if (envelope.data.traceId !== headers["x-trace-id"])
    reportBroken("the trace id is one in header and body", { headers, body });
}
