import type { KnownShipment } from "./shipments.js";

/** Acts as WeChat's console for deliveries of mini-programs. */
export interface MiniProgramControls {
  /** The paid orders of mini-programs: whether WeChat keeps their money, and what was reported. */
  shipments(): readonly KnownShipment[];
  /** Makes every access token invalid before its end, as after a reset of the secret. */
  revokeTokens(): void;
  /** How many access tokens were created. */
  tokensCreated(): number;
}
