import type { Mutant } from "../mutant.js";
import { ACCESS } from "./access.js";
import { BILLS } from "./bills.js";
import { PAYMENTS } from "./payments.js";
import { REFUNDS } from "./refunds.js";
import { REMEMBERING } from "./remembering.js";
import { STATEMENTS } from "./statements.js";
import { STORE_ACCESS } from "./store-access.js";
import { STORE_ORDERS } from "./store-orders.js";
import { STORE_RECORDS } from "./store-records.js";
import { WALLET_PROOFS } from "./wallet-proofs.js";

/** Every mutant that a suite must catch. */
export const MUTANTS: readonly Mutant[] = [
  ...PAYMENTS,
  ...REFUNDS,
  ...BILLS,
  ...ACCESS,
  ...REMEMBERING,
  ...WALLET_PROOFS,
  ...STATEMENTS,
  ...STORE_ORDERS,
  ...STORE_ACCESS,
  ...STORE_RECORDS,
];
