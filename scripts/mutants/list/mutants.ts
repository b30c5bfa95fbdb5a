import type { Mutant } from "../mutant.js";
import { ACCESS } from "./access.js";
import { PAYMENTS } from "./payments.js";
import { REFUNDS } from "./refunds.js";
import { STATEMENTS } from "./statements.js";
import { WALLET_PROOFS } from "./wallet-proofs.js";

/** Every breakage that must not pass unseen. */
export const MUTANTS: readonly Mutant[] = [
  ...PAYMENTS,
  ...REFUNDS,
  ...ACCESS,
  ...WALLET_PROOFS,
  ...STATEMENTS,
];
