import type { Migration } from "./migration.js";
import { firstSchema } from "./migrations/0001-first-schema.js";

/** The migrations of this version of the package, in the order in which `migrate` applies them. */
export const MIGRATIONS: readonly Migration[] = [firstSchema];
