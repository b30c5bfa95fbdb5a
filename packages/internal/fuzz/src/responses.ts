import { reportBroken } from "./fuzz-target.js";

/** A response as it was received from a socket. */
export interface WireResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const NEXT = "HTTP/1.1 ";

/** Parses all responses that a server sent over one connection. Invalid HTTP is a violation. */
export function responsesIn(text: string): readonly WireResponse[] {
  const responses: WireResponse[] = [];
  for (let rest = text; rest !== "";) {
    const end = rest.indexOf("\r\n\r\n");
    const [line = "", ...lines] = rest.slice(0, end).split("\r\n");
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1];
    if (end < 0 || status === undefined) return reportBroken("the response is valid HTTP", rest);
    const headers = Object.fromEntries(
      lines.map((header) => [
        header.slice(0, header.indexOf(":")).toLowerCase(),
        header.replace(/^[^:]*: /, ""),
      ]),
    );
    const after = rest.slice(end + 4);
    // A response to HEAD states the length of a body that is not sent.
    const length =
      after === "" || after.startsWith(NEXT) ? 0 : Number(headers["content-length"] ?? after.length);
    responses.push({ status: Number(status), headers, body: after.slice(0, length) });
    rest = after.slice(length);
  }
  return responses;
}
