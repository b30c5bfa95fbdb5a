import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";
import type { Result } from "neverthrow";
import { z } from "zod";
import type { Desk, DeskRefusal } from "./desk.js";
import { type FaultBoard, faultsChange } from "./faults.js";
import type { SandboxPublicKeys } from "./keys.js";
import type { SandboxClock } from "./sandbox-clock.js";
import { readJson } from "./shared/json.js";
import type { SmsOutbox } from "./sms-outbox.js";

/** What the control interface controls. */
export interface ControlOptions {
  readonly desk: Desk;
  readonly faults: FaultBoard;
  readonly outbox: SmsOutbox;
  readonly clock: SandboxClock;
  readonly keys: SandboxPublicKeys;
  /** Called after the clock was moved and before the answer, with the new time. */
  readonly onClockMoved?: (now: number) => void | Promise<void>;
}

const MAX_REQUEST_BYTES = 16 * 1024;
const TEN_YEARS = 10 * 366 * 24 * 3_600_000;

const orderInput = z.object({ outTradeNo: z.string().min(1) });
const notifyInput = orderInput.extend({
  times: z.int().min(1).max(100).default(1),
  amount: z.int().min(1).optional(),
});
const clockInput = z.object({ advanceMs: z.int().min(0).max(TEN_YEARS) });

/** The sandbox over HTTP, JSON in and out: what a person or a test does at the wallets and at the carrier. */
export function controlSurface(options: ControlOptions): Surface {
  return {
    maxRequestBytes: MAX_REQUEST_BYTES,
    owns: () => true,
    handle: async (request) => {
      try {
        return await answer(options, request);
      } catch (cause) {
        return failed(500, `The sandbox failed: ${cause instanceof Error ? cause.message : "unknown cause"}`);
      }
    },
  };
}

function answer(options: ControlOptions, request: HttpRequest): HttpReply | Promise<HttpReply> {
  const { desk, faults, outbox, clock, keys } = options;
  const order = /^\/orders\/([^/]+)$/.exec(request.path)?.[1];
  if (request.method === "GET" && order !== undefined) return replied(desk.order(decoded(order)));
  switch (`${request.method} ${request.path}`) {
    case "POST /pay":
      return withBody(request, orderInput, async ({ outTradeNo }) => replied(await desk.pay(outTradeNo)));
    case "POST /open":
      return withBody(request, orderInput, ({ outTradeNo }) => replied(desk.open(outTradeNo)));
    case "POST /notify":
      return withBody(request, notifyInput, async ({ outTradeNo, times, amount }) =>
        replied(await desk.notify(outTradeNo, times, amount)),
      );
    case "POST /faults":
      return withBody(request, faultsChange, (change) => json(200, faults.change(change)));
    case "POST /clock":
      return withBody(request, clockInput, async ({ advanceMs }) => {
        clock.advance(advanceMs);
        await options.onClockMoved?.(clock.now());
        return json(200, { now: clock.now() });
      });
    case "GET /sms":
      return json(200, outbox.messages(new URLSearchParams(request.query).get("mobileNo") ?? undefined));
    case "GET /keys":
      return json(200, keys);
    default:
      return failed(404, `No such call. There are: ${CALLS.join(", ")}.`);
  }
}

const CALLS = [
  "POST /pay",
  "POST /open",
  "POST /notify",
  "POST /faults",
  "POST /clock",
  "GET /orders/{outTradeNo}",
  "GET /sms?mobileNo=",
  "GET /keys",
];

function withBody<T>(
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

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not a number any order can have.
    return segment;
  }
}

function replied(result: Result<unknown, DeskRefusal>): HttpReply {
  return result.match(
    (value) => json(200, value),
    ({ status, error }) => failed(status, error),
  );
}

function failed(status: number, error: string): HttpReply {
  return json(status, { error });
}

function json(status: number, value: unknown): HttpReply {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(value) };
}
