/**
 * Returns the client's address, which the proxy in front of Next.js appended to `x-forwarded-for`.
 *
 * The parts before it can come from the client itself, so they are not read.
 */
export function peerOf({ headers }: Pick<Request, "headers">): string | undefined {
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
}
