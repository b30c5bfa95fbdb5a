import { expect, it } from "vitest";
import type { Digest } from "../shared/digest.js";
import { paymentsRoutes } from "./payments/routes.js";
import type { Compressor } from "./compressor.js";
import { answerAdmission, type Admission, type HttpReply, type LimitableSurface } from "./request.js";
import { withNegotiation } from "./with-negotiation.js";

const digest: Digest = { sha256: (text) => `hash-of-${text}`, keyed: (text) => [text] };
const LONG = "x".repeat(1_024);
const BYTES = new Uint8Array([1, 2, 3]);
const HEADERS = { "content-type": "application/json", "ratelimit-remaining": "3" };
const FIXED: HttpReply<string> = { status: 200, headers: HEADERS, body: LONG };
const NEGOTIABLE: HttpReply<string> = { ...FIXED, negotiable: { content: "c" } };
const TAGGED = { ...HEADERS, vary: "accept-encoding", etag: 'W/"hash-of-c"' };

interface Given {
  readonly reply?: HttpReply<string>;
  readonly accept?: string;
  readonly known?: string;
  readonly compressor?: Compressor | "none";
  readonly kind?: Admission["kind"];
}

/** Returns the negotiated reply. */
async function replyTo(given: Given): Promise<HttpReply> {
  const { reply = NEGOTIABLE, accept, known, compressor = aCompressor(), kind = "trusted" } = given;
  const trusted = { kind: "trusted", sender: "s", reject: () => reply, answer: async () => reply } as const;
  const untrusted = { kind: "untrusted", reject: () => reply, authenticate: async () => trusted } as const;
  const admission = { trusted, untrusted, answered: { kind: "answered", reply } as const }[kind];
  const surface: LimitableSurface<string> = {
    name: "metrics",
    maxRequestBytes: 7,
    owns: (method, path) => method === "GET" && path === "/",
    handle: () => answerAdmission(admission),
    admit: () => admission,
  };
  const negotiated = withNegotiation({ digest, ...(compressor === "none" ? {} : { compressor }) }, surface);
  expect(negotiated).toMatchObject({ name: "metrics", maxRequestBytes: 7 });
  expect([negotiated.owns("GET", "/"), negotiated.owns("GET", "/a")]).toEqual([true, false]);
  const headers = new Headers();
  if (accept !== undefined) headers.set("accept-encoding", accept);
  if (known !== undefined) headers.set("if-none-match", known);
  return negotiated.handle({ method: "GET", path: "/", query: "", headers, body: new Uint8Array() });
}

function aCompressor(compress: Compressor["compress"] = async () => BYTES): Compressor {
  return { codings: ["br", "gzip"], compress };
}

it.each(["trusted", "untrusted"] as const)("compresses a reply that is negotiable: %s", async (kind) => {
  const reply = await replyTo({ accept: "gzip", kind });
  expect(reply).toMatchObject({ status: 200, headers: { ...TAGGED, "content-encoding": "gzip" } });
  expect(reply.body).toBe(BYTES);
});

it("passes the text and the preferred coding to the compressor", async () => {
  const calls: unknown[] = [];
  const compress = async (text: string, coding: string) => {
    calls.push(text, coding);
    return BYTES;
  };
  await replyTo({ accept: "gzip, br", compressor: aCompressor(compress) });
  expect(calls).toEqual([LONG, "br"]);
});

it.each([
  ["a reply that is not negotiable", { reply: FIXED }],
  ["a reply that was known before the request got a slot", { kind: "answered" }],
] as const)("changes nothing of %s", async (_which, given) => {
  const reply = await replyTo({ ...given, accept: "gzip, identity;q=0", known: "*" });
  expect(reply).toMatchObject({ status: 200, body: LONG });
  expect(reply.headers).toEqual(HEADERS);
});

it("sends a text of less than 1,024 characters plain, unless the client refuses a plain reply", async () => {
  const reply = { ...NEGOTIABLE, body: "x".repeat(1_023) };
  expect(await replyTo({ reply, accept: "gzip" })).toMatchObject({ body: reply.body, headers: TAGGED });
  expect((await replyTo({ reply, accept: "gzip, identity;q=0" })).body).toBe(BYTES);
});

it.each([
  ["the client accepts no coding", {}],
  ["the client refuses every form", { accept: "identity;q=0" }],
  ["the host has no compressor", { accept: "gzip", compressor: "none" }],
  [
    "the compressor offers another coding",
    { accept: "gzip", compressor: { ...aCompressor(), codings: ["br"] } },
  ],
  [
    "the compressor fails",
    { accept: "gzip", compressor: aCompressor(() => Promise.reject(new Error("full"))) },
  ],
  [
    "the compressor throws",
    {
      accept: "gzip",
      compressor: aCompressor(() => {
        throw new Error("full");
      }),
    },
  ],
] as const)("sends the reply as it is if %s", async (_why, given) => {
  const reply = await replyTo(given);
  expect(reply).toMatchObject({ status: 200, body: LONG });
  expect(reply.headers).toEqual(TAGGED);
});

it("answers 304 without a body if the client has the content, and compresses nothing", async () => {
  const compressor = aCompressor(() => Promise.reject(new Error("not needed")));
  const reply = await replyTo({ accept: "gzip", known: '"other", "hash-of-c"', compressor });
  expect(reply).toMatchObject({ status: 304, body: "" });
  const { "content-type": _type, ...kept } = TAGGED;
  expect(reply.headers).toEqual(kept);
});

it("answers with the whole reply if the client has other content", async () => {
  const reply = await replyTo({ known: 'W/"hash-of-b"' });
  expect(reply).toMatchObject({ status: 200, body: LONG, headers: TAGGED });
});

it("gives a reply without content no tag, and never answers 304 for it", async () => {
  const reply = await replyTo({ reply: { ...FIXED, negotiable: {} }, known: "*", accept: "gzip" });
  expect(reply.status).toBe(200);
  expect(reply.headers).toEqual({ ...HEADERS, vary: "accept-encoding", "content-encoding": "gzip" });
});

it("compresses no answer with a secret, a code, a signature or a text of the request", () => {
  // Think of BREACH before you add a row: a secret beside text that an attacker can choose.
  expect(paymentsRoutes.filter(({ isNegotiable }) => isNegotiable).map(({ path }) => path)).toEqual([
    "/history.json",
  ]);
});
