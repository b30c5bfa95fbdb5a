import {
  GRANT_KINDS,
  GRANT_ORIGINS,
  OPERATOR_ROLES,
  type OperatorAccount,
  type OperatorGrant,
  type OperatorSession,
} from "@tillkit/core/ports";
import type { CredentialCipher } from "../credentials/credential-cipher.js";
import {
  booleanValue,
  enumValue,
  integer,
  optionalInteger,
  optionalMember,
  optionalText,
  text,
} from "../sql/row.js";
import type { SqlRow, SqlValue } from "../sql/sql-client.js";
import { UnreadableValue } from "../sql/unreadable-value.js";

/** The columns of an account. */
export const OPERATOR_COLUMNS = [
  "name",
  "role",
  "apps",
  "password_hash",
  "must_change_password",
  "totp_secret",
  "totp_last_step",
  "disabled",
  "created_ms",
  "modified_ms",
  "grants",
  "disabled_ms",
];

/** The columns of a session. */
export const OPERATOR_SESSION_COLUMNS = [
  "token_hash",
  "operator",
  "csrf_hash",
  "complete",
  "created_ms",
  "expires_ms",
  "seen_ms",
];

/** Returns the values of {@link OPERATOR_COLUMNS}, in their order. */
export function operatorValues(account: OperatorAccount, cipher: CredentialCipher): readonly SqlValue[] {
  const { name, role, apps, passwordHash, mustChangePassword, totpSecret, totpLastStep = null } = account;
  const sealed = totpSecret === undefined ? null : sealTotpSecret(cipher, name, totpSecret);
  return [
    name,
    role,
    appsJson(apps),
    passwordHash,
    mustChangePassword,
    sealed,
    totpLastStep,
    account.disabled,
    account.gmtCreate,
    account.gmtModified,
    grantsValue(account.grants),
    account.lastDisabledAt ?? null,
  ];
}

/** Returns the apps of an operator as JSON text. Null means every app. */
export function appsJson(apps: readonly string[] | undefined): string | null {
  return apps === undefined ? null : JSON.stringify(apps);
}

/** Returns the grants of an account as JSON text. */
export function grantsValue(grants: readonly OperatorGrant[]): string {
  return JSON.stringify(grants);
}

/** Encrypts the key of a second factor for its operator. */
export function sealTotpSecret(cipher: CredentialCipher, name: string, totpSecret: string): string {
  return cipher.seal(totpSecret, ownerOf(name));
}

/** Reads the account from a row with {@link OPERATOR_COLUMNS}. */
export function toOperatorAccount(row: SqlRow, cipher: CredentialCipher): OperatorAccount {
  const name = text(row, "name");
  const sealed = optionalText(row, "totp_secret");
  return {
    name,
    role: enumValue(row, "role", OPERATOR_ROLES),
    ...optionalMember("apps", toApps(row["apps"])),
    passwordHash: text(row, "password_hash"),
    mustChangePassword: booleanValue(row, "must_change_password"),
    ...optionalMember("totpSecret", sealed === undefined ? undefined : cipher.open(sealed, ownerOf(name))),
    ...optionalMember("totpLastStep", optionalInteger(row, "totp_last_step")),
    disabled: booleanValue(row, "disabled"),
    grants: toGrants(row),
    ...optionalMember("lastDisabledAt", optionalInteger(row, "disabled_ms")),
    gmtCreate: integer(row, "created_ms"),
    gmtModified: integer(row, "modified_ms"),
  };
}

/**
 * Reads the session from a row with {@link OPERATOR_SESSION_COLUMNS}.
 *
 * In this row, `created_ms` has the name `opened_ms`, because the row also contains the account's
 * `created_ms`.
 */
export function toOperatorSession(row: SqlRow): OperatorSession {
  return {
    tokenHash: text(row, "token_hash"),
    operator: text(row, "operator"),
    csrfHash: text(row, "csrf_hash"),
    complete: booleanValue(row, "complete"),
    createdAt: integer(row, "opened_ms"),
    expiresAt: integer(row, "expires_ms"),
    lastSeenAt: integer(row, "seen_ms"),
  };
}

/** Reads the grants of an account from a row with the column `grants`. */
export function toGrants(row: SqlRow): readonly OperatorGrant[] {
  const stored: unknown = JSON.parse(text(row, "grants"));
  if (!Array.isArray(stored)) throw new UnreadableValue("The grants of an operator are not a list.");
  return stored.map((grant: SqlRow) => ({
    by: text(grant, "by"),
    at: integer(grant, "at"),
    kind: enumValue(grant, "kind", GRANT_KINDS),
    origin: enumValue(grant, "origin", GRANT_ORIGINS),
  }));
}

function ownerOf(name: string): string {
  return JSON.stringify(["operator", name]);
}

function toApps(value: unknown): readonly string[] | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value) || !value.every((member) => typeof member === "string"))
    throw new UnreadableValue("The apps of an operator are not a list of texts.");
  return value;
}
