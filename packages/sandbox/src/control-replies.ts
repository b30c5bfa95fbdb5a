import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import type { Result } from "neverthrow";
import * as z from "zod";
import type { ControlRefusal } from "./control-refusal.js";
import { readJson } from "./shared/json.js";

/** The largest request body that the control interface reads, in bytes. */
export const MAX_REQUEST_BYTES = 16 * 1024;

/** Parses the JSON body with `schema` and calls `act`. Replies 400 if the body does not match. */
export function withBody<T>(
  { body }: HttpRequest,
  schema: z.ZodType<T>,
  act: (input: T) => HttpReply<string> | Promise<HttpReply<string>>,
): HttpReply<string> | Promise<HttpReply<string>> {
  if (body === "too-large") return failed(400, `Send at most ${MAX_REQUEST_BYTES} bytes.`);
  const raw = readJson(z.record(z.string(), z.unknown()), body);
  if (raw === undefined) return failed(400, "Send a JSON object as the body.");
  const input = schema.safeParse(raw);
  return input.success ? act(input.data) : failed(400, `Correct the body. ${z.prettifyError(input.error)}`);
}

/** Replies with the value of a result, or with the status and text of its refusal. */
export function replied(result: Result<unknown, ControlRefusal>): HttpReply<string> {
  return result.match(
    (value) => json(200, value),
    ({ status, message }) => failed(status, message),
  );
}

/** Replies with an error text that says what is wrong and what to do next. */
export function failed(status: number, error: string): HttpReply<string> {
  return json(status, { error });
}

/** Replies with a value as JSON. */
export function json(status: number, value: unknown): HttpReply<string> {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(value) };
}

/** Decodes a path segment. Returns the segment unchanged if its encoding is broken. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // No order number contains a broken escape, so the look-up fails with 404.
    return segment;
  }
}
