import type { Mutant } from "../mutant.js";

const FULFILLER = "packages/client/src/fulfil/create-fulfiller.ts";
const STORE = "packages/client/src/fulfil/memory-fulfilment-store.ts";
const POSTGRES = "packages/client/src/fulfil/postgres/postgres-fulfilment-store.ts";

/** Mutants of the fulfiller, which grants a purchase once and revokes it once. */
export const FULFILMENT: readonly Mutant[] = [
  {
    name: "grants-another-amount",
    guards: "only an order of the registered amount is granted",
    file: FULFILLER,
    find: "order.bizNo === purchase.bizNo && order.amount === purchase.amount",
    replace: "order.bizNo === purchase.bizNo",
  },
  {
    name: "grants-to-another-customer",
    guards: "a purchase is verified only for its own customer",
    file: FULFILLER,
    find: "if (purchase?.customerIdentity !== customerIdentity) return",
    replace: "if (purchase === undefined) return",
  },
  {
    name: "revokes-what-was-never-granted",
    guards: "revoke is called only for what may have been granted",
    file: FULFILLER,
    find: 'const isNeeded = to === "GRANTING" || claimed.mayBeGranted;',
    replace: "const isNeeded = true;",
  },
  {
    name: "fulfilment-completes-without-claim",
    guards: "a process whose claim was lost cannot run the effect",
    file: STORE,
    find: "held?.claimId !== claimId || running.has(bizNo)",
    replace: "held === undefined || running.has(bizNo)",
    twin: "sql-fulfilment-completes-without-claim",
  },
  {
    name: "sql-fulfilment-completes-without-claim",
    guards: "a process whose claim was lost cannot run the effect",
    file: POSTGRES,
    find: "where biz_no = $1 and claim_id = $2 for update",
    replace: "where biz_no = $1 and ($2::text is not null) for update",
  },
  {
    name: "sql-fulfilment-claimed-before-the-end-of-a-lease",
    guards: "a claim is taken over only after its end",
    file: POSTGRES,
    find: "(status = any($7::text[]) and claim_until_ms <= $3)",
    replace: "(status = any($7::text[]))",
  },
];
