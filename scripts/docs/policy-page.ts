import { defaultPolicy, type Policy, policyRange, yuanText } from "@tillkit/core";
import ts from "typescript";
import { interfaceIn, namedTypes, sourceOf } from "./core-program.js";
import { docOf, withPlainLinks } from "./doc-comment.js";
import { code, codeBlock, page, table } from "./markdown.js";
import { bytes, duration, durations } from "./quantity.js";

/** Creates the reference of limits: every field of `Policy` with its default and its range. */
export function policyPage(program: ts.Program): string {
  const policy = interfaceIn(program, "policy.ts", "Policy");
  const fields = policy.members.filter((member) => ts.isPropertySignature(member));
  const rows = fields.map((field) => {
    const name = field.name.getText();
    return [code(name), defaultText(name), policyRange(name), docOf(field)];
  });
  const nested = namedTypes(program.getTypeChecker(), policy).map((one) =>
    codeBlock(withPlainLinks(sourceOf(one))),
  );
  return page(
    "Policy",
    docOf(policy),
    table(["Field", "Default", "Range", "Meaning"], rows),
    nested.length === 0 ? "" : "## Types",
    ...nested,
  );
}

/** Returns the default of a policy field for the page: `2 h (7200000)`. */
export function defaultText(name: string): string {
  const value = new Map<string, Policy[keyof Policy]>(Object.entries(defaultPolicy)).get(name);
  if (value === undefined) return "none";
  if (typeof value === "number") return numberText(name, value);
  if (typeof value === "string" || typeof value === "boolean") return code(String(value));
  if (!isList(value)) return code(JSON.stringify(value));
  if (value.length === 0) return "none";
  const texts = value.filter((item) => typeof item === "string");
  const numbers = value.filter((item) => typeof item === "number");
  return texts.length > 0 ? texts.map(code).join(" ") : durations(numbers);
}

// `Array.isArray` does not recognize a readonly array of the policy.
function isList(value: object): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Formats a number with the unit that the name of its field implies. */
function numberText(name: string, value: number): string {
  if (
    /(Ttl|Margin|Deadline|Interval|Lease|Skew|Cooldown|Retention|Period|Warning|Overdue|Delay|Pause|CoolingOff)$/.test(
      name,
    )
  )
    return `${duration(value)} (${value})`;
  if (/(Amount|RefundLimit)$/.test(name)) return `${yuanText(value)} yuan (${value})`;
  if (name.endsWith("Bytes")) return `${bytes(value)} (${value})`;
  return String(value);
}
