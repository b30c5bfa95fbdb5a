import { changeStores, storesOf } from "@tillkit/core/operators";
import { DAYS_IN_BOTH, type StoreChange, storeFinder } from "@tillkit/core/ports";
import { err, ok, type Result } from "neverthrow";
import * as z from "zod";
import type { ApiFailure } from "../api-failure.js";
import { commandOf } from "../command-of.js";
import { reasonInput } from "../reason-input.js";
import { operatorChange, operatorRoute } from "../route.js";
import type { RouteContext } from "../route-context.js";
import { singleLineText } from "../single-line-text.js";
import { requireEveryApp } from "../visible-apps.js";
import { storeMergeSchema, storeSchema } from "./schemas.js";

const store = () => singleLineText(64);
const days = () => z.enum(DAYS_IN_BOTH).describe("What to do about days for which both stores have counts.");

function ofStore({ store: name = "" }: { readonly store?: string }): string {
  return `store:${name}`;
}

/** Returns the store of a name, as it is now. */
async function answerStore({ ports }: RouteContext, name: string) {
  const names = await ports.downloads.storeNames();
  if (names.isErr()) return err(names.error);
  const known = storeFinder(names.value)(name);
  const found = storesOf(names.value).find((one) => one.store === known);
  return found === undefined ? err({ name: "store.unknown" } as const) : ok({ value: found });
}

/** Makes a change, and returns the store that it concerns. */
async function changed(context: RouteContext, change: StoreChange, reason: string) {
  const made = await changeStores(context.ports, change, commandOf(context, reason));
  return made.isErr() ? err(made.error) : answerStore(context, made.value.store);
}

/** Returns the stores that have counts of an app which the sender sees, or `undefined` for all. */
async function visibleStores({
  ports,
  identified,
}: RouteContext): Promise<Result<ReadonlySet<string> | undefined, ApiFailure>> {
  const apps = identified?.operator.apps;
  if (apps === undefined) return ok(undefined);
  const stores = new Set<string>();
  for (const appId of apps) {
    const covered = await ports.downloads.coverage(appId);
    if (covered.isErr()) return err(covered.error);
    for (const one of covered.value) stores.add(one.store);
  }
  return ok(stores);
}

/** The common parts of all changes of a store. Each change affects the reports of every app. */
const STORE_CHANGE = {
  method: "POST",
  response: () => storeSchema,
  require: requireEveryApp,
} as const;

/** The endpoints for the stores of download counts. */
export const storesRoutes = [
  operatorRoute({
    method: "GET",
    path: "/api/setup/stores",
    allowed: "read",
    input: () => z.object({}),
    response: () => z.strictObject({ items: z.array(storeSchema).readonly() }),
    run: async (context) => {
      const names = await context.ports.downloads.storeNames();
      if (names.isErr()) return err(names.error);
      const visible = await visibleStores(context);
      if (visible.isErr()) return err(visible.error);
      const items = storesOf(names.value).filter((one) => visible.value?.has(one.store) ?? true);
      return ok({ value: { items } });
    },
  }),
  operatorChange({
    ...STORE_CHANGE,
    path: "/api/setup/stores",
    allowed: "store.add",
    action: "store.add",
    input: () => z.object({ store: store(), ...reasonInput() }),
    repeat: (context, input) => answerStore(context, input.store),
    run: (context, { store: name, reason }) => changed(context, { kind: "add", store: name }, reason),
  }),
  operatorChange({
    ...STORE_CHANGE,
    path: "/api/setup/stores/{store}/alias",
    allowed: "store.alias",
    action: "store.alias",
    subject: ofStore,
    input: () => z.object({ store: store(), alias: store(), ...reasonInput() }),
    repeat: (context, input) => answerStore(context, input.store),
    run: (context, { store: name, alias, reason }) =>
      changed(context, { kind: "alias", alias, store: name }, reason),
  }),
  operatorChange({
    ...STORE_CHANGE,
    path: "/api/setup/stores/{store}/rename",
    allowed: "store.rename",
    action: "store.rename",
    subject: ofStore,
    input: () => z.object({ store: store(), to: store().describe("The new name."), ...reasonInput() }),
    repeat: (context, input) => answerStore(context, input.to),
    run: (context, { store: name, to, reason }) =>
      changed(context, { kind: "rename", store: name, to }, reason),
  }),
  operatorRoute({
    method: "GET",
    path: "/api/setup/stores/{store}/merge",
    allowed: "store.merge",
    input: () => z.object({ store: store(), into: store().describe("The store that stays.") }),
    response: () => storeMergeSchema,
    run: async (context, { store: name, into }) => {
      const permitted = requireEveryApp(context);
      if (permitted.isErr()) return err(permitted.error);
      const change = { kind: "merge", store: name, into, days: "keep" } as const;
      const found = await changeStores(context.ports, change, undefined, { dryRun: true });
      if (found.isErr()) return err(found.error);
      const { movedDays, daysInBoth } = found.value;
      return ok({ value: { into: found.value.store, movedDays, daysInBoth } });
    },
  }),
  operatorChange({
    ...STORE_CHANGE,
    path: "/api/setup/stores/{store}/merge",
    allowed: "store.merge",
    action: "store.merge",
    subject: ofStore,
    input: () =>
      z.object({
        store: store(),
        into: store().describe("The store that stays."),
        days: days(),
        ...reasonInput(),
      }),
    repeat: (context, input) => answerStore(context, input.into),
    run: (context, { store: name, into, days: inBoth, reason }) =>
      changed(context, { kind: "merge", store: name, into, days: inBoth }, reason),
  }),
];
