// A program with a zod of its own: the core carries one along, and the two understand each other's schemas.
import assert from "node:assert/strict";
import { defaultPolicy, getOrderInput, parseInput } from "@tillkit/core";
import * as z from "zod";

// What the host extends is its own schema afterwards, in the types and at run time.
const question = getOrderInput(defaultPolicy).extend({ locale: z.enum(["en", "zh"]) });
const asked = { bizNo: "smoke-1", customerIdentity: "user-1", locale: "en" };
assert.equal(parseInput(question, asked)._unsafeUnwrap().locale, "en");
const { name } = parseInput(question, { ...asked, bizNo: "two words" })._unsafeUnwrapErr();
assert.equal(name, "parameter.invalid");

// The core's schemas are schemas to the host's zod: inside its own, by `instanceof`, as JSON Schema, and in its registries.
assert.ok(question instanceof z.ZodObject);
assert.ok(z.toJSONSchema(z.object({ question })).properties?.["question"]);
const described = getOrderInput(defaultPolicy).meta({ title: "Question" });
assert.equal(z.globalRegistry.get(described)?.title, "Question");
assert.equal(z.toJSONSchema(described).title, "Question");

// What went wrong is an error to the host's zod, with the core's own words and the host's beside them.
z.config({ localeError: () => "the host's words" });
const refused = z
  .object({ question })
  .safeParse({ question: { ...asked, bizNo: "two words", locale: "fr" } });
assert.ok(refused.error instanceof z.ZodError);
assert.deepEqual(z.flattenError(refused.error).fieldErrors, {
  question: ["visible-ascii", "the host's words"],
});
assert.ok(getOrderInput(defaultPolicy).safeParse({}).error instanceof z.ZodError);
assert.equal(parseInput(getOrderInput(defaultPolicy), {})._unsafeUnwrapErr().name, "parameter.missing");
console.log("own-zod: the host's zod and the one that came along understand each other");
