import type { Digest } from "@tillkit/core";
import type { HttpRequest } from "@tillkit/core/http";
import type { ChangeRef } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "./api-failure.js";

/** The header with the id of a change. */
const CHANGE_ID_HEADER = "x-change-id";

const CHANGE_ID = /^[\w-]{16,64}$/;

/** Schema of the id of a change. */
export function changeIdInput() {
  return z.string().regex(CHANGE_ID);
}

/** Returns the id of the change that a request asks for. Fails with `change-id.missing`. */
export function changeIdOf({ headers }: Pick<HttpRequest, "headers">): Result<string, ApiFailure> {
  const id = headers.get(CHANGE_ID_HEADER) ?? "";
  return CHANGE_ID.test(id) ? ok(id) : err({ name: "change-id.missing" });
}

/**
 * Returns the reference to a change: its id, and a digest of the route and the valid input.
 *
 * @param secret - the members of the input that are left out, so that nothing stored depends on
 *   them.
 */
export function changeRef(
  digest: Pick<Digest, "sha256">,
  id: string,
  { method, path }: { readonly method: string; readonly path: string },
  input: unknown,
  secret: readonly string[],
): ChangeRef {
  const members = Object.entries(z.record(z.string(), z.unknown()).parse(input));
  const stored = Object.fromEntries(members.filter(([name]) => !secret.includes(name)));
  return { id, digest: digest.sha256(canonicalJson([method, path, stored])) };
}

/** Returns JSON text in which the members of each object are sorted by name. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
