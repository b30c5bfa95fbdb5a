import type { Observer, ServiceEvent } from "@tillkit/core";
import {
  type Admission,
  answerAdmission,
  type HttpReply,
  type HttpRequest,
  type LimitableSurface,
} from "@tillkit/core/http";
import { equalInConstantTime } from "@tillkit/core/ports";
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
/** Twilio sends about 20 parameters with each status. */
const MAX_PARAMETERS = 200;
/** The length of an HMAC-SHA1 in base64. */
const SIGNATURE_LENGTH = 28;

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
 * @returns the surface, without a limit of concurrent requests.
 * @throws RangeError if a secret has fewer than 32 characters, or a character that is not one of
 *   `A-Z a-z 0-9 _ -`, or if Twilio's `authToken` is empty or its `url` is not absolute.
 * @example
 * ```ts
 * import { withConcurrencyLimit } from "@tillkit/core/http";
 * import { receiptsSurface } from "@tillkit/sms";
 *
 * const secret = process.env["SMS_RECEIPT_SECRET"] ?? "";
 * const surface = receiptsSurface({ observer: ports.observer, tencent: { secret } });
 * const receipts = withConcurrencyLimit(ports, surface);
 * ```
 */
export function receiptsSurface(options: ReceiptsOptions): LimitableSurface<string> {
  for (const carrier of [options.aliyun, options.tencent])
    if (carrier !== undefined && !/^[\w-]{32,}$/.test(carrier.secret))
      throw new RangeError("A receipt secret needs at least 32 characters of A-Z a-z 0-9 _ -.");
  if (options.twilio !== undefined) {
    // Everybody can sign with an empty key.
    if (options.twilio.authToken === "") throw new RangeError("Twilio's receipts need the authToken.");
    if (!URL.canParse(options.twilio.url)) throw new RangeError("Twilio's receipts need their public URL.");
  }
  const isFirst = firstReceipts();
  const admit = (request: HttpRequest): Admission<string> => {
    const endpoint = endpointOf(options, request.path);
    if (endpoint === undefined) return { kind: "answered", reply: reply(404, "") };
    const { carrier, route } = endpoint;
    const reject = (retryAfter: string) => rejected(route, retryAfter);
    const authenticate = async () => {
      const authentic = authenticReport(endpoint, request);
      if (typeof authentic === "number") return answered(reply(authentic, "", route));
      const answer = async () => acceptReport(options.observer, isFirst, endpoint, authentic);
      return { kind: "trusted", sender: carrier, answer, reject } as const;
    };
    return { kind: "untrusted", authenticate, reject };
  };
  return {
    name: "receipts",
    maxRequestBytes: MAX_REQUEST_BYTES,
    owns: (method, path) => method === "POST" && endpointOf(options, path) !== undefined,
    handle: (request) => answerAdmission(admit(request)),
    admit,
  };
}

function answered(reply: HttpReply<string>) {
  return { kind: "answered", reply } as const;
}

/** How the endpoint of one carrier verifies, reads and answers a report. */
interface Endpoint {
  readonly carrier: "aliyun" | "tencent" | "twilio";
  readonly route: string;
  readonly accepted: string;
  /** Returns whether the request is authentic. The cost is at most linear in the body size. */
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
        const signature = headers.get("x-twilio-signature") ?? "";
        if (signature.length !== SIGNATURE_LENGTH || hasMoreParameters(body, MAX_PARAMETERS)) return false;
        const expected = twilioSignature(twilio.authToken, twilio.url, new URLSearchParams(body));
        return equalInConstantTime(signature, expected);
      },
      read: (body) => readTwilioReceipts(new URLSearchParams(body)),
    };
  return undefined;
}

/** Returns whether a form has more than `limit` parameters, without parsing it. */
function hasMoreParameters(form: string, limit: number): boolean {
  let count = 1;
  for (let at = form.indexOf("&"); at >= 0 && count <= limit; at = form.indexOf("&", at + 1)) count += 1;
  return count > limit;
}

/** Returns the body of an authentic request, or the status of a refusal. */
function authenticReport(endpoint: Endpoint, request: HttpRequest): string | number {
  if (request.body === "too-large") return 413;
  const body = new TextDecoder().decode(request.body);
  return endpoint.isAuthentic(request, body) ? body : 403;
}

/** Emits the receipts of an authentic report. */
function acceptReport(
  observer: Observer,
  isFirst: ReturnType<typeof firstReceipts>,
  endpoint: Endpoint,
  body: string,
): HttpReply<string> {
  const { carrier, route, accepted } = endpoint;
  const receipts = endpoint.read(body);
  if (receipts === undefined) return reply(400, "", route);
  for (const { outcome, id } of receipts)
    if (isFirst(carrier, id)) emit(observer, { type: "sms.reported", carrier, outcome });
  return reply(200, accepted, route);
}

/** Carriers repeat a report after a status other than 200. */
function rejected(route: string, retryAfter: string): HttpReply<string> {
  const { headers, ...rest } = reply(503, "", route);
  return { ...rest, headers: { ...headers, "retry-after": retryAfter } };
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
