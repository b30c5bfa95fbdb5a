// Imports only the failures: the catalog must not load the input schemas.
import assert from "node:assert/strict";
import { ERROR_CATALOG, failureMessage } from "@tillkit/core/errors";

// The place where zod keeps what all its copies in a process share.
const zodIsLoaded = () => "__zod_globalConfig" in globalThis;

assert.equal(failureMessage({ name: "order.not-found" }, "en"), ERROR_CATALOG["order.not-found"].message.en);
assert.equal(zodIsLoaded(), false);
await import("@tillkit/core");
assert.equal(zodIsLoaded(), true);
console.log("errors-alone: the catalog of failures loads no zod");
