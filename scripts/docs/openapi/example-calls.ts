import type { HttpReply, Surface } from "@tillkit/core/http";
import { z } from "zod";

/** A request of an example. */
export interface ExampleRequest {
  readonly method: "GET" | "POST";
  /** The path with its values, percent-encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A real reply to a request. */
export interface ExampleReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Sends a request to a surface and returns the reply with its parsed body. */
export async function callSurface(surface: Surface<string>, request: ExampleRequest): Promise<ExampleReply> {
  const { method, path, query = {}, body, headers = {} } = request;
  const reply: HttpReply<string> = await surface.handle({
    method,
    path,
    query: new URLSearchParams(query).toString(),
    headers: new Headers({
      ...headers,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    }),
    body: new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body)),
  });
  return { status: reply.status, body: z.record(z.string(), z.unknown()).parse(JSON.parse(reply.body)) };
}
