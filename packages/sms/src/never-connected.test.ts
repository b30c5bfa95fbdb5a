import { expect, it } from "vitest";
import { neverConnected } from "./never-connected.js";

/** Creates an error as Node's sockets throw it. */
const systemError = (syscall: string, code: string) =>
  Object.assign(new Error(`${syscall} ${code} 192.0.2.1:443`), { code, syscall });

it.each([
  ["connect", "ECONNREFUSED"],
  ["connect", "EHOSTUNREACH"],
  ["connect", "ENETUNREACH"],
  ["getaddrinfo", "ENOTFOUND"],
  ["getaddrinfo", "EAI_AGAIN"],
])("neverConnected recognizes %s %s, also as the cause of another error", (syscall, code) => {
  const error = systemError(syscall, code);
  expect(neverConnected(error)).toBe(code);
  expect(neverConnected(new Error("failed", { cause: new Error("inner", { cause: error }) }))).toBe(code);
});

/** Errors after which the request may have arrived, or of which nothing is known. */
it.each([
  "ECONNRESET",
  "ETIMEDOUT",
  "EPIPE",
  "ECONNABORTED",
  "ENOTCONN",
  "EADDRNOTAVAIL",
  "EPROTO",
  "ERR_SOCKET_CLOSED",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "CERT_HAS_EXPIRED",
])("neverConnected returns undefined for %s, for every system call", (code) => {
  for (const syscall of ["connect", "getaddrinfo", "read", "write"]) {
    const error = systemError(syscall, code);
    expect(neverConnected(error)).toBeUndefined();
    expect(neverConnected(new Error("failed", { cause: error }))).toBeUndefined();
    const message = `request to https://sms.example/ failed, reason: ${syscall} ${code} 192.0.2.1:443`;
    expect(neverConnected(new Error(message))).toBeUndefined();
  }
});

it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])(
  "neverConnected returns undefined for %s of an open connection",
  (code) => {
    for (const syscall of ["read", "write", "send", "accept"])
      expect(neverConnected(systemError(syscall, code))).toBeUndefined();
  },
);

it("neverConnected recognizes the message of node-fetch, which has no cause", () => {
  const message = "request to https://sms.example/ failed, reason: connect ECONNREFUSED 192.0.2.1:443";
  expect(neverConnected(new Error(message))).toBe("ECONNREFUSED");
});

it("neverConnected needs a refusal of every address of a host", () => {
  const refused = systemError("connect", "ECONNREFUSED");
  const late = systemError("connect", "ETIMEDOUT");
  expect(neverConnected(new AggregateError([refused, refused]))).toBe("ECONNREFUSED");
  expect(neverConnected(new AggregateError([refused, late]))).toBeUndefined();
  expect(neverConnected(new AggregateError([]))).toBeUndefined();
});

it.each([
  ["a connection that broke", systemError("read", "ECONNRESET")],
  ["a refusal without a system call", Object.assign(new Error("refused"), { code: "ECONNREFUSED" })],
  ["a text that quotes an error", new Error("the carrier said: connect ECONNREFUSED 192.0.2.1:443")],
  [
    "a text after the quoted error",
    new Error("request to x failed, reason: connect ECONNREFUSED 1 and more"),
  ],
  ["a value that is no error", "connect ECONNREFUSED 192.0.2.1:443"],
  ["nothing", undefined],
])("neverConnected returns undefined for %s", (_, thrown) => {
  expect(neverConnected(thrown)).toBeUndefined();
});

it("neverConnected ends for an error that is its own cause", () => {
  const first = new Error("first");
  const second = new Error("second", { cause: first });
  first.cause = second;
  expect(neverConnected(second)).toBeUndefined();
});
