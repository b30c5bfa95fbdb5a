import { type CallFault, isDone } from "../faults.js";
import { bytesIn, type WireOutcome, type WireReply } from "./serve.js";

/** The signature of a response: valid, absent, over other bytes, or with a retired key. */
export type AnswerSigning = "good" | "none" | "bad" | "retired";

/** The error responses of one wallet and its signing. `T` is a response before it is signed. */
export interface Dialect<T> {
  readonly busy: T;
  readonly failed: T;
  readonly refused: T;
  render(answer: T, signing: AnswerSigning): Promise<WireReply>;
}

const PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
/** More bytes than any genuine response has. */
const OVERSIZE = 4 * 1024 * 1024;

/**
 * Responds to a call under `fault`.
 *
 * @param act - executes the call. It is not called if the fault prevents the execution. Its
 *   parameter `delivered` is false if the response will not be usable.
 */
export async function applyFault<T>(
  fault: CallFault | null,
  dialect: Dialect<T>,
  act: (delivered: boolean) => T | Promise<T>,
): Promise<WireOutcome> {
  if (fault !== null && !isDone(fault)) return undone(fault, dialect);
  const answer = await act(fault === null);
  switch (fault) {
    case "timeout":
      return { kind: "silence" };
    case "reset-after":
      return { kind: "reset" };
    case "500-after":
      return rendered(dialect, dialect.failed);
    case "unsigned":
      return rendered(dialect, answer, "none");
    case "bad-signature":
      return rendered(dialect, answer, "bad");
    case "retired-key":
      return rendered(dialect, answer, "retired");
    case "truncated":
      return { kind: "half", reply: await dialect.render(answer, "good") };
    case "slow":
      return { kind: "stalled", reply: await dialect.render(answer, "good") };
    case "oversized": {
      const reply = await dialect.render(answer, "good");
      return {
        kind: "reply",
        reply: { ...reply, body: Buffer.concat([bytesIn(reply.body), Buffer.alloc(OVERSIZE, " ")]) },
      };
    }
    default:
      return rendered(dialect, answer);
  }
}

async function undone<T>(fault: CallFault, dialect: Dialect<T>): Promise<WireOutcome> {
  switch (fault) {
    case "hang":
      return { kind: "silence" };
    case "reset":
      return { kind: "reset" };
    case "429":
      return rendered(dialect, dialect.busy);
    case "500":
      return rendered(dialect, dialect.failed);
    case "reject":
      return rendered(dialect, dialect.refused);
    case "redirect":
      return page(302, { location: "/redirected" });
    default:
      return page(502);
  }
}

async function rendered<T>(
  dialect: Dialect<T>,
  answer: T,
  signing: AnswerSigning = "good",
): Promise<WireOutcome> {
  return { kind: "reply", reply: await dialect.render(answer, signing) };
}

function page(status: number, headers: Readonly<Record<string, string>> = {}): WireOutcome {
  return {
    kind: "reply",
    reply: { status, headers: { "content-type": "text/html", ...headers }, body: PAGE },
  };
}
