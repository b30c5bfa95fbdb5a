import { errorCode, type StorageFailure } from "@tillkit/core/errors";
import { NestedCallRefused } from "./nested-calls.js";
import { missingRightsOf } from "../rights/missing-rights.js";
import { unreadableRowOf } from "../sql/row-reader.js";
import { UnreadableValue } from "../sql/unreadable-value.js";

/** A group of errors that last until the operator removes their cause. */
interface LastingErrors {
  readonly codes: RegExp;
  readonly remedy: string;
}

/**
 * The errors that last, by SQLSTATE or by the code of Node. The first match counts.
 *
 * Any other error may be temporary, such as a lost connection, a full disk or a server that starts.
 * This includes 42P03 to 42P07 (a name exists already), which a pooler can cause.
 */
const LASTING: readonly LastingErrors[] = [
  {
    codes: /^42501$/,
    remedy:
      "The database role of this host lacks a right. Run `tillkit migrate --application <role>` with the role that owns the tables. `tillkit doctor --application <role>` lists what the role lacks.",
  },
  {
    codes: /^(?:42P01|3F000)$/,
    remedy:
      "The schema lacks a table, or does not exist. Correct the name of the schema, or run `tillkit migrate` with the role that owns the tables.",
  },
  {
    codes: /^42(?!P0[3-7])[0-9A-Z]{3}$/,
    remedy:
      "The tables do not fit this version. Run `tillkit migrate` with the role that owns the tables. `tillkit doctor` lists what differs.",
  },
  {
    codes: /^3D000$/,
    remedy:
      "The database does not exist. Correct its name in the address of the database, or create it and run `tillkit migrate`.",
  },
  {
    codes: /^(?:28[0-9A-Z]{3}|0P000)$/,
    remedy:
      "The server refuses the login. Correct the user and the password in the address of the database, or the rules of the server in pg_hba.conf.",
  },
  {
    codes:
      /^(?:CERT_[A-Z_]+|ERR_TLS_CERT_[A-Z_]+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT[A-Z_]*|UNABLE_TO_[A-Z_]+)$/,
    remedy:
      "The TLS certificate of the server is not trusted. Correct the certificate, or the authority that the host trusts.",
  },
];

/**
 * Converts what a `SqlClient` threw into a failure of a storage port.
 *
 * @returns `storage.misconfigured` with a remedy if the error lasts until the operator removes its
 *   cause, such as a missing right. Otherwise `storage.unavailable`.
 * @example
 * ```ts
 * import { storageFailureOf } from "@tillkit/postgres";
 *
 * await sql.script("select 1").catch((error: unknown) => {
 *   const failure = storageFailureOf(error);
 *   if (failure.name === "storage.misconfigured") console.error(failure.remedy);
 * });
 * ```
 */
export function storageFailureOf(cause: unknown): StorageFailure {
  const remedy = remedyOf(cause);
  return remedy === undefined
    ? { name: "storage.unavailable", cause }
    : { name: "storage.misconfigured", cause, remedy };
}

/** Returns what the operator must do, or `undefined` if the cause may be temporary. */
function remedyOf(cause: unknown): string | undefined {
  const row = unreadableRowOf(cause);
  // The remedy leaves out the key of the row, because it may identify a customer.
  if (row !== undefined)
    return `A row of ${row.table} cannot be read: ${row.reason} Use the version and the keys that wrote it, or correct the row, which the cause names.`;
  if (cause instanceof UnreadableValue || cause instanceof NestedCallRefused)
    return `${cause.message} ${cause.remedy}`;
  const code = errorCode(cause);
  if (typeof code !== "string") return undefined;
  return missingRightsOf(cause) ?? LASTING.find(({ codes }) => codes.test(code))?.remedy;
}
