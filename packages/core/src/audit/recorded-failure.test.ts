import { expect, it } from "vitest";
import { ERROR_CATALOG } from "../errors/catalog.js";
import { outcomeOfFailure } from "./recorded-failure.js";

/** The failures after which a change may have been made, written out. */
const UNCERTAIN = ["refund.outcome-unknown", "storage.unavailable", "storage.misconfigured"];

it.each(Object.keys(ERROR_CATALOG).map((name) => [name] as const))("records the outcome of %s", (name) => {
  expect(outcomeOfFailure({ name })).toBe(UNCERTAIN.includes(name) ? "unknown" : "failed");
});

it("records the outcome `failed` for a failure that is not in the catalog", () => {
  expect(outcomeOfFailure({ name: "refund-approval.decided" })).toBe("failed");
});
