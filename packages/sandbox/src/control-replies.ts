import type { HttpReply, HttpRequest } from "@tillkit/core/http";
import type { Result } from "neverthrow";
import { z } from "zod";
import type { DeskRefusal } from "./desk.js";
import { readJson } from "./shared/json.js";

/** The largest body that the control interface reads, in bytes. */
export const MAX_REQUEST_BYTES = 16 * 1024;

/** Reads the JSON body of a request by `schema` and acts on it; answers 400 if the body does not fit. */
export function withBody<T>(
  { body }: HttpRequest,
  schema: z.ZodType<T>,
  act: (input: T) => HttpReply | Promise<HttpReply>,
): HttpReply | Promise<HttpReply> {
  if (body === "too-large") return failed(400, `Send at most ${MAX_REQUEST_BYTES} bytes.`);
  const raw = readJson(z.record(z.string(), z.unknown()), body);
  if (raw === undefined) return failed(400, "Send a JSON object as the body.");
  const input = schema.safeParse(raw);
  return input.success ? act(input.data) : failed(400, `Correct the body. ${z.prettifyError(input.error)}`);
}

/** Answers with a value, or with why there is none. */
export function replied(result: Result<unknown, DeskRefusal>): HttpReply {
  return result.match(
    (value) => json(200, value),
    ({ status, error }) => failed(status, error),
  );
}

/** Answers with what is wrong and what to do instead. */
export function failed(status: number, error: string): HttpReply {
  return json(status, { error });
}

/** Answers with a value as JSON. */
export function json(status: number, value: unknown): HttpReply {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(value) };
}

/** A segment of a path as the caller meant it. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not a number any order can have.
    return segment;
  }
}
