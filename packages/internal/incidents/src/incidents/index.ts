import type { Incident } from "../incident.js";
import { DATABASE_INCIDENTS } from "./database.js";
import { EVENT_INCIDENTS } from "./events.js";
import { PROCESS_INCIDENTS } from "./processes.js";
import { WALLET_INCIDENTS } from "./wallets.js";

/** All incidents, in the order of the guide. */
export const INCIDENTS: readonly Incident[] = [
  ...WALLET_INCIDENTS,
  ...EVENT_INCIDENTS,
  ...DATABASE_INCIDENTS,
  ...PROCESS_INCIDENTS,
];
