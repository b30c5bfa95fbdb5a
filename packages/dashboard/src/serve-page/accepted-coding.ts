import type { HttpRequest } from "@tillkit/core/http";
import type { Coding } from "./page-files.js";

/** Returns the best coding that the browser accepts, or `undefined` for none. */
export function acceptedCoding({ headers }: Pick<HttpRequest, "headers">): Coding | undefined {
  const accepted = (headers.get("accept-encoding") ?? "")
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
    .map((part) => part.split(";")[0]?.trim());
  return (["br", "gzip"] as const).find((coding) => accepted.includes(coding));
}
