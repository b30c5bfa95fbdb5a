import type { Mutant } from "../mutant.js";
const CATALOG = "packages/core/src/errors/catalog.ts";
const PAYMENTS_SURFACE = "packages/core/src/http/payments/surface.ts";
const NOTIFICATIONS_SURFACE = "packages/core/src/http/notifications/surface.ts";
const BOUNDED = "packages/core/src/http/with-concurrency-limit.ts";
const ROTATE_SECRET = "packages/core/src/apps/rotate-secret.ts";
const CREATE_CLIENT = "packages/core/src/downloads/create-downloads-client.ts";
const GET_REPORT = "packages/core/src/downloads/get-downloads-report.ts";
const IDENTITY_RULES = "packages/core/src/orders/identity-rules.ts";
const READABLE_TEXT = "packages/core/src/personal-data/readable-text.ts";
const IDENTITY_CARD = "packages/core/src/personal-data/identity-card.ts";
const INPUT = "packages/core/src/shared/input.ts";
const MEMORY_DOWNLOADS = "packages/memory/src/downloads/downloads-source.ts";
const POSTGRES_DOWNLOADS = "packages/postgres/src/downloads/import-counts.ts";
const ROW_READER = "packages/postgres/src/sql/row-reader.ts";
const PG_CLIENT = "packages/postgres/src/client/pg-client.ts";
const READ_NOTIFICATION = "packages/alipay/src/notifications/read-notification.ts";
const KEYRING_FILE = "packages/runtime/src/keyring-file.ts";
const JOURNAL = "packages/sandbox/src/journal.ts";

/**
 * Mutants of the checks on external input.
 *
 * The input is misrouted notifications, floods, numbers, names and truncated files.
 */
export const BOUNDARIES: readonly Mutant[] = [
  {
    name: "misrouted-notification-acknowledged",
    guards: "an unknown endpoint is HTTP 404 in every statusMode",
    file: CATALOG,
    find: "statusInEveryMode: true,",
    replace: "",
  },
  {
    name: "misrouted-notification-left-to-host",
    guards: "no other code of the host answers below the notifications mount",
    file: NOTIFICATIONS_SURFACE,
    find: "owns: () => true,",
    replace: 'owns: (_method, path) => path.startsWith("/notify/") || path.startsWith("/return/"),',
  },
  {
    name: "claimed-app-takes-slots",
    guards: "a request takes a slot of an app only after its secret was verified",
    file: PAYMENTS_SURFACE,
    find: "if (cached !== undefined || callers.has(caller.value)) return trustedAs(cached);",
    replace: "return trustedAs(cached);",
  },
  {
    name: "trusted-app-forgotten",
    guards: "an app that was verified before skips the queue of unverified requests",
    file: PAYMENTS_SURFACE,
    find: "if (cached !== undefined || callers.has(caller.value)) return trustedAs(cached);",
    replace: "if (cached !== undefined) return trustedAs(cached);",
  },
  {
    name: "waiting-request-not-checked-again",
    guards: "an app that is disabled while its request waits is refused",
    file: PAYMENTS_SURFACE,
    find: "const cached = hasWaited ? getCached(caller.value) : authenticated;",
    replace: "const cached = authenticated;",
  },
  {
    name: "unverified-requests-share-no-places",
    guards: "unverified requests of one address share the slots of that address",
    file: BOUNDED,
    find: "const peer = peerKey(request.peer);",
    replace: "const peer = peerKey(request.path);",
  },
  {
    name: "overlap-without-end",
    guards: "the overlap of a rotation has an upper bound",
    file: ROTATE_SECRET,
    find: "naturalNumber(LONGEST_OVERLAP)",
    replace: "naturalNumber(Math.max(LONGEST_OVERLAP, Number.MAX_SAFE_INTEGER))",
  },
  {
    name: "client-id-with-comma",
    guards: "a client id has no comma",
    file: CREATE_CLIENT,
    find: '.refine((id) => id?.includes(",") !== true, issue("comma"))',
    replace: '.refine(() => true, issue("comma"))',
  },
  {
    name: "two-ids-are-one",
    guards: "a repeated id matches no client",
    file: GET_REPORT,
    find: 'return values.length === 1 ? (values[0] ?? "") : NEITHER_DATE_NOR_ID;',
    replace: 'return values.join(",") || NEITHER_DATE_NOR_ID;',
  },
  {
    name: "invisible-characters-hide-a-phone-number",
    guards: "invisible characters do not hide personal data in customerIdentity",
    file: READABLE_TEXT,
    find: 'withoutInvisible(withoutEscapes(text).normalize("NFKC"))',
    replace: 'withoutEscapes(text).normalize("NFKC")',
  },
  {
    name: "wallet-account-as-identity",
    guards: "a customerIdentity is no account at a wallet",
    file: IDENTITY_RULES,
    find: "hasWalletAccount(text) || isSame(text, payerId)",
    replace: "isSame(text, payerId)",
  },
  {
    name: "payer-as-identity",
    guards: "a customerIdentity is not the payer of the order",
    file: IDENTITY_RULES,
    find: "hasWalletAccount(text) || isSame(text, payerId)",
    replace: "hasWalletAccount(text)",
  },
  {
    name: "attempt-as-identity",
    guards: "a customerIdentity is not the bizNo of the order",
    file: IDENTITY_RULES,
    find: 'return identityChecks.bizNo && isSame(text, bizNo) ? "bizNo" : undefined;',
    replace: "return undefined;",
  },
  {
    name: "identity-card-without-check-character",
    guards: "a number of 18 digits is an identity card only with the right check character",
    file: IDENTITY_CARD,
    find: "return CHECK_CHARACTERS[sum % 11] === number[17]?.toUpperCase();",
    replace: "return sum > 0;",
  },
  {
    name: "blank-identity-stored",
    guards: "a text that shows nothing is no identity and no title",
    file: INPUT,
    find: 'return singleLineText(maxLength).refine((text) => !isBlank(text), issue("blank"));',
    replace: "return singleLineText(maxLength);",
  },
  {
    name: "store-called-all-stores",
    guards: "no store can have the name of the total",
    file: MEMORY_DOWNLOADS,
    find: "if (counts.some(({ store }) => isReservedStore(store))) return err(reservedStore());",
    replace: "",
  },
  {
    name: "sql-store-called-all-stores",
    guards: "no store can have the name of the total",
    file: POSTGRES_DOWNLOADS,
    find: "if (batch.some(({ store }) => isReservedStore(store))) return err(reservedStore());",
    replace: "",
  },
  {
    name: "unreadable-row-breaks-lists",
    onlyHere: "memory holds no rows that have to be read",
    guards: "a list leaves out an unreadable row and returns the others",
    file: ROW_READER,
    find: "onUnreadable(unreadable(row, cause));",
    replace: "onUnreadable(unreadable(row, cause)); throw cause;",
  },
  {
    name: "silent-server-waited-for-again",
    onlyHere: "memory has no server to wait for",
    keepsNoPromise: "bounds how long a connection waits, below the ports",
    guards: "a transaction waits once for a server that does not respond",
    file: PG_CLIENT,
    find: "if (line.isLost()) throw error;",
    replace: "",
  },
  {
    name: "alipay-fact-twice-trusted",
    guards: "a fact that Alipay states twice is not trusted",
    file: READ_NOTIFICATION,
    find: "if (new Set(facts.map(([name]) => name)).size !== facts.length) return undefined;",
    replace: "",
  },
  {
    name: "unsigned-parameters-are-evidence",
    guards: "the evidence of a notification covers only the signed data",
    file: READ_NOTIFICATION,
    find: "{ signed: JSON.stringify(lasting) }",
    replace: "{ ...parameters, signed: JSON.stringify(lasting) }",
  },
  {
    name: "broken-key-file-always-replaced",
    guards: "only a truncated key file is renamed and replaced",
    file: KEYRING_FILE,
    find: 'if (!isCutShort(await readFile(target, "utf8"))) return err(failure);',
    replace: 'if (!isCutShort(await readFile(target, "utf8"))) await readFile(target);',
  },
  {
    name: "full-disk-spoils-the-next-line",
    guards: "a truncated line does not damage the next line",
    file: JOURNAL,
    find: "const whole = mayBeBroken ? `\\n${lines}` : lines;",
    replace: "const whole = lines;",
  },
];
