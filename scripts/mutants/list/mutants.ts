import type { Mutant } from "../mutant.js";
import { ACCESS } from "./access.js";
import { BILLS } from "./bills.js";
import { PAYMENTS } from "./payments.js";
import { REFUNDS } from "./refunds.js";
import { REMEMBERING } from "./remembering.js";
import { SOURCES } from "./sources.js";
import { STATEMENTS } from "./statements.js";
import { WALLET_PROOFS } from "./wallet-proofs.js";

/** Every breakage that must not pass unseen. */
export const MUTANTS: readonly Mutant[] = [
  ...PAYMENTS,
  ...REFUNDS,
  ...BILLS,
  ...ACCESS,
  ...REMEMBERING,
  ...WALLET_PROOFS,
  ...SOURCES,
  ...STATEMENTS,
];
