import type { HttpReply, HttpRequest, Surface } from "@tillkit/core/http";
import { describe, expect, it } from "vitest";
import type { Finding, Target } from "./attack.js";
import { metrics } from "./metrics.js";
import { payments } from "./payments.js";

type Handle = (request: HttpRequest, properly: () => Promise<HttpReply>) => Promise<HttpReply>;

/** A surface in which every answer to a request that names `__proto__` goes through `handle`. */
const planted =
  (handle: Handle) =>
  (surface: Surface): Surface => ({
    ...surface,
    handle: (request) => {
      const text = request.query + Buffer.from(request.body).toString();
      const properly = () => surface.handle(request);
      return text.includes("__proto__") ? handle(request, properly) : properly();
    },
  });

const FAULTS: readonly (readonly [name: string, handle: Handle, broken: RegExp])[] = [
  ["throws", () => Promise.reject(new Error("a planted fault")), /a planted fault/],
  [
    "leaks a stack",
    async (_request, properly) => ({ ...(await properly()), body: new Error("x").stack ?? "" }),
    /stack or a path/,
  ],
  [
    "answers without an envelope",
    async (_request, properly) => ({ ...(await properly()), body: "oops" }),
    /enveloped/,
  ],
  [
    "changes a prototype",
    (_request, properly) => {
      Reflect.set(Object.prototype, "polluted", 1);
      return properly();
    },
    /Object\.prototype\.polluted changed/,
  ],
  [
    "fails beside its answer",
    (_request, properly) => {
      void Promise.reject(new Error("a planted fault"));
      return properly();
    },
    /beside the answer: Error: a planted fault/,
  ],
];

/** Rounds until something is found. */
async function found(target: Target): Promise<Finding | undefined> {
  const attack = await target.open();
  for (let seed = 1; seed < 40; seed += 1) {
    const { finding } = await attack.round({ seed });
    if (finding !== undefined) return finding;
  }
  return undefined;
}

describe.each([
  ["payments", payments],
  ["metrics", metrics],
] as const)("a fault planted in %s", (_name, target) => {
  it.each(FAULTS)("is found when it %s", async (_fault, handle, broken) => {
    const finding = await found(target(planted(handle)));
    expect(finding?.broken).toMatch(broken);
    // Nothing is left of the story but what it takes.
    expect(finding?.story.match(/__proto__/g)).toHaveLength(1);
    expect(finding?.story.match(/^(GET|POST) /gm)?.length ?? 1).toBe(1);
    expect(finding?.path).toMatch(/^\d+(:\d+)*$/);
  });
});
