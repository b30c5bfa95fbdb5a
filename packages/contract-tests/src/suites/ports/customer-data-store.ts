import type { Stores } from "@tillkit/core";
import { describe } from "vitest";
import { type Opened, openBeforeEach } from "../../support/open-before-each.js";
import { loginErasure } from "./customers/login-erasure.js";
import { noteErasure } from "./customers/note-erasure.js";
import { nameRetention } from "./customers/name-retention.js";
import { numberMoves } from "./customers/number-moves.js";
import { orderErasure } from "./customers/order-erasure.js";

/** Tests every requirement of `CustomerDataStore`. `open` returns empty stores for each test. */
export function customerDataStoreContract(adapter: string, open: () => Promise<Opened<Stores>>): void {
  describe(`CustomerDataStore contract: ${adapter}`, () => {
    const stores = openBeforeEach(open);
    loginErasure(stores);
    orderErasure(stores);
    noteErasure(stores);
    nameRetention(stores);
    numberMoves(stores);
  });
}
