export type { Compressor, ContentCoding } from "./compressor.js";
export { type ChosenCoding, chosenCoding } from "./chosen-coding.js";
export { isKnownToClient } from "./entity-tag.js";
export { withNegotiation } from "./with-negotiation.js";
export { withConcurrencyLimit } from "./with-concurrency-limit.js";
export { limitedSurfaces, type Surfaces } from "./limited-surfaces.js";
export type { ConcurrencyLimits } from "./concurrency-limiter.js";
export { headersWithLength } from "./headers-with-length.js";
export { headersIn, type MessageHeaders } from "../shared/message-headers.js";
export { METRICS_ERRORS } from "./metrics/metrics-errors.js";
export { downloadsFailureResponse } from "./metrics/response-schemas.js";
export { metricsRoutes } from "./metrics/routes.js";
export { metricsSurface } from "./metrics/surface.js";
export { notificationRoutes, notificationsSurface } from "./notifications/surface.js";
export { failureResponse } from "./payments/response-schemas.js";
export { failureReply } from "./payments/envelope.js";
export type { ParameterSource, Route } from "./payments/route.js";
export { paymentsRoutes } from "./payments/routes.js";
export { paymentsSurface } from "./payments/surface.js";
export {
  type Admission,
  answerAdmission,
  type ClientSignal,
  type HttpReply,
  type HttpRequest,
  type LimitableSurface,
  type Negotiable,
  type ReplyBody,
  type Surface,
} from "./request.js";
export { EndableClient } from "./endable-client.js";
export { discardStream } from "./discard-stream.js";
export { isEventStream } from "./is-event-stream.js";
export { isStream } from "./is-stream.js";
export { withShutdown } from "./with-shutdown.js";
export { type ReplyEnd, whenReplyEnds } from "./when-reply-ends.js";
export { type Mounted, type Mounts, type SurfaceFinder, surfaceFinder } from "./surface-finder.js";
export { jsonReply } from "./replies.js";
export { languageOf } from "./language-of.js";
export { type Parameters, readJsonBody, readQuery } from "./read-parameters.js";
