import assert from "node:assert/strict";
import { openShop } from "./open-shop.js";

const { DATABASE_URL = "" } = process.env;
if (DATABASE_URL === "") throw new Error("Set DATABASE_URL to an empty PostgreSQL database.");

const { shop, deliver, entries, close } = await openShop(DATABASE_URL);
await deliver();
const { order } = await shop.placeOrder({ bizNo: "order-1001" });
await shop.wallets.WALLET_A.notify(order);
await deliver();
await deliver(); // nothing is left to deliver

const written = await entries();
assert.equal(written.length, 3);
console.log(written);
await close();
