import { equalInConstantTime, type Observer, type ServiceEvent } from "@tillkit/core";
import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";
import { twilioSignature } from "./authentic.js";
import { firstReceipts } from "./first-receipts.js";
import { readAliyunReceipts, readTencentReceipts, readTwilioReceipts } from "./read-receipts.js";
import type { SmsReceipt } from "./sms-receipt.js";

/** The options of {@link receiptsSurface}. A carrier without options gets no endpoint. */
export interface ReceiptsOptions {
  readonly observer: Observer;
  /** Alibaba Cloud signs nothing, so the secret is a segment of the URL. */
  readonly aliyun?: { readonly secret: string };
  /** Tencent Cloud signs nothing, so the secret is a segment of the URL. */
  readonly tencent?: { readonly secret: string };
  /** Twilio signs its public URL and the form. The URL is the `statusCallback` of the sender. */
  readonly twilio?: { readonly authToken: string; readonly url: string };
}

/** A report has at most 100 receipts of a few hundred bytes. */
const MAX_REQUEST_BYTES = 256 * 1024;

/**
 * Creates the surface that receives delivery receipts. Every binding can mount it.
 *
 * The endpoints are `POST /aliyun/SECRET`, `POST /tencent/SECRET` and `POST /twilio`. The first
 * receipt of a message becomes one event `sms.reported` with the carrier and the outcome. Nothing
 * is stored.
 *
 * Carriers repeat a report until they get an answer. The surface remembers the digests of the last
 * 20 000 receipts in memory. Another process, or the same process after a restart, counts a
 * repeated receipt once more.
 *
 * @returns the surface.
 * @throws RangeError if a secret has fewer than 32 characters or any except `A-Z a-z 0-9 _ -`, or
 *   if Twilio's `authToken` is empty or its `url` is not absolute.
 * @example
 * ```ts
 * import { receiptsSurface } from "@tillkit/sms";
 *
 * const secret = process.env["SMS_RECEIPT_SECRET"] ?? "";
 * const receipts = receiptsSurface({ observer: ports.observer, tencent: { secret } });
 * ```
 */
export function receiptsSurface(options: ReceiptsOptions): Surface<string> {
  for (const carrier of [options.aliyun, options.tencent])
    if (carrier !== undefined && !/^[\w-]{32,}$/.test(carrier.secret))
      throw new RangeError("A receipt secret needs at least 32 characters of A-Z a-z 0-9 _ -.");
  if (options.twilio !== undefined) {
    // Everybody can sign with an empty key.
    if (options.twilio.authToken === "") throw new RangeError("Twilio's receipts need the authToken.");
    if (!URL.canParse(options.twilio.url)) throw new RangeError("Twilio's receipts need their public URL.");
  }
  const isFirst = firstReceipts();
  return {
    maxRequestBytes: MAX_REQUEST_BYTES,
    owns: (method, path) => method === "POST" && endpointOf(options, path) !== undefined,
    handle: (request) => Promise.resolve(answer(options, isFirst, request)),
  };
}

/** What a carrier sends and expects. */
interface Endpoint {
  readonly carrier: "aliyun" | "tencent" | "twilio";
  readonly route: string;
  readonly accepted: string;
  /** Returns whether the request is authentic. */
  isAuthentic(request: HttpRequest, body: string): boolean;
  /** Returns `undefined` if the body is no report. */
  read(body: string): readonly SmsReceipt[] | undefined;
}

function endpointOf({ aliyun, tencent, twilio }: ReceiptsOptions, path: string): Endpoint | undefined {
  const [, carrier, ...rest] = path.split("/");
  const secretIs = (secret: string) => () => equalInConstantTime(rest.join("/"), secret);
  if (carrier === "aliyun" && aliyun !== undefined && rest.length === 1)
    return {
      carrier,
      route: "/aliyun/{secret}",
      accepted: '{"code":0,"msg":"OK"}',
      isAuthentic: secretIs(aliyun.secret),
      read: readAliyunReceipts,
    };
  if (carrier === "tencent" && tencent !== undefined && rest.length === 1)
    return {
      carrier,
      route: "/tencent/{secret}",
      accepted: '{"result":0,"errmsg":"OK"}',
      isAuthentic: secretIs(tencent.secret),
      read: readTencentReceipts,
    };
  if (carrier === "twilio" && twilio !== undefined && rest.length === 0)
    return {
      carrier,
      route: "/twilio",
      accepted: "",
      isAuthentic: ({ headers }, body) => {
        const expected = twilioSignature(twilio.authToken, twilio.url, new URLSearchParams(body));
        return equalInConstantTime(headers.get("x-twilio-signature") ?? "", expected);
      },
      read: (body) => readTwilioReceipts(new URLSearchParams(body)),
    };
  return undefined;
}

function answer(
  options: ReceiptsOptions,
  isFirst: ReturnType<typeof firstReceipts>,
  request: HttpRequest,
): HttpReply<string> {
  const endpoint = endpointOf(options, request.path);
  if (endpoint === undefined) return reply(404, "");
  const { carrier, route, accepted } = endpoint;
  if (request.body === "too-large") return reply(413, "", route);
  const body = new TextDecoder().decode(request.body);
  if (!endpoint.isAuthentic(request, body)) return reply(403, "", route);
  const receipts = endpoint.read(body);
  if (receipts === undefined) return reply(400, "", route);
  for (const { outcome, id } of receipts)
    if (isFirst(carrier, id)) emit(options.observer, { type: "sms.reported", carrier, outcome });
  return reply(200, accepted, route);
}

/** An observer must not throw. If it does, the carrier must still get its answer. */
function emit(observer: Observer, event: ServiceEvent): void {
  try {
    observer.onEvent(event);
  } catch {
    // Ignored.
  }
}

function reply(status: number, body: string, route?: string): HttpReply<string> {
  return {
    status,
    headers: {
      "content-type": body === "" ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
    body,
    ...(route !== undefined && { route }),
  };
}
