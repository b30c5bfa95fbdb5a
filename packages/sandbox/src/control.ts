import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";
import * as z from "zod";
import { payload } from "./payload-verifier.js";
import { answerRefundControl, REFUND_CALLS, type RefundRouteOptions } from "./control-refunds.js";
import { decoded, failed, json, MAX_REQUEST_BYTES, replied, withBody } from "./control-replies.js";
import type { SimulatorControls, PresentedPayment } from "./simulator-controls.js";
import { FORGERIES, type FaultSettings, faultsChange } from "./faults.js";
import type { SandboxPublicKeys } from "./keys.js";
import { PAY_ATTEMPTS } from "./ledger-order.js";
import { rotateKeys, rotateKeysInput } from "./rotation/rotate-keys.js";
import type { MiniProgramControls } from "./mini-program/controls.js";
import type { Rotation } from "./rotation/rotation.js";
import type { SandboxClock } from "./sandbox-clock.js";
import { defectText } from "./shared/defect-text.js";
import type { SmsOutbox } from "./sms-outbox.js";

/** The dependencies of the control interface. */
export interface ControlOptions extends RefundRouteOptions {
  readonly simulatorControls: SimulatorControls;
  readonly miniProgram: MiniProgramControls;
  readonly faults: FaultSettings;
  readonly outbox: SmsOutbox;
  readonly clock: SandboxClock;
  readonly keys: SandboxPublicKeys;
  readonly rotation: Pick<Rotation, "rotate">;
  /** The addresses of the two wallets. */
  readonly addresses: SandboxAddresses;
  /** Sends the notifications that became due when the clock moved. */
  catchUp(): Promise<void>;
  /** Called with the new time after the clock moved and before the reply. */
  readonly onClockMoved?: (now: number) => void | Promise<void>;
}

/** The addresses of a sandbox's wallets, in the form that wallet clients expect. */
export interface SandboxAddresses {
  /** The base URL of WeChat Pay API v3, without a trailing slash. */
  readonly walletA: string;
  /** The complete URL of the Alipay gateway. */
  readonly walletB: string;
}

const TEN_YEARS = 10 * 366 * 24 * 3_600_000;

const byNumber = z.object({ outTradeNo: z.string().min(1) });
const orderInput = z.union([byNumber, z.object({ payload })], {
  error: "give outTradeNo, or the payload that the customer got",
});
const payInput = z.intersection(
  orderInput,
  z.object({
    late: z.boolean().default(false),
    coupon: z.int().min(1).optional(),
    payerCurrency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
  }),
);
const attemptInput = z.intersection(orderInput, z.object({ as: z.enum(PAY_ATTEMPTS) }));
const receiveInput = z.object({ payload });
const notifyInput = byNumber.extend({
  times: z.int().min(1).max(100).default(1),
  amount: z.int().min(1).optional(),
  as: z.enum(FORGERIES).optional(),
});
/** Also accepts the messages of an SMS gateway, which have `ttlSeconds` instead of `ttl`. */
const smsInput = z
  .object({
    appId: z.string().default(""),
    purpose: z.literal("login").default("login"),
    mobileNo: z.string().min(1),
    authCode: z.string().min(1),
    ttl: z.int().min(1).optional(),
    ttlSeconds: z.int().min(0).optional(),
  })
  .transform(({ ttlSeconds, ttl, ...message }, context) => {
    const time = ttl ?? (ttlSeconds === undefined ? undefined : ttlSeconds * 1_000);
    if (time !== undefined) return { ...message, ttl: time };
    context.addIssue("give ttl in milliseconds, or ttlSeconds");
    return z.NEVER;
  });
const clockInput = z.object({ advanceMs: z.int().min(0).max(TEN_YEARS) });

/**
 * Creates the HTTP interface that controls a sandbox. Requests and replies are JSON.
 *
 * A person or a test uses it to act as the customer, as the wallets and as the SMS carrier.
 */
export function controlSurface(options: ControlOptions): Surface<string> {
  return {
    maxRequestBytes: MAX_REQUEST_BYTES,
    owns: () => true,
    handle: async (request) => {
      try {
        return await answer(options, request);
      } catch (cause) {
        return failed(500, defectText(cause));
      }
    },
  };
}

async function answer(options: ControlOptions, request: HttpRequest): Promise<HttpReply<string>> {
  const { simulatorControls, faults, outbox, clock, keys, numberOf } = options;
  const presented = async (input: z.infer<typeof orderInput>): Promise<PresentedPayment> =>
    "outTradeNo" in input ? numberOf(input.outTradeNo) : input.payload;
  const order = /^\/orders\/([^/]+)$/.exec(request.path)?.[1];
  if (request.method === "GET" && order !== undefined)
    return replied(simulatorControls.order(await numberOf(decoded(order))));
  switch (`${request.method} ${request.path}`) {
    case "POST /pay":
      return withBody(request, payInput, async (input) =>
        replied(await simulatorControls.pay(await presented(input), input)),
      );
    case "POST /attempt":
      return withBody(request, attemptInput, async (input) =>
        replied(simulatorControls.attempt(await presented(input), input.as)),
      );
    case "POST /finish":
      return withBody(request, byNumber, async ({ outTradeNo }) =>
        replied(await simulatorControls.finish(await numberOf(outTradeNo))),
      );
    case "POST /open":
      return withBody(request, orderInput, async (input) =>
        replied(simulatorControls.open(await presented(input))),
      );
    case "POST /receive":
      return withBody(request, receiveInput, (input) => replied(simulatorControls.receive(input.payload)));
    case "POST /notify":
      return withBody(request, notifyInput, async ({ outTradeNo, times, amount, as }) =>
        replied(
          await simulatorControls.notify(await numberOf(outTradeNo), {
            times,
            ...(amount === undefined ? {} : { amount }),
            ...(as === undefined ? {} : { as }),
          }),
        ),
      );
    case "POST /faults":
      return withBody(request, faultsChange, (change) => json(200, faults.change(change)));
    case "POST /clock":
      return withBody(request, clockInput, async ({ advanceMs }) => {
        clock.advance(advanceMs);
        await options.catchUp();
        await options.onClockMoved?.(clock.now());
        return json(200, { now: clock.now() });
      });
    case "POST /rotate-keys":
      return withBody(request, rotateKeysInput, async (input) =>
        json(200, await rotateKeys(options.rotation, input)),
      );
    case "POST /sms":
      return withBody(request, smsInput, async (message) =>
        (await outbox.sender.send(message)).match(
          () => json(200, {}),
          ({ name, detail }) => failed(name === "sms.rejected" ? 422 : 504, detail),
        ),
      );
    case "GET /sms":
      return json(200, outbox.messages(new URLSearchParams(request.query).get("mobileNo") ?? undefined));
    case "GET /notifications": {
      const outTradeNo = new URLSearchParams(request.query).get("outTradeNo");
      return json(200, simulatorControls.sent(outTradeNo === null ? undefined : await numberOf(outTradeNo)));
    }
    case "GET /shipments":
      return json(200, options.miniProgram.shipments());
    case "POST /revoke-tokens":
      options.miniProgram.revokeTokens();
      return json(200, {});
    case "GET /keys":
      return json(200, keys);
    case "GET /wallets":
      return json(200, options.addresses);
    default:
      return (
        answerRefundControl(options, request) ?? failed(404, `No such call. There are: ${CALLS.join(", ")}.`)
      );
  }
}

const CALLS = [
  "POST /pay",
  "POST /attempt",
  "POST /finish",
  "POST /open",
  "POST /receive",
  "POST /notify",
  "POST /faults",
  "POST /clock",
  "POST /rotate-keys",
  "GET /orders/{outTradeNo}",
  "POST /sms",
  "GET /sms?mobileNo=",
  "GET /notifications?outTradeNo=",
  "GET /shipments",
  "POST /revoke-tokens",
  "GET /keys",
  "GET /wallets",
  ...REFUND_CALLS,
];
