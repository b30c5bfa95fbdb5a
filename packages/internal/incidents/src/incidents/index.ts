import type { Incident } from "../incident.js";
import { DATABASE_INCIDENTS } from "./database.js";
import { WALLET_INCIDENTS } from "./wallets.js";

/** All incidents, in the order of the guide. */
export const INCIDENTS: readonly Incident[] = [...WALLET_INCIDENTS, ...DATABASE_INCIDENTS];
