import type { Mutant } from "../mutant.js";
const SURFACE_ROUTER = "packages/express/src/surface-router.ts";
const ANSWER_REQUEST = "packages/node/src/answer-request.ts";
const NODE_BODY = "packages/node/src/read-body-up-to-limit.ts";
const SEND_REPLY = "packages/node/src/send-reply.ts";
const SPLIT_TARGET = "packages/node/src/split-target.ts";
const NODE_LISTENER = "packages/node/src/node-listener.ts";
const FETCH_HANDLER = "packages/fetch/src/fetch-handler.ts";
const FETCH_BODY = "packages/fetch/src/read-body-up-to-limit.ts";
const TO_RESPONSE = "packages/fetch/src/to-response.ts";
const SURFACE_FINDER = "packages/core/src/http/surface-finder.ts";
const MESSAGE_HEADERS = "packages/core/src/shared/message-headers.ts";
const IN_FLIGHT = "packages/wallet-kit/src/gateway/keyed-limiter.ts";
const MEMOIZE_BY_ACCOUNT = "packages/wallet-kit/src/credentials/memoize-by-account.ts";
const SIGN_TEXT = "packages/wallet-kit/src/signing/signature.ts";
const ABORT_AFTER = "packages/wallet-kit/src/gateway/abort-after.ts";
const SYSTEM_RANDOM = "packages/runtime/src/system-random.ts";
const NODE_DIGEST = "packages/runtime/src/node-digest.ts";
const FAILURE = "packages/cli/src/failure.ts";
const ANSWER = "packages/cli/src/answer.ts";
const REFUND_COMMAND = "packages/cli/src/commands/refund-order.ts";
const APPS = "packages/cli/src/commands/apps.ts";
const NUMBERS = "packages/cli/src/numbers.ts";
const BILL_ANSWER = "packages/cli/src/bill-answer.ts";

/** Mutants of what lies between hosts and core: bindings, runtime, command line, wallet kit. */
export const BETWEEN_HOSTS_AND_CORE: readonly Mutant[] = [
  {
    name: "express-decodes-the-path",
    guards: "the surface gets the path as the client wrote it",
    file: SURFACE_ROUTER,
    find: "const target = splitTarget(urlBelow(request));",
    replace: 'const target = splitTarget(urlBelow(request).replaceAll("%26", "&").replaceAll("%2F", "/"));',
    needsContract: true,
  },
  {
    name: "express-parses-the-query",
    guards: "the surface gets the query as the client wrote it",
    file: SURFACE_ROUTER,
    find: "const target = splitTarget(urlBelow(request));",
    replace:
      "const written = splitTarget(urlBelow(request));\n    const target = { ...written, query: new URLSearchParams(written.query).toString() };",
    needsContract: true,
  },
  {
    name: "express-owns-every-path",
    guards: "paths that no surface owns stay with the host",
    file: SURFACE_ROUTER,
    find: "if (!surface.owns(request.method, target.path)) {",
    replace: "if (!surface.owns(request.method, target.path) && target.path.length < 0) {",
    needsContract: true,
  },
  {
    name: "node-decodes-the-path",
    guards: "the surface gets the path as the client wrote it",
    file: SPLIT_TARGET,
    find: 'return { path: path === "" ? "/" : path,',
    replace: 'return { path: path === "" ? "/" : path.replaceAll("%26", "&").replaceAll("%2F", "/"),',
    needsContract: true,
  },
  {
    name: "node-query-cut-at-the-second-mark",
    guards: "the surface gets the query as the client wrote it",
    file: SPLIT_TARGET,
    find: "target.slice(mark + 1) };",
    replace: 'target.slice(mark + 1).split("?", 1).join() };',
    needsContract: true,
  },
  {
    name: "node-body-one-byte-longer",
    guards: "a body above the limit of the surface is refused",
    file: NODE_BODY,
    find: "      if (size <= limit) {\n        if (chunks.push",
    replace: "      if (size <= limit + 1) {\n        if (chunks.push",
    needsContract: true,
  },
  {
    name: "node-declared-length-not-looked-at",
    guards: "a body that is declared too large is not read into memory",
    file: NODE_BODY,
    find: 'if (Number(request.headers["content-length"]) > limit) {',
    replace: 'if (Number(request.headers["content-length"]) > 2 * limit + 10_000_000) {',
  },
  {
    name: "node-parsed-body-sent-on",
    guards: "the surface gets the raw bytes of the body",
    file: NODE_BODY,
    find: "if (kept === undefined) throw new Error(BODY_ALREADY_READ);",
    replace: "if (kept === undefined) return Buffer.from(JSON.stringify(request.body));",
  },
  {
    name: "node-aborted-body-handled",
    guards: "a request with an incomplete body is not processed",
    file: ANSWER_REQUEST,
    find: '  if (body === "aborted") return;\n',
    replace: "",
  },
  {
    name: "node-connection-closed-on-an-upload",
    guards: "a client that sends too large a body gets the reply",
    file: SEND_REPLY,
    find: "if (!mayBeUploading) {",
    replace: "if (!mayBeUploading || body.length >= 0) {",
    needsContract: true,
  },
  {
    name: "node-length-in-characters",
    guards: "the length of a reply is counted in bytes",
    file: SEND_REPLY,
    find: "headersWithLength(reply, Buffer.byteLength(sent))",
    replace: "headersWithLength(reply, sent.length)",
    needsContract: true,
  },
  {
    name: "node-put-taken-for-post",
    guards: "the surface gets the method as it was sent",
    file: ANSWER_REQUEST,
    find: 'method: request.method ?? "",',
    replace: 'method: request.method === "PUT" ? "POST" : (request.method ?? ""),',
    needsContract: true,
  },
  {
    name: "node-path-not-looked-up-by-method",
    guards: "a method that the surface does not own is left to the host",
    file: NODE_LISTENER,
    find: 'const found = find(request.method ?? "", path);',
    replace: 'const found = find("GET", path);',
    needsContract: true,
  },
  {
    name: "fetch-decodes-the-path",
    guards: "the surface gets the path as the client wrote it",
    file: FETCH_HANDLER,
    find: "return answer(found, search.slice(1),",
    replace:
      'return answer({ ...found, path: found.path.replaceAll("%26", "&").replaceAll("%2F", "/") }, search.slice(1),',
    needsContract: true,
  },
  {
    name: "fetch-parses-the-query",
    guards: "the surface gets the query as the client wrote it",
    file: FETCH_HANDLER,
    find: "return answer(found, search.slice(1),",
    replace: "return answer(found, new URLSearchParams(search).toString(),",
    needsContract: true,
  },
  {
    name: "fetch-body-one-byte-longer",
    guards: "a body above the limit of the surface is refused",
    file: FETCH_BODY,
    find: "if (size > limit) return tooLarge(reader);",
    replace: "if (size > limit + 1) return tooLarge(reader);",
    needsContract: true,
  },
  {
    name: "fetch-chunks-out-of-order",
    guards: "the surface gets every byte of the body",
    file: FETCH_BODY,
    find: "for (const chunk of chunks) {",
    replace: "for (const chunk of chunks.toReversed()) {",
    needsContract: true,
  },
  {
    name: "fetch-status-lost",
    guards: "a reply has the status that the surface gave it",
    file: TO_RESPONSE,
    find: "status: reply.status,",
    replace: "status: reply.status === 204 ? 204 : 200,",
    needsContract: true,
  },
  {
    name: "mount-point-found-by-its-beginning",
    guards: "a mount point is compared segment by segment",
    file: SURFACE_FINDER,
    find: 'below === "" ? "/" : below.startsWith("/") ? below : undefined;',
    replace: 'below === "" ? "/" : below.startsWith("/") ? below : `/${below}`;',
  },
  {
    name: "shallow-mount-point-first",
    guards: "the deepest mount point that matches gets the request",
    file: SURFACE_FINDER,
    find: "right.prefix.length - left.prefix.length",
    replace: "left.prefix.length - right.prefix.length",
    needsContract: true,
  },
  {
    name: "header-of-a-prototype-found",
    guards: "a header that was not sent is not found",
    file: MESSAGE_HEADERS,
    find: "Object.hasOwn(record, key) ? record[key] : undefined;",
    replace: "record[key] ?? Reflect.get(Object.prototype, key);",
    needsContract: true,
  },
  {
    name: "repeated-header-the-first-counts",
    guards: "repeats of a header are joined",
    file: MESSAGE_HEADERS,
    find: 'value.join(", ")',
    replace: '(value[0] ?? "")',
    needsContract: true,
  },
  {
    name: "merchant-without-a-limit-of-calls",
    guards: "the number of concurrent calls of a merchant is limited",
    file: IN_FLIGHT,
    find: "if (lane.running < maxConcurrent) {",
    replace: "if (lane.running < 2 * maxConcurrent) {",
  },
  {
    name: "merchant-without-a-limit-of-waiting-calls",
    guards: "the number of queued calls of a merchant is limited",
    file: IN_FLIGHT,
    find: 'if (lane.waiting.size >= maxQueued) return err("busy");',
    replace: "",
  },
  {
    name: "place-of-a-call-never-returned",
    guards: "a call that ended frees its slot",
    file: IN_FLIGHT,
    find: "lane.running -= 1;\n      if (lane.running === 0)",
    replace: "if (lane.running === 0)",
  },
  {
    name: "merchants-share-their-places",
    guards: "the calls of one merchant do not block another merchant",
    file: IN_FLIGHT,
    find: "const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };",
    replace: "const lane = [...lanes.values()][0] ?? { running: 0, waiting: new Set() };",
  },
  {
    name: "replaced-keys-still-used",
    guards: "replaced credentials are parsed again",
    file: MEMOIZE_BY_ACCOUNT,
    find: "const entries = Object.entries(credentials).sort(",
    replace: 'const entries = Object.keys(credentials).map((name) => [name, ""] as const).sort(',
  },
  {
    name: "credentials-kept-without-bound",
    guards: "the cache of credentials has a limited size",
    file: MEMOIZE_BY_ACCOUNT,
    find: "if (stored.size > size && oldest !== undefined) stored.delete(oldest);",
    replace: "",
  },
  {
    name: "signed-with-an-old-digest",
    guards: "requests are signed with SHA-256",
    file: SIGN_TEXT,
    find: 'sign("RSA-SHA256"',
    replace: 'sign("RSA-SHA1"',
  },
  {
    name: "signed-in-another-encoding",
    guards: "the signature covers the UTF-8 bytes of the text that is sent",
    file: SIGN_TEXT,
    find: 'Buffer.from(text, "utf8")',
    replace: 'Buffer.from(text, "latin1")',
  },
  {
    name: "long-deadline-over-at-once",
    guards: "a long deadline does not end at once",
    file: ABORT_AFTER,
    find: "Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_TIMER_MS);",
    replace: "Math.max(0, Math.ceil(milliseconds));",
  },
  {
    name: "random-bytes-given-twice",
    guards: "no random byte is returned twice",
    file: SYSTEM_RANDOM,
    find: "    given += count;\n",
    replace: "",
  },
  {
    name: "older-peppers-dropped",
    guards: "a phone number is looked up under every stored pepper",
    file: NODE_DIGEST,
    find: "keyed: (text) => [hmac(current, text), ...older.map((key) => hmac(key, text))],",
    replace: "keyed: (text) => [hmac(current, text), ...older.slice(0, 0).map((key) => hmac(key, text))],",
  },
  {
    name: "pepper-before-last-dropped",
    guards: "a phone number is looked up under every stored pepper",
    file: NODE_DIGEST,
    find: "keyed: (text) => [hmac(current, text), ...older.map((key) => hmac(key, text))],",
    replace: "keyed: (text) => [hmac(current, text), ...older.slice(0, 1).map((key) => hmac(key, text))],",
  },
  {
    name: "oldest-pepper-is-the-current-one",
    guards: "new values are stored under the current pepper",
    file: NODE_DIGEST,
    find: "const [current, ...older] = peppers.map(keyOf);",
    replace: "const [current, ...older] = peppers.toReversed().map(keyOf);",
  },
  {
    name: "command-says-done-without-an-answer",
    guards: "a command exits with 5 if the wallet gave no definite response",
    file: FAILURE,
    find: 'const waits = retryable && name !== "refund.in-progress";',
    replace: "const waits = false && retryable;",
  },
  {
    name: "command-repeats-another-refund",
    guards: "a refund that is blocked by another refund is not retried",
    file: FAILURE,
    find: 'const waits = retryable && name !== "refund.in-progress";',
    replace: "const waits = retryable;",
  },
  {
    name: "command-fails-with-success",
    guards: "a command that did nothing does not exit with 0",
    file: ANSWER,
    find: "visible(message)}\\n`);\n  return EXIT_CODES[exitReason];",
    replace: "visible(message)}\\n`);\n  return EXIT_CODES.ok;",
  },
  {
    name: "command-finding-unseen",
    guards: "a command that found a problem exits with 1",
    file: ANSWER,
    find: "if (finding) return EXIT_CODES.refused;",
    replace: "if (finding && json) return EXIT_CODES.refused;",
  },
  {
    name: "command-refunds-all-by-default",
    guards: "the whole order is refunded only if the operator passes --all",
    file: REFUND_COMMAND,
    find: "if ((amount === undefined) === (all === undefined))",
    replace: "if (amount !== undefined && all !== undefined)",
  },
  {
    name: "command-refunds-yuan",
    guards: "an operator's amount is in cents",
    file: REFUND_COMMAND,
    find: "return ok(amount === undefined ? {} : { amount });",
    replace: "return ok(amount === undefined ? {} : { amount: amount * 100 });",
  },
  {
    name: "command-refund-under-another-number",
    guards: "an operator's refund has the given number",
    file: REFUND_COMMAND,
    find: "const refundNo = chosen ?? newId({ clock: io.clock, random: systemRandom });",
    replace: "const refundNo = newId({ clock: io.clock, random: systemRandom });",
  },
  {
    name: "command-takes-part-of-a-number",
    guards: "an amount must be an integer",
    file: NUMBERS,
    find: "if (!/^\\d+$/.test(text) || number > most) {",
    replace: "if (Number.isNaN(number) || number > most) {",
  },
  {
    name: "command-overlap-in-seconds",
    guards: "the overlap of a rotation is read in hours",
    file: APPS,
    find: "rotateSecret(ports, appId, overlapHours * HOUR, by)",
    replace: "rotateSecret(ports, appId, overlapHours * 1_000, by)",
  },
  {
    name: "command-shows-hashes-of-secrets",
    guards: "no command shows the hash of a secret",
    file: APPS,
    find: "secrets.map(({ hash: _hidden, ...secret }) => secret)",
    replace: "secrets",
  },
  {
    name: "command-calls-an-open-bill-clean",
    guards: "open differences of a bill are a finding",
    file: BILL_ANSWER,
    find: "finding: open > 0,",
    replace: "finding: open < 0,",
  },
];
