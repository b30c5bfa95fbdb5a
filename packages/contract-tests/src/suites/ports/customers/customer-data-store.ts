import type { Stores } from "@tillkit/core";
import { describe } from "vitest";
import { type Opened, openBeforeEach } from "../../../support/open-before-each.js";
import { loginErasure } from "./login-erasure.js";
import { noteErasure } from "./note-erasure.js";
import { nameRetention } from "./name-retention.js";
import { numberMoves } from "./number-moves.js";
import { orderErasure } from "./order-erasure.js";

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
