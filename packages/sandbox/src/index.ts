export { type Deliver, type Delivery, type DeliveryAnswer, deliverOverHttp } from "./courier.js";
export type { CustomerOutcome, Desk, DeskRefusal, KnownOrder, NotifiedOutcome, PaidOutcome } from "./desk.js";
export { newSandboxKeys, type PemPair, type SandboxKeys, type SandboxPublicKeys } from "./keys.js";
export { openSandbox, type Sandbox, type SandboxOptions } from "./open-sandbox.js";
export { type SandboxClock, sandboxClock } from "./sandbox-clock.js";
