import { useState } from "react";
import type { Schema } from "../api/routes.js";
import { useChange } from "../api/use-change.js";
import { useRead } from "../api/use-read.js";
import { useTexts } from "../language/catalogue.js";
import { formatNumber } from "../language/format.js";
import { useLanguage } from "../language/language.js";
import { useMay, useSession } from "../session/session-context.js";
import { type Column, DataTable } from "../ui/data-table.js";
import { Field } from "../ui/field.js";
import { Loaded } from "../ui/loaded.js";
import { ReasonDialog } from "../ui/reason-dialog.js";
import { Select } from "../ui/select.js";
import { SETUP_TEXTS } from "./messages.js";

type Store = Schema<"Store">;
const OF_STORE = "/api/setup/stores/{store}";
const LONGEST_NAME = 64;

/** The stores of download counts, with all their names. */
export function Stores() {
  const texts = useTexts(SETUP_TEXTS);
  const may = useMay();
  const { operator } = useSession();
  const query = useRead("/api/setup/stores", {});
  // A store belongs to all apps, so only operators of all apps may change it.
  const mayChange = may("store.merge") && operator?.apps === undefined;
  const columnsOf = (items: readonly Store[]): readonly Column<Store>[] => [
    { id: "store", place: "first", header: texts.name, cell: ({ store }) => store },
    { id: "aliases", place: "second", header: texts.otherNames, cell: ({ aliases }) => aliases.join(", ") },
    ...(mayChange
      ? [
          {
            id: "actions",
            place: "fourth" as const,
            isAction: true,
            header: texts.actions,
            cell: (one: Store) => <StoreActions store={one} others={items} />,
          },
        ]
      : []),
  ];
  return (
    <>
      {mayChange && <AddStore />}
      <Loaded query={query}>
        {({ items }) => (
          <DataTable
            label={texts.stores}
            rows={items}
            empty={<p>{texts.noStores}</p>}
            columns={columnsOf(items)}
            rowId={({ store }) => store}
          />
        )}
      </Loaded>
    </>
  );
}

function AddStore() {
  const texts = useTexts(SETUP_TEXTS);
  const [store, setStore] = useState("");
  const add = useChange("/api/setup/stores", {}, (reason: string) => ({ store, reason }));
  return (
    <div className="toolbar">
      <ReasonDialog
        action={texts.addStore}
        confirm={texts.create}
        title={texts.addStore}
        change={add}
        onOpen={() => setStore("")}
      >
        <Field label={texts.name} value={store} onChange={setStore} maxLength={LONGEST_NAME} isRequired />
      </ReasonDialog>
    </div>
  );
}

interface StoreActionsProps {
  readonly store: Store;
  readonly others: readonly Store[];
}

/** Renames a store, gives it another name, or merges it into another store. */
function StoreActions({ store: { store }, others }: StoreActionsProps) {
  const texts = useTexts(SETUP_TEXTS);
  const [name, setName] = useState(store);
  const params = { path: { store } };
  const rename = useChange(`${OF_STORE}/rename`, params, (reason: string) => ({ to: name, reason }));
  const alias = useChange(`${OF_STORE}/alias`, params, (reason: string) => ({ alias: name, reason }));
  return (
    <div className="actions">
      <ReasonDialog
        action={texts.rename}
        title={texts.renameTitle(store)}
        change={rename}
        onOpen={() => setName(store)}
      >
        <Field label={texts.name} value={name} onChange={setName} maxLength={LONGEST_NAME} isRequired />
        <p>{texts.renameStoreHelp}</p>
      </ReasonDialog>
      <ReasonDialog
        action={texts.addName}
        title={texts.addNameTitle(store)}
        change={alias}
        onOpen={() => setName("")}
      >
        <Field label={texts.otherName} value={name} onChange={setName} maxLength={LONGEST_NAME} isRequired />
        <p>{texts.addNameHelp}</p>
      </ReasonDialog>
      {others.length > 1 && <MergeStore store={store} others={others} />}
    </div>
  );
}

function MergeStore({ store, others }: { readonly store: string; readonly others: readonly Store[] }) {
  const texts = useTexts(SETUP_TEXTS);
  const choices = others.filter((one) => one.store !== store);
  const [chosen, setChosen] = useState<string>();
  const [days, setDays] = useState<"refuse" | "sum" | "keep">("refuse");
  // The first store until the operator chooses one.
  const into = (choices.find((one) => one.store === chosen) ?? choices[0])?.store ?? "";
  const [isOpen, setOpen] = useState(false);
  const merge = useChange(`${OF_STORE}/merge`, { path: { store } }, (reason: string) => {
    return { into, days, reason };
  });
  return (
    <ReasonDialog
      action={texts.merge}
      title={texts.mergeTitle(store)}
      change={merge}
      onOpen={() => {
        setChosen(undefined);
        setDays("refuse");
        setOpen(true);
      }}
      onClose={() => setOpen(false)}
    >
      <Select
        label={texts.mergeInto}
        value={into}
        choices={choices.map((one) => ({ value: one.store, label: one.store }))}
        onChange={setChosen}
      />
      {isOpen && <MergePreview store={store} into={into} />}
      <Select
        label={texts.daysInBoth}
        value={days}
        choices={[
          { value: "refuse", label: texts.refuseDays },
          { value: "sum", label: texts.sumDays },
          { value: "keep", label: texts.keepDays },
        ]}
        onChange={(value) => setDays(value === "sum" || value === "keep" ? value : "refuse")}
      />
      <p>{texts.mergeHelp}</p>
    </ReasonDialog>
  );
}

/** What the merge would do. */
function MergePreview({ store, into }: { readonly store: string; readonly into: string }) {
  const texts = useTexts(SETUP_TEXTS);
  const language = useLanguage();
  const query = useRead("/api/setup/stores/{store}/merge", { path: { store }, query: { into } });
  return (
    <Loaded query={query}>
      {({ movedDays, daysInBoth }) => (
        <p>{texts.mergePreview(formatNumber(movedDays, language), formatNumber(daysInBoth, language))}</p>
      )}
    </Loaded>
  );
}
