import type { SchemaDefinition, TableDefinition, FoundSchema } from "./schema-definition.js";
import type { SchemaFinding, SchemaFindingKind } from "../rights/schema-finding.js";
import { quoted } from "../sql/tables.js";

/** The input of {@link driftFindings}. */
export interface Drift {
  readonly schema: string;
  readonly expected: SchemaDefinition;
  readonly found: FoundSchema;
  /** Whether a newer version migrated the schema. If so, unknown parts are not reported. */
  readonly newer: boolean;
}

type Part = "column" | "index" | "constraint";

/** Returns every difference between `found` and `expected`, table by table. */
export function driftFindings({ schema, expected, found, newer }: Drift): readonly SchemaFinding[] {
  const findings = Object.entries(expected).flatMap(([table, parts]): readonly SchemaFinding[] => {
    const stored = found.tables[table];
    if (stored === undefined) return [missingTable(table)];
    const where = { schema, table, found: stored, invalid: found.invalidIndexes };
    return [
      ...partFindings("column", parts.columns, stored.columns, where),
      // A missing constraint is reported once, without its index.
      ...partFindings("index", without(parts.indexes, parts.constraints), stored.indexes, where),
      ...partFindings("constraint", parts.constraints, stored.constraints, where),
    ];
  });
  const tables = Object.keys(found.tables).filter((table) => !(table in expected));
  const all = [...findings, ...tables.map((table) => unknownTable(schema, table))];
  return newer ? all.filter(({ kind }) => !kind.startsWith("unknown-")) : all;
}

interface Place {
  readonly schema: string;
  readonly table: string;
  readonly found: TableDefinition;
  readonly invalid: readonly string[];
}

function partFindings(
  part: Part,
  expected: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
  place: Place,
): readonly SchemaFinding[] {
  const known = Object.entries(expected).flatMap(([name, definition]): readonly SchemaFinding[] => {
    const is = stored[name];
    if (is === undefined) return [missing(part, name, definition, place)];
    if (is !== definition) return [changed(part, name, { is, definition }, place)];
    return part === "index" && place.invalid.includes(name) ? [invalid(name, definition, place)] : [];
  });
  const own = part === "index" ? without(stored, { ...place.found.constraints }) : stored;
  const surplus = Object.keys(own).filter((name) => !(name in expected));
  return [...known, ...surplus.map((name) => unknown(part, name, place))];
}

const LACKS: Readonly<Record<Part, string>> = {
  column: "every statement that uses it fails",
  index: "statements that need it read the whole table",
  constraint: "the table can contain invalid or duplicate rows",
};

function missing(part: Part, name: string, definition: string, place: Place): SchemaFinding {
  return {
    ...finding(`missing-${part}`, part, name, place),
    message: `The ${part} ${name} of ${place.table} is missing: ${LACKS[part]}.`,
    fix: added(part, name, definition, place),
  };
}

function changed(
  part: Part,
  name: string,
  { is, definition }: { readonly is: string; readonly definition: string },
  place: Place,
): SchemaFinding {
  return {
    ...finding(`changed-${part}`, part, name, place),
    message: `The ${part} ${name} of ${place.table} is "${is}" and should be "${definition}".`,
    fix: replaced(part, name, definition, place),
  };
}

/**
 * Returns how to restore the expected definition without losing the existing part.
 *
 * The server can print one condition in several ways, so the existing part may be equivalent.
 * Therefore the SQL renames this part instead of dropping it.
 */
function replaced(part: Part, name: string, definition: string, place: Place): string {
  const on = `${quoted(place.schema)}.${quoted(place.table)}`;
  if (part === "column") return `Change it back to: ${definition}`;
  // A table cannot have two primary keys, so the SQL drops the existing one. The server prints the
  // definition of a primary key in one way only, so the existing key really differs.
  if (definition.startsWith("PRIMARY KEY"))
    return `alter table ${on} drop constraint ${quoted(name)}, add constraint ${quoted(name)} ${definition};`;
  const other = quoted(`${name}_before`);
  const renamed =
    part === "index"
      ? `alter index ${quoted(place.schema)}.${quoted(name)} rename to ${other};`
      : `alter table ${on} rename constraint ${quoted(name)} to ${other};`;
  return `${renamed} ${added(part, name, definition, place)}`;
}

function invalid(name: string, definition: string, place: Place): SchemaFinding {
  return {
    ...finding("invalid-index", "index", name, place),
    message: `The index ${name} of ${place.table} is invalid, because its creation was interrupted. It slows down writes, and no query uses it.`,
    fix: `${dropped("index", name, place)} ${added("index", name, definition, place)}`,
  };
}

function unknown(part: Part, name: string, place: Place): SchemaFinding {
  return {
    ...finding(`unknown-${part}`, part, name, place),
    message: `No migration creates the ${part} ${name} of ${place.table}.`,
    fix: `Find out what uses it. If nothing does, run: ${dropped(part, name, place)}`,
  };
}

function missingTable(table: string): SchemaFinding {
  return {
    kind: "missing-table",
    subject: table,
    message: `The table ${table} is missing, although the migration that creates it was applied.`,
    fix: "Restore it from a backup. No migration creates it again.",
  };
}

function unknownTable(schema: string, table: string): SchemaFinding {
  return {
    kind: "unknown-table",
    subject: table,
    message: `No migration creates the table ${table}.`,
    fix: `Move it to another schema: alter table ${quoted(schema)}.${quoted(table)} set schema …;`,
  };
}

function finding(kind: SchemaFindingKind, part: Part, name: string, { table }: Place) {
  return { kind, subject: part === "column" ? `${table}.${name}` : name };
}

function added(part: Part, name: string, definition: string, { schema, table }: Place): string {
  const on = `${quoted(schema)}.${quoted(table)}`;
  if (part === "constraint") return `alter table ${on} add constraint ${quoted(name)} ${definition};`;
  if (part === "column")
    return `Add the column, and restore its values from a backup: alter table ${on} add column ${quoted(name)} ${definition};`;
  const [unique, method] = definition.startsWith("unique ")
    ? ["unique ", definition.slice("unique ".length)]
    : ["", definition];
  return `create ${unique}index concurrently ${quoted(name)} on ${on} using ${method};`;
}

function dropped(part: Part, name: string, { schema, table }: Place): string {
  if (part === "index") return `drop index concurrently ${quoted(schema)}.${quoted(name)};`;
  return `alter table ${quoted(schema)}.${quoted(table)} drop ${part} ${quoted(name)};`;
}

function without<T>(parts: Readonly<Record<string, T>>, others: object): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(parts).filter(([name]) => !(name in others)));
}
