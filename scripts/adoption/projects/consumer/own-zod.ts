// Extends the core's input schemas with the program's own import of zod.
import assert from "node:assert/strict";
import { defaultPolicy, getOrderInput, orThrow, parseInput } from "@tillkit/core";
import * as z from "zod";

// npm installs one zod for the host and the core.
assert.ok(getOrderInput(defaultPolicy) instanceof z.ZodObject);

// The extended schema has the host's field, in its type and at run time.
const question = getOrderInput(defaultPolicy).extend({ locale: z.enum(["en", "zh"]) });
const parameters = { bizNo: "smoke-1", customerIdentity: "user-1", locale: "en" };
assert.equal(orThrow(parseInput(question, parameters)).locale, "en");
const { name } = parseInput(question, { ...parameters, bizNo: "two words" })._unsafeUnwrapErr();
assert.equal(name, "parameter.invalid");
assert.equal(parseInput(getOrderInput(defaultPolicy), {})._unsafeUnwrapErr().name, "parameter.missing");
assert.ok(z.toJSONSchema(z.object({ question })).properties?.["question"]);

// The core's messages do not change if the host configures zod.
z.config({ localeError: () => "the host's words" });
const refused = z
  .object({ question })
  .safeParse({ question: { ...parameters, bizNo: "two words", locale: "fr" } });
assert.ok(!refused.success);
assert.deepEqual(z.flattenError(refused.error).fieldErrors, {
  question: ["visible-ascii", "the host's words"],
});
console.log("own-zod: the host extends the core's inputs with its own zod");
