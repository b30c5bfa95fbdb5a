import type { Mutant } from "../mutant.js";

const PAYMENTS_SURFACE = "packages/core/src/http/payments/surface.ts";
const WITH_TRACE_ID = "packages/core/src/http/with-trace-id.ts";
const TRACE_METHODS = "packages/opentelemetry/src/trace-methods.ts";
const INSTRUMENT_SURFACE = "packages/opentelemetry/src/instrument-surface.ts";
const ALIPAY_POST = "packages/alipay/src/gateway/post.ts";
const WECHAT_SEND_SIGNED = "packages/wechat-pay/src/gateway/send-signed.ts";

/** Mutants of traces and metrics. */
export const TELEMETRY: readonly Mutant[] = [
  {
    name: "telemetry-envelope-ignores-the-trace",
    guards: "the trace id of a request is the one in its envelope",
    file: PAYMENTS_SURFACE,
    find: "traceId: request.traceId ?? newTraceId(ports.random),",
    replace: "traceId: newTraceId(ports.random),",
  },
  {
    name: "telemetry-header-ignores-the-trace",
    guards: "the trace id of a request is the one in its reply",
    file: WITH_TRACE_ID,
    find: "{ traceId = newTraceId(random) }: HttpRequest,",
    replace: "_request: HttpRequest,\n  traceId = newTraceId(random),",
  },
  {
    name: "telemetry-message-in-a-span",
    guards: "no span contains the message of an error",
    file: TRACE_METHODS,
    find: "isError(thrown) ? thrown.constructor.name : typeof thrown;",
    replace: "thrown instanceof Error ? thrown.message : typeof thrown;",
  },
  {
    name: "telemetry-any-method-is-a-label",
    guards: "attributes of metrics come from closed lists",
    file: INSTRUMENT_SURFACE,
    find: 'const method = METHODS.has(request.method) ? request.method : "OTHER";',
    replace: "const { method } = request;",
  },
  {
    name: "telemetry-alipay-header-replaced",
    guards: "the host's headers never replace those of the adapter",
    file: ALIPAY_POST,
    find: 'headers.set("accept", "application/json");',
    replace: 'if (!headers.has("accept")) headers.set("accept", "application/json");',
  },
  {
    name: "telemetry-wechat-pay-header-replaced",
    guards: "the host's headers never replace those of the adapter",
    file: WECHAT_SEND_SIGNED,
    find: '"user-agent": "tillkit-wechat-pay",',
    replace:
      '"user-agent": "tillkit-wechat-pay", ...(request.headers?.["Authorization"] === undefined ? {} : { authorization: request.headers["Authorization"] }),',
  },
];
